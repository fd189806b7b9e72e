import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isExpired": () => true,
  "opensScenario": () => true,
  "matches": () => true,
  "hasMissedBefore": () => true,
  "tooManyTurns": () => true,
  "endsScenario": () => true,
};

export const machine = createMachine({
  "id": "ShopDialogue",
  "initial": "idle",
  "states": {
    "idle": {
      "on": {
        "menu.asked": {
          "target": "#ShopDialogue.idle",
          "actions": [
            "forget",
            "showMenu"
          ]
        },
        "dialogue.cancelled": {
          "target": "#ShopDialogue.idle",
          "actions": [
            "forget",
            "confirmCancelling"
          ]
        },
        "operator.asked": {
          "target": "#ShopDialogue.escalated",
          "actions": [
            "forget",
            {
              "type": "escalate",
              "params": {
                "why": "asked"
              }
            }
          ]
        },
        "button.expired": {
          "actions": "refuseButton"
        },
        "clock.read": {
          "guard": {
            "type": "isExpired"
          },
          "target": "#ShopDialogue.idle",
          "actions": "forget"
        },
        "message.received": [
          {
            "guard": {
              "type": "opensScenario"
            },
            "target": "#ShopDialogue.collecting",
            "actions": [
              "forget",
              {
                "type": "followRule"
              }
            ]
          },
          {
            "guard": {
              "type": "matches"
            },
            "actions": [
              {
                "type": "followRule"
              },
              "endScenario"
            ]
          },
          {
            "guard": "hasMissedBefore",
            "target": "escalated",
            "actions": {
              "type": "escalate",
              "params": {
                "why": "no_match"
              }
            }
          },
          {
            "actions": [
              "countMiss",
              "clarify"
            ]
          }
        ],
        "media.refused": {
          "actions": "refuseMedia"
        }
      }
    },
    "collecting": {
      "on": {
        "menu.asked": {
          "target": "#ShopDialogue.idle",
          "actions": [
            "forget",
            "showMenu"
          ]
        },
        "dialogue.cancelled": {
          "target": "#ShopDialogue.idle",
          "actions": [
            "forget",
            "confirmCancelling"
          ]
        },
        "operator.asked": {
          "target": "#ShopDialogue.escalated",
          "actions": [
            "forget",
            {
              "type": "escalate",
              "params": {
                "why": "asked"
              }
            }
          ]
        },
        "button.expired": {
          "actions": "refuseButton"
        },
        "clock.read": {
          "guard": {
            "type": "isExpired"
          },
          "target": "#ShopDialogue.idle",
          "actions": "forget"
        },
        "scenario.lost": {
          "target": "idle",
          "actions": "forget"
        },
        "message.received": [
          {
            "guard": "tooManyTurns",
            "target": "escalated",
            "actions": {
              "type": "escalate",
              "params": {
                "why": "too_many_turns"
              }
            }
          },
          {
            "guard": {
              "type": "opensScenario"
            },
            "target": "#ShopDialogue.collecting",
            "actions": [
              "forget",
              {
                "type": "followRule"
              }
            ]
          },
          {
            "guard": {
              "type": "endsScenario"
            },
            "target": "idle",
            "actions": [
              {
                "type": "followRule"
              },
              "endScenario"
            ]
          },
          {
            "guard": {
              "type": "matches"
            },
            "actions": [
              "countTurn",
              {
                "type": "followRule"
              }
            ]
          },
          {
            "guard": "hasMissedBefore",
            "target": "escalated",
            "actions": {
              "type": "escalate",
              "params": {
                "why": "no_match"
              }
            }
          },
          {
            "actions": [
              "countTurn",
              "countMiss",
              "askAgain"
            ]
          }
        ],
        "media.refused": [
          {
            "guard": "tooManyTurns",
            "target": "escalated",
            "actions": {
              "type": "escalate",
              "params": {
                "why": "too_many_turns"
              }
            }
          },
          {
            "actions": [
              "countTurn",
              "refuseMedia"
            ]
          }
        ]
      }
    },
    "escalated": {
      "on": {
        "menu.asked": {
          "target": "#ShopDialogue.idle",
          "actions": [
            "forget",
            "showMenu"
          ]
        },
        "dialogue.cancelled": {
          "target": "#ShopDialogue.idle",
          "actions": [
            "forget",
            "confirmCancelling"
          ]
        },
        "operator.asked": {
          "target": "#ShopDialogue.escalated",
          "actions": [
            "forget",
            {
              "type": "escalate",
              "params": {
                "why": "asked"
              }
            }
          ]
        },
        "button.expired": {
          "actions": "refuseButton"
        },
        "clock.read": {
          "guard": {
            "type": "isExpired"
          },
          "target": "#ShopDialogue.idle",
          "actions": "forget"
        },
        "message.received": [
          {
            "guard": {
              "type": "opensScenario"
            },
            "target": "#ShopDialogue.collecting",
            "actions": [
              "forget",
              {
                "type": "followRule"
              }
            ]
          },
          {
            "guard": {
              "type": "matches"
            },
            "target": "idle",
            "actions": [
              {
                "type": "followRule"
              },
              "endScenario"
            ]
          },
          {
            "actions": "askToWait"
          }
        ],
        "media.refused": {
          "actions": "askToWait"
        }
      }
    }
  }
}, { guards });
