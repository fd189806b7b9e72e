import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isResumed": () => false,
  "isOver": () => true,
  "isReply": () => true,
  "hasTurns": () => true,
  "reachesEverything": () => true,
  "isLastTurn": () => true,
};

export const machine = createMachine({
  "id": "AIChat",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "isResumed",
          "target": "waiting_user"
        },
        {
          "target": "intro"
        }
      ]
    },
    "intro": {
      "on": {
        "theory.opened": "theory",
        "dialogue.started": {
          "target": "starting",
          "actions": "nameSession"
        },
        "cancelled": "leaving"
      }
    },
    "theory": {
      "on": {
        "theory.closed": "intro",
        "dialogue.started": {
          "target": "starting",
          "actions": "nameSession"
        },
        "cancelled": "leaving"
      }
    },
    "starting": {
      "tags": "busy",
      "invoke": {
        "id": "startDialogue",
        "src": "startDialogue",
        "onDone": {
          "target": "waiting_user",
          "actions": {
            "type": "beginDialogue"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isOver"
            },
            "target": "closed",
            "actions": {
              "type": "rememberFailure"
            }
          },
          {
            "target": "intro",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "waiting_user": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isReply"
            },
            "target": "answering",
            "actions": {
              "type": "beginTurn"
            }
          },
          {
            "actions": {
              "type": "refuseReply"
            }
          }
        ],
        "analysis.requested": {
          "guard": "hasTurns",
          "target": "reviewing",
          "actions": "forgetRefusal"
        },
        "dialogue.restarted": {
          "target": "starting",
          "actions": "nameSession"
        },
        "cancelled": "leaving"
      }
    },
    "answering": {
      "tags": "busy",
      "invoke": {
        "id": "answerTurn",
        "src": "answerTurn",
        "onDone": [
          {
            "guard": {
              "type": "reachesEverything"
            },
            "target": "reviewing",
            "actions": {
              "type": "countTurn"
            }
          },
          {
            "guard": "isLastTurn",
            "target": "reviewing",
            "actions": {
              "type": "countTurn"
            }
          },
          {
            "target": "waiting_user",
            "actions": {
              "type": "countTurn"
            }
          }
        ],
        "onError": [
          {
            "guard": {
              "type": "isOver"
            },
            "target": "closed",
            "actions": {
              "type": "rememberFailure"
            }
          },
          {
            "target": "waiting_user",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "reviewing": {
      "tags": "busy",
      "invoke": {
        "id": "reviewDialogue",
        "src": "reviewDialogue",
        "onDone": "review_complete",
        "onError": [
          {
            "guard": {
              "type": "isOver"
            },
            "target": "closed",
            "actions": {
              "type": "rememberFailure"
            }
          },
          {
            "target": "waiting_user",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "review_complete": {
      "on": {
        "dialogue.continued": {
          "target": "waiting_user",
          "actions": "giveMoreTurns"
        },
        "text.received": {
          "guard": {
            "type": "isReply"
          },
          "target": "answering",
          "actions": [
            "giveMoreTurns",
            {
              "type": "beginTurn"
            }
          ]
        },
        "dialogue.restarted": {
          "target": "starting",
          "actions": "nameSession"
        },
        "case.changed": "other_case",
        "cancelled": "leaving"
      }
    },
    "leaving": {
      "tags": "busy",
      "invoke": {
        "id": "endDialogues",
        "src": "endDialogues",
        "onDone": "left",
        "onError": "left"
      }
    },
    "left": {
      "type": "final"
    },
    "other_case": {
      "type": "final"
    },
    "closed": {
      "type": "final"
    }
  }
}, { guards });
