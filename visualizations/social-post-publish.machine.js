import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isInDoubt": () => false,
  "isResent": () => false,
  "hasDraft": () => false,
  "isRefusal": () => true,
  "isFreeVersion": () => true,
  "isFreeWish": () => true,
  "isWish": () => true,
  "lacksTokens": () => true,
  "isPostExpired": () => true,
  "isAnswerLost": () => true,
};

export const machine = createMachine({
  "id": "SocialPostPublish",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "isInDoubt",
          "target": "publish_unknown"
        },
        {
          "guard": "isResent",
          "target": "publishing"
        },
        {
          "guard": "hasDraft",
          "target": "review"
        },
        {
          "target": "confirm_cost"
        }
      ]
    },
    "confirm_cost": {
      "on": {
        "cost.accepted": {
          "target": "generating",
          "actions": "beginPostWork"
        },
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
        "progress.made": {
          "actions": {
            "type": "rememberPostStage"
          }
        },
        "work.delayed": {
          "actions": "rememberPostDelay"
        }
      },
      "invoke": {
        "id": "generatePost",
        "src": "generatePost",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberDraft"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isRefusal"
            },
            "target": "confirm_cost",
            "actions": {
              "type": "rememberPostFailure"
            }
          },
          {
            "target": "failed",
            "actions": {
              "type": "rememberPostFailure"
            }
          }
        ]
      }
    },
    "review": {
      "on": {
        "draft.approved": {
          "target": "publishing",
          "actions": "beginPostWork"
        },
        "draft.declined": [
          {
            "guard": "isFreeVersion",
            "target": "regenerating",
            "actions": [
              "beginPostWork",
              "forgetWish",
              "countPostAttempt"
            ]
          },
          {
            "target": "regenerate_cost",
            "actions": [
              "turnFromPost",
              "forgetWish"
            ]
          }
        ],
        "text.received": [
          {
            "guard": {
              "type": "isFreeWish"
            },
            "target": "regenerating",
            "actions": [
              "beginPostWork",
              {
                "type": "rememberWish"
              },
              "countPostAttempt"
            ]
          },
          {
            "guard": {
              "type": "isWish"
            },
            "target": "regenerate_cost",
            "actions": [
              "turnFromPost",
              {
                "type": "rememberWish"
              }
            ]
          },
          {
            "actions": {
              "type": "rejectWish"
            }
          }
        ],
        "text.wanted": {
          "target": "review_text",
          "actions": "turnFromPost"
        },
        "tokens.credited": {
          "guard": "lacksTokens",
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": {
          "target": "cancelling",
          "actions": "beginPostWork"
        }
      }
    },
    "regenerate_cost": {
      "on": {
        "cost.accepted": {
          "target": "regenerating",
          "actions": [
            "beginPostWork",
            "countPostAttempt"
          ]
        },
        "review.resumed": {
          "target": "review",
          "actions": [
            "turnFromPost",
            "forgetWish"
          ]
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": {
          "target": "cancelling",
          "actions": "beginPostWork"
        }
      }
    },
    "regenerating": {
      "tags": "busy",
      "on": {
        "progress.made": {
          "actions": {
            "type": "rememberPostStage"
          }
        },
        "work.delayed": {
          "actions": "rememberPostDelay"
        }
      },
      "invoke": {
        "id": "regeneratePost",
        "src": "regeneratePost",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberDraft"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isPostExpired"
            },
            "target": "expired"
          },
          {
            "target": "review",
            "actions": {
              "type": "rememberPostFailure"
            }
          }
        ]
      }
    },
    "review_text": {
      "on": {
        "text.received": {
          "target": "saving_text",
          "actions": [
            "beginPostWork",
            {
              "type": "rememberWish"
            }
          ]
        },
        "review.resumed": {
          "target": "review",
          "actions": [
            "turnFromPost",
            "forgetWish"
          ]
        },
        "cancelled": {
          "target": "cancelling",
          "actions": "beginPostWork"
        }
      }
    },
    "saving_text": {
      "tags": "busy",
      "invoke": {
        "id": "savePostText",
        "src": "savePostText",
        "onDone": {
          "target": "review",
          "actions": {
            "type": "rememberDraft"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isPostExpired"
            },
            "target": "expired"
          },
          {
            "target": "review_text",
            "actions": {
              "type": "rememberPostFailure"
            }
          }
        ]
      }
    },
    "publishing": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberPostDelay"
        }
      },
      "invoke": {
        "id": "publishPost",
        "src": "publishPost",
        "onDone": [
          {
            "guard": {
              "type": "isAnswerLost"
            },
            "target": "publish_unknown",
            "actions": {
              "type": "rememberDoubt"
            }
          },
          {
            "target": "published",
            "actions": {
              "type": "rememberPost"
            }
          }
        ],
        "onError": [
          {
            "guard": {
              "type": "isPostExpired"
            },
            "target": "expired"
          },
          {
            "target": "review",
            "actions": {
              "type": "rememberPostFailure"
            }
          }
        ]
      }
    },
    "publish_unknown": {
      "on": {
        "post.seen": {
          "target": "confirming",
          "actions": "beginPostWork"
        },
        "draft.approved": {
          "target": "publishing",
          "actions": "beginPostWork"
        },
        "post.missed": {
          "target": "cancelling",
          "actions": "beginPostWork"
        },
        "cancelled": "left"
      }
    },
    "confirming": {
      "tags": "busy",
      "invoke": {
        "id": "confirmPost",
        "src": "confirmPost",
        "onDone": {
          "target": "published",
          "actions": {
            "type": "rememberPost"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isPostExpired"
            },
            "target": "expired"
          },
          {
            "target": "publish_unknown",
            "actions": {
              "type": "rememberPostFailure"
            }
          }
        ]
      }
    },
    "cancelling": {
      "tags": "busy",
      "invoke": {
        "id": "cancelPost",
        "src": "cancelPost",
        "onDone": {
          "target": "cancelled",
          "actions": {
            "type": "rememberPostReturn"
          }
        },
        "onError": {
          "target": "review",
          "actions": {
            "type": "rememberPostFailure"
          }
        }
      }
    },
    "published": {
      "type": "final"
    },
    "failed": {
      "type": "final"
    },
    "expired": {
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
