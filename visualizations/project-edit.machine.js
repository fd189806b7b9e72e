import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "fitsField": () => true,
  "mayClear": () => true,
};

export const machine = createMachine({
  "id": "ProjectEdit",
  "initial": "field_value",
  "states": {
    "field_value": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "fitsField"
            },
            "target": "saving",
            "actions": {
              "type": "rememberValue"
            }
          },
          {
            "actions": {
              "type": "rejectValue"
            }
          }
        ],
        "value.cleared": {
          "guard": {
            "type": "mayClear"
          },
          "target": "saving",
          "actions": "clearValue"
        },
        "cancelled": "cancelled"
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveProjectField",
        "src": "saveProjectField",
        "onDone": "saved",
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
    "saved": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
