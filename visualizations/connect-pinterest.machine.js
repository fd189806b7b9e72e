import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isOwnConsent": () => true,
  "isConsentOver": () => true,
  "isBoard": () => true,
  "isTaken": () => true,
};

export const machine = createMachine({
  "id": "ConnectPinterest",
  "initial": "opening_oauth",
  "states": {
    "opening_oauth": {
      "tags": "busy",
      "invoke": {
        "id": "offerConsent",
        "src": "offerConsent",
        "onDone": {
          "target": "oauth_callback",
          "actions": {
            "type": "rememberConsent"
          }
        },
        "onError": {
          "target": "failed",
          "actions": {
            "type": "rememberRefusal"
          }
        }
      }
    },
    "oauth_callback": {
      "on": {
        "access.granted": {
          "guard": {
            "type": "isOwnConsent"
          },
          "target": "reading_boards"
        },
        "access.refused": {
          "guard": {
            "type": "isOwnConsent"
          },
          "target": "failed",
          "actions": {
            "type": "rememberNoConsent"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "reading_boards": {
      "tags": "busy",
      "invoke": {
        "id": "takeConsent",
        "src": "takeConsent",
        "onDone": {
          "target": "select_board",
          "actions": {
            "type": "rememberBoards"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isConsentOver"
            },
            "target": "failed",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "select_board",
            "actions": {
              "type": "rememberRefusal"
            }
          }
        ]
      }
    },
    "select_board": {
      "on": {
        "board.chosen": {
          "guard": {
            "type": "isBoard"
          },
          "target": "saving",
          "actions": {
            "type": "rememberBoard"
          }
        },
        "page.turned": {
          "actions": {
            "type": "turnBoardPage"
          }
        },
        "retried": {
          "target": "reading_boards"
        },
        "cancelled": "cancelled"
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "connectPinterest",
        "src": "connectPinterest",
        "onDone": {
          "target": "connected",
          "actions": {
            "type": "rememberConnection"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isTaken"
            },
            "target": "failed",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "select_board",
            "actions": {
              "type": "rememberRefusal"
            }
          }
        ]
      }
    },
    "connected": {
      "type": "final"
    },
    "failed": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
