import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "hasProposal": () => false,
  "isRefusal": () => true,
};

export const machine = createMachine({
  "id": "ArticleRefresh",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "hasProposal",
          "target": "review"
        },
        {
          "target": "confirm"
        }
      ]
    },
    "confirm": {
      "on": {
        "cost.accepted": {
          "target": "proposing",
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
    "proposing": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "proposeRefresh",
        "src": "proposeRefresh",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberProposal"
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
    "review": {
      "on": {
        "draft.approved": {
          "target": "applying",
          "actions": "beginWork"
        },
        "draft.declined": "declining",
        "cancelled": "declining"
      }
    },
    "applying": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "applyRefresh",
        "src": "applyRefresh",
        "onDone": "applied",
        "onError": {
          "target": "review",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "declining": {
      "tags": "busy",
      "invoke": {
        "id": "declineRefresh",
        "src": "declineRefresh",
        "onDone": {
          "target": "declined",
          "actions": {
            "type": "rememberReturn"
          }
        },
        "onError": {
          "target": "review",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "applied": {
      "type": "final"
    },
    "declined": {
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
