import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isRefusal": () => true,
};

export const machine = createMachine({
  "id": "SiteAudit",
  "initial": "confirm",
  "states": {
    "confirm": {
      "on": {
        "cost.accepted": {
          "target": "auditing",
          "actions": "beginWork"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "auditing": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "auditSite",
        "src": "auditSite",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberDone"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isRefusal"
            },
            "target": "confirm",
            "actions": {
              "type": "rememberFailure"
            }
          },
          {
            "target": "failed",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "results": {
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
