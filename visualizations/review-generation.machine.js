import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isQuantity": () => true,
  "lacksTokens": () => true,
};

export const machine = createMachine({
  "id": "ReviewGeneration",
  "initial": "quantity",
  "states": {
    "quantity": {
      "on": {
        "quantity.chosen": {
          "guard": {
            "type": "isQuantity"
          },
          "target": "confirm_cost",
          "actions": {
            "type": "rememberQuantity"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "confirm_cost": {
      "on": {
        "cost.accepted": {
          "target": "generating",
          "actions": "beginWork"
        },
        "quantity.reopened": "quantity",
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "generating": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "writeReviews",
        "src": "writeReviews",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberSet"
          }
        },
        "onError": {
          "target": "confirm_cost",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "review": {
      "on": {
        "draft.approved": {
          "target": "saving"
        },
        "draft.declined": {
          "target": "regenerating",
          "actions": "beginWork"
        },
        "tokens.credited": {
          "guard": "lacksTokens",
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "discarded"
      }
    },
    "regenerating": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "writeReviews",
        "src": "writeReviews",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberSet"
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
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveReviews",
        "src": "saveReviews",
        "onDone": "saved",
        "onError": {
          "target": "review",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "saved": {
      "type": "final"
    },
    "discarded": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
