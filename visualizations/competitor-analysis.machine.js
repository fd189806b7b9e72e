import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isAddress": () => true,
  "isRefusal": () => true,
  "isOwnCategory": () => true,
};

export const machine = createMachine({
  "id": "CompetitorAnalysis",
  "initial": "url",
  "states": {
    "url": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isAddress"
            },
            "target": "url_checking",
            "actions": {
              "type": "rememberAddress"
            }
          },
          {
            "actions": "rejectAddress"
          }
        ],
        "cancelled": "cancelled"
      }
    },
    "url_checking": {
      "tags": "busy",
      "invoke": {
        "id": "reachPage",
        "src": "reachPage",
        "onDone": "confirm",
        "onError": {
          "target": "url",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "confirm": {
      "on": {
        "cost.accepted": {
          "target": "analyzing",
          "actions": "beginWork"
        },
        "address.reopened": {
          "target": "url",
          "actions": "forgetFailure"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "analyzing": {
      "tags": "busy",
      "on": {
        "progress.made": {
          "actions": {
            "type": "rememberStage"
          }
        },
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "analyseCompetitor",
        "src": "analyseCompetitor",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberReport"
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
      "on": {
        "gaps.wanted": {
          "guard": {
            "type": "isOwnCategory"
          },
          "target": "results_adding",
          "actions": {
            "type": "rememberCategory"
          }
        },
        "report.kept": "kept",
        "cancelled": "left"
      }
    },
    "results_adding": {
      "tags": "busy",
      "invoke": {
        "id": "addGaps",
        "src": "addGaps",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberAdded"
          }
        },
        "onError": {
          "target": "results",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "kept": {
      "type": "final"
    },
    "left": {
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
