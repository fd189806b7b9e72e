import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isRepeat": () => false,
  "isUnsendable": () => false,
  "isPermanent": () => true,
  "isSpared": () => true,
  "hasAttemptsLeft": () => true,
  "mayNotComeTwice": () => true,
  "mayComeTwice": () => true,
};

export const machine = createMachine({
  "id": "Delivery",
  "initial": "new",
  "states": {
    "new": {
      "always": [
        {
          "guard": "isRepeat",
          "target": "deduped"
        },
        {
          "guard": "isUnsendable",
          "target": "failed_permanent"
        },
        {
          "target": "queued"
        }
      ]
    },
    "queued": {
      "on": {
        "claim.made": "claimed",
        "validation.failed": "failed_permanent",
        "repeat.found": "deduped",
        "delivery.abandoned": "dead",
        "delivery.expired": "dead"
      }
    },
    "claimed": {
      "on": {
        "attempt.recorded": {
          "target": "sending",
          "actions": "countAttempt"
        },
        "claim.returned": "queued",
        "attempt.postponed": "retry",
        "delivery.abandoned": "dead"
      }
    },
    "sending": {
      "tags": "busy",
      "on": {
        "send.confirmed": "sent",
        "send.refused": [
          {
            "guard": {
              "type": "isPermanent"
            },
            "target": "failed_permanent"
          },
          {
            "guard": {
              "type": "isSpared"
            },
            "target": "retry",
            "actions": "allowOneMore"
          },
          {
            "guard": "hasAttemptsLeft",
            "target": "retry"
          },
          {
            "target": "dead"
          }
        ],
        "call.omitted": {
          "target": "retry",
          "actions": "allowOneMore"
        },
        "result.lost": [
          {
            "guard": "mayNotComeTwice",
            "target": "unknown"
          },
          {
            "guard": "mayComeTwice",
            "target": "retry"
          },
          {
            "target": "dead"
          }
        ]
      }
    },
    "unknown": {
      "on": {
        "send.confirmed": "sent",
        "send.refused": [
          {
            "guard": {
              "type": "isPermanent"
            },
            "target": "failed_permanent"
          },
          {
            "guard": {
              "type": "isSpared"
            },
            "target": "retry",
            "actions": "allowOneMore"
          },
          {
            "guard": "hasAttemptsLeft",
            "target": "retry"
          },
          {
            "target": "dead"
          }
        ],
        "retry.allowed": "retry",
        "delivery.abandoned": "dead"
      }
    },
    "retry": {
      "on": {
        "claim.made": "claimed",
        "validation.failed": "failed_permanent",
        "repeat.found": "deduped",
        "delivery.abandoned": "dead",
        "delivery.expired": "dead"
      }
    },
    "failed_permanent": {
      "on": {
        "delivery.requeued": {
          "target": "retry",
          "actions": "allowMoreAttempts"
        }
      }
    },
    "dead": {
      "on": {
        "delivery.requeued": {
          "target": "retry",
          "actions": "allowMoreAttempts"
        }
      }
    },
    "sent": {
      "type": "final"
    },
    "deduped": {
      "type": "final"
    }
  }
}, { guards });
