import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isCategoryName": () => true,
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
              "type": "isCategoryName"
            },
            "target": "saving",
            "actions": {
              "type": "rememberCategoryName"
            }
          },
          {
            "actions": {
              "type": "rejectCategoryName"
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
            "type": "rememberSaveFailure"
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
