import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isVkKey": () => true,
  "hasVkKey": () => true,
  "isKeyOfOneGroup": () => false,
  "isGroup": () => true,
  "isTaken": () => true,
};

export const machine = createMachine({
  "id": "ConnectVK",
  "initial": "token",
  "states": {
    "token": {
      "tags": "secret",
      "on": {
        "secret.received": [
          {
            "guard": {
              "type": "isVkKey"
            },
            "target": "checking_token",
            "actions": {
              "type": "rememberVkKey"
            }
          },
          {
            "actions": "rejectVkKey"
          }
        ],
        "help.asked": {
          "actions": "showVkHelp"
        },
        "retried": {
          "guard": "hasVkKey",
          "target": "checking_token"
        },
        "cancelled": "cancelled"
      }
    },
    "checking_token": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "readVkKey",
        "src": "readVkKey",
        "onDone": {
          "target": "select_group",
          "actions": {
            "type": "rememberVkGroups"
          }
        },
        "onError": {
          "target": "token",
          "actions": {
            "type": "rememberRefusal"
          }
        }
      }
    },
    "select_group": {
      "always": {
        "guard": "isKeyOfOneGroup",
        "target": "saving",
        "actions": "takeOnlyGroup"
      },
      "on": {
        "group.chosen": {
          "guard": {
            "type": "isGroup"
          },
          "target": "saving",
          "actions": {
            "type": "rememberGroup"
          }
        },
        "page.turned": {
          "actions": {
            "type": "turnGroupPage"
          }
        },
        "key.changed": {
          "target": "token",
          "actions": "forgetVkKey"
        },
        "cancelled": "cancelled"
      }
    },
    "saving": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "connectVk",
        "src": "connectVk",
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
            "guard": "isKeyOfOneGroup",
            "target": "token",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "select_group",
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
