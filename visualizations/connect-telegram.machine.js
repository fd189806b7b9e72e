import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "hasOwnBot": () => false,
  "isReconnecting": () => false,
  "isAnswerOfChooser": () => true,
  "isChannel": () => true,
  "isLinkWithoutNumber": () => true,
  "canBeFound": () => true,
  "canRepeatOwn": () => true,
  "isBotTokenOfLostChat": () => true,
  "isBotToken": () => true,
  "hasBotToken": () => true,
  "hasBotTokenOfLostChat": () => true,
  "isTaken": () => true,
  "isOwnBot": () => true,
};

export const machine = createMachine({
  "id": "ConnectTelegram",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "hasOwnBot",
          "target": "validate"
        },
        {
          "guard": "isReconnecting",
          "target": "token"
        },
        {
          "target": "channel"
        }
      ]
    },
    "channel": {
      "on": {
        "chat.shared": {
          "guard": {
            "type": "isAnswerOfChooser"
          },
          "target": "validate",
          "actions": {
            "type": "rememberSharedChat"
          }
        },
        "text.received": [
          {
            "guard": {
              "type": "isChannel"
            },
            "target": "token",
            "actions": {
              "type": "rememberChannel"
            }
          },
          {
            "guard": {
              "type": "isLinkWithoutNumber"
            },
            "target": "token",
            "actions": "searchForChat"
          },
          {
            "actions": "rejectChannel"
          }
        ],
        "chat.unknown": {
          "guard": "canBeFound",
          "target": "token",
          "actions": "searchForChat"
        },
        "retried": {
          "guard": "canRepeatOwn",
          "target": "validate",
          "actions": "tryChannelAgain"
        },
        "cancelled": "cancelled"
      }
    },
    "token": {
      "tags": "secret",
      "on": {
        "secret.received": [
          {
            "guard": {
              "type": "isBotTokenOfLostChat"
            },
            "target": "awaiting_chat",
            "actions": {
              "type": "rememberBotToken"
            }
          },
          {
            "guard": {
              "type": "isBotToken"
            },
            "target": "validate",
            "actions": {
              "type": "rememberBotToken"
            }
          },
          {
            "actions": "rejectChannel"
          }
        ],
        "chat.shared": {
          "guard": {
            "type": "isAnswerOfChooser"
          },
          "target": "validate",
          "actions": {
            "type": "rememberSharedChat"
          }
        },
        "retried": [
          {
            "guard": "hasBotToken",
            "target": "validate",
            "actions": "tryChannelAgain"
          },
          {
            "guard": "hasBotTokenOfLostChat",
            "target": "awaiting_chat",
            "actions": "tryChannelAgain"
          }
        ],
        "channel.changed": {
          "target": "channel",
          "actions": "forgetChannel"
        },
        "cancelled": "cancelled"
      }
    },
    "awaiting_chat": {
      "tags": [
        "busy",
        "secret"
      ],
      "on": {
        "channel.changed": {
          "target": "channel",
          "actions": "forgetChannel"
        },
        "cancelled": "cancelled"
      },
      "invoke": {
        "id": "awaitChat",
        "src": "awaitChat",
        "onDone": {
          "target": "validate",
          "actions": {
            "type": "rememberFoundChat"
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
    "validate": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "connectChannel",
        "src": "connectChannel",
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
            "guard": "isOwnBot",
            "target": "channel",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "token",
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
