import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "wantsFile": () => false,
};

export const machine = createMachine({
  "id": "PriceInput",
  "initial": "first_method",
  "states": {
    "first_method": {
      "always": [
        {
          "guard": "wantsFile",
          "target": "file_upload"
        },
        {
          "target": "text_input"
        }
      ]
    },
    "choose_method": {
      "entry": "forgetFailure",
      "on": {
        "text.chosen": "text_input",
        "file.chosen": "file_upload",
        "cancelled": "cancelled"
      }
    },
    "text_input": {
      "on": {
        "text.received": {
          "target": "reading_text",
          "actions": {
            "type": "takePriceText"
          }
        },
        "file.received": {
          "target": "reading_file",
          "actions": {
            "type": "takePriceFile"
          }
        },
        "method.reopened": "choose_method",
        "cancelled": "cancelled"
      }
    },
    "file_upload": {
      "on": {
        "file.received": {
          "target": "reading_file",
          "actions": {
            "type": "takePriceFile"
          }
        },
        "method.reopened": "choose_method",
        "cancelled": "cancelled"
      }
    },
    "reading_text": {
      "tags": "busy",
      "invoke": {
        "id": "savePrices",
        "src": "savePrices",
        "onDone": {
          "target": "saved",
          "actions": {
            "type": "rememberPrices"
          }
        },
        "onError": {
          "target": "text_input",
          "actions": {
            "type": "rememberPriceFailure"
          }
        }
      }
    },
    "reading_file": {
      "tags": "busy",
      "invoke": {
        "id": "savePrices",
        "src": "savePrices",
        "onDone": {
          "target": "saved",
          "actions": {
            "type": "rememberPrices"
          }
        },
        "onError": {
          "target": "file_upload",
          "actions": {
            "type": "rememberPriceFailure"
          }
        }
      }
    },
    "saved": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
