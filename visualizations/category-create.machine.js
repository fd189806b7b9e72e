import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isName": () => true,
};

export const machine = createMachine({
  "id": "CategoryCreate",
  "initial": "name",
  "states": {
    "name": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isName"
            },
            "target": "saving",
            "actions": {
              "type": "rememberName"
            }
          },
          {
            "actions": {
              "type": "rejectName"
            }
          }
        ],
        "cancelled": "cancelled"
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveCategory",
        "src": "saveCategory",
        "onDone": {
          "target": "created",
          "actions": {
            "type": "rememberCategory"
          }
        },
        "onError": {
          "target": "save_failed",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "save_failed": {
      "on": {
        "retried": "saving",
        "cancelled": "cancelled"
      }
    },
    "created": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
