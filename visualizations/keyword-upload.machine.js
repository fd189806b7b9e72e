import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isClustering": () => true,
};

export const machine = createMachine({
  "id": "KeywordUpload",
  "initial": "file_upload",
  "states": {
    "file_upload": {
      "on": {
        "file.received": {
          "target": "enriching",
          "actions": {
            "type": "takePhraseFile"
          }
        },
        "text.received": {
          "target": "enriching",
          "actions": {
            "type": "takePhraseText"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "enriching": {
      "tags": "busy",
      "invoke": {
        "id": "uploadKeywords",
        "src": "uploadKeywords",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberUpload"
          }
        },
        "onError": {
          "target": "file_upload",
          "actions": {
            "type": "rememberUploadFailure"
          }
        }
      },
      "on": {
        "progress.made": {
          "guard": {
            "type": "isClustering"
          },
          "target": "clustering"
        },
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "clustering": {
      "tags": "busy",
      "invoke": {
        "id": "uploadKeywords",
        "src": "uploadKeywords",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberUpload"
          }
        },
        "onError": {
          "target": "file_upload",
          "actions": {
            "type": "rememberUploadFailure"
          }
        }
      },
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "results": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
