import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isProducts": () => true,
  "hasProducts": () => true,
  "isGeography": () => true,
  "hasCity": () => true,
  "hasGeography": () => true,
  "isQuantity": () => true,
  "isClustering": () => true,
  "isEnriching": () => true,
  "isRefusal": () => true,
};

export const machine = createMachine({
  "id": "KeywordGeneration",
  "initial": "products",
  "states": {
    "products": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isProducts"
            },
            "target": "geography",
            "actions": {
              "type": "rememberProducts"
            }
          },
          {
            "actions": {
              "type": "rejectProducts"
            }
          }
        ],
        "category.chosen": {
          "target": "geography",
          "actions": "takeCategoryName"
        },
        "answer.kept": {
          "guard": "hasProducts",
          "target": "geography",
          "actions": "keepAnswer"
        },
        "cancelled": "cancelled"
      }
    },
    "geography": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isGeography"
            },
            "target": "quantity",
            "actions": {
              "type": "rememberGeography"
            }
          },
          {
            "actions": {
              "type": "rejectGeography"
            }
          }
        ],
        "city.chosen": {
          "guard": "hasCity",
          "target": "quantity",
          "actions": "takeCity"
        },
        "place.chosen": {
          "target": "quantity",
          "actions": {
            "type": "rememberGeography"
          }
        },
        "answer.kept": {
          "guard": "hasGeography",
          "target": "quantity",
          "actions": "keepAnswer"
        },
        "cancelled": "cancelled"
      }
    },
    "quantity": {
      "on": {
        "quantity.chosen": {
          "guard": {
            "type": "isQuantity"
          },
          "target": "confirm",
          "actions": {
            "type": "rememberQuantity"
          }
        },
        "cancelled": "cancelled"
      }
    },
    "confirm": {
      "on": {
        "cost.accepted": {
          "target": "fetching",
          "actions": "beginKeywords"
        },
        "answers.reopened": {
          "target": "products",
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
    "fetching": {
      "tags": "busy",
      "invoke": {
        "id": "generateKeywords",
        "src": "generateKeywords",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberKeywords"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isRefusal"
            },
            "target": "confirm",
            "actions": {
              "type": "rememberKeywordFailure"
            }
          },
          {
            "target": "failed",
            "actions": {
              "type": "rememberKeywordFailure"
            }
          }
        ]
      },
      "on": {
        "progress.made": [
          {
            "guard": {
              "type": "isClustering"
            },
            "target": "clustering"
          },
          {
            "guard": {
              "type": "isEnriching"
            },
            "target": "enriching"
          }
        ],
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "clustering": {
      "tags": "busy",
      "invoke": {
        "id": "generateKeywords",
        "src": "generateKeywords",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberKeywords"
          }
        },
        "onError": {
          "target": "failed",
          "actions": {
            "type": "rememberKeywordFailure"
          }
        }
      },
      "on": {
        "progress.made": {
          "guard": {
            "type": "isEnriching"
          },
          "target": "enriching"
        },
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "enriching": {
      "tags": "busy",
      "invoke": {
        "id": "generateKeywords",
        "src": "generateKeywords",
        "onDone": {
          "target": "results",
          "actions": {
            "type": "rememberKeywords"
          }
        },
        "onError": {
          "target": "failed",
          "actions": {
            "type": "rememberKeywordFailure"
          }
        }
      },
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "failed": {
      "on": {
        "cost.accepted": {
          "target": "fetching",
          "actions": "beginKeywords"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": "left"
      }
    },
    "results": {
      "type": "final"
    },
    "left": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
