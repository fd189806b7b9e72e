import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "lacksTokens": () => true,
};

export const machine = createMachine({
  "id": "DescriptionGenerate",
  "initial": "confirm",
  "states": {
    "confirm": {
      "on": {
        "cost.accepted": {
          "target": "generating",
          "actions": "beginDescription"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "generating": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "writeDescription",
        "src": "writeDescription",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberDescription"
          }
        },
        "onError": {
          "target": "confirm",
          "actions": {
            "type": "rememberDescriptionFailure"
          }
        }
      }
    },
    "review": {
      "on": {
        "draft.approved": {
          "target": "saving",
          "actions": "takeDescription"
        },
        "draft.declined": {
          "target": "regenerating",
          "actions": "beginDescription"
        },
        "tokens.credited": {
          "guard": "lacksTokens",
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "discarded"
      }
    },
    "regenerating": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "writeDescription",
        "src": "writeDescription",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberDescription"
          }
        },
        "onError": {
          "target": "review",
          "actions": {
            "type": "rememberDescriptionFailure"
          }
        }
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveDescription",
        "src": "saveDescription",
        "onDone": {
          "target": "saved",
          "actions": "settleDescription"
        },
        "onError": {
          "target": "review",
          "actions": {
            "type": "rememberDescriptionFailure"
          }
        }
      }
    },
    "saved": {
      "type": "final"
    },
    "discarded": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
