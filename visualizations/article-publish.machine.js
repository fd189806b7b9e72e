import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "hasPreview": () => false,
  "isPictureCount": () => true,
  "isPhotoCount": () => true,
  "isOwnAnswer": () => true,
  "isOffered": () => true,
  "hasMorePhrases": () => true,
  "isRefusal": () => true,
  "hasTarget": () => true,
  "hasRefund": () => true,
  "isNextPaid": () => true,
  "isFreeWish": () => true,
  "isWish": () => true,
  "lacksTokens": () => true,
  "isExpired": () => true,
};

export const machine = createMachine({
  "id": "ArticlePublish",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "hasPreview",
          "target": "preview"
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
          "actions": "beginWork"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "pictures.set": {
          "guard": {
            "type": "isPictureCount"
          },
          "actions": {
            "type": "setPictures"
          }
        },
        "photos.set": {
          "guard": {
            "type": "isPhotoCount"
          },
          "actions": {
            "type": "setPhotos"
          }
        },
        "phrase.declined": {
          "target": "listing_phrases",
          "actions": "seekPhrases"
        },
        "knowledge.opened": {
          "target": "own_knowledge",
          "actions": "forgetOwnTrouble"
        },
        "cancelled": "cancelled"
      }
    },
    "own_knowledge": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isOwnAnswer"
            },
            "target": "saving_own_knowledge",
            "actions": {
              "type": "takeOwnAnswer"
            }
          },
          {
            "actions": "refuseOwnAnswer"
          }
        ],
        "question.skipped": {
          "target": "own_avoid",
          "actions": "forgetOwnTrouble"
        },
        "answer.erased": {
          "target": "saving_own_knowledge",
          "actions": {
            "type": "takeOwnAnswer",
            "params": {
              "field": "knows",
              "text": ""
            }
          }
        },
        "back": {
          "target": "confirm_cost",
          "actions": "forgetOwnTrouble"
        },
        "cancelled": {
          "target": "confirm_cost",
          "actions": "forgetOwnTrouble"
        }
      }
    },
    "saving_own_knowledge": {
      "tags": "busy",
      "invoke": {
        "id": "saveOwnAnswer",
        "src": "saveOwnAnswer",
        "onDone": {
          "target": "own_avoid",
          "actions": {
            "type": "rememberOwnAnswer"
          }
        },
        "onError": {
          "target": "own_knowledge",
          "actions": {
            "type": "dropOwnAnswer"
          }
        }
      }
    },
    "own_avoid": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isOwnAnswer"
            },
            "target": "saving_own_avoid",
            "actions": {
              "type": "takeOwnAnswer"
            }
          },
          {
            "actions": "refuseOwnAnswer"
          }
        ],
        "question.skipped": {
          "target": "confirm_cost",
          "actions": "forgetOwnTrouble"
        },
        "answer.erased": {
          "target": "saving_own_avoid",
          "actions": {
            "type": "takeOwnAnswer",
            "params": {
              "field": "avoid",
              "text": ""
            }
          }
        },
        "back": {
          "target": "confirm_cost",
          "actions": "forgetOwnTrouble"
        },
        "cancelled": {
          "target": "confirm_cost",
          "actions": "forgetOwnTrouble"
        }
      }
    },
    "saving_own_avoid": {
      "tags": "busy",
      "invoke": {
        "id": "saveOwnAnswer",
        "src": "saveOwnAnswer",
        "onDone": {
          "target": "confirm_cost",
          "actions": {
            "type": "rememberOwnAnswer"
          }
        },
        "onError": {
          "target": "own_avoid",
          "actions": {
            "type": "dropOwnAnswer"
          }
        }
      }
    },
    "listing_phrases": {
      "tags": "busy",
      "invoke": {
        "id": "listPhrases",
        "src": "listPhrases",
        "onDone": {
          "target": "choose_phrase",
          "actions": {
            "type": "rememberPhrases"
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
    "choose_phrase": {
      "on": {
        "phrase.chosen": {
          "guard": {
            "type": "isOffered"
          },
          "target": "confirm_cost",
          "actions": {
            "type": "takePhrase"
          }
        },
        "phrases.declined": {
          "guard": "hasMorePhrases",
          "target": "listing_phrases"
        },
        "back": {
          "target": "confirm_cost",
          "actions": "forgetPhrases"
        },
        "cancelled": "cancelled"
      }
    },
    "generating": {
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
        "id": "generateArticle",
        "src": "generateArticle",
        "onDone": {
          "target": "preview",
          "actions": {
            "type": "rememberPreview"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isRefusal"
            },
            "target": "confirm_cost",
            "actions": [
              {
                "type": "rememberFailure"
              },
              "countOffer"
            ]
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
    "preview": {
      "on": {
        "draft.approved": {
          "guard": "hasTarget",
          "target": "publishing",
          "actions": "beginWork"
        },
        "site_draft.wanted": {
          "guard": "hasTarget",
          "target": "saving_draft",
          "actions": "beginWork"
        },
        "html.wanted": [
          {
            "guard": "hasRefund",
            "target": "confirm_html"
          },
          {
            "target": "taking_html",
            "actions": "beginWork"
          }
        ],
        "text.opened": "reading_text",
        "draft.declined": [
          {
            "guard": "isNextPaid",
            "target": "confirm_version",
            "actions": "forgetWish"
          },
          {
            "target": "regenerating",
            "actions": [
              "forgetWish",
              "beginWork",
              "countAttempt"
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
              {
                "type": "rememberWish"
              },
              "beginWork",
              "countAttempt"
            ]
          },
          {
            "guard": {
              "type": "isWish"
            },
            "target": "confirm_version",
            "actions": {
              "type": "rememberWish"
            }
          },
          {
            "actions": {
              "type": "rejectWish"
            }
          }
        ],
        "tokens.credited": {
          "guard": "lacksTokens",
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": {
          "target": "cancelling",
          "actions": "beginWork"
        }
      }
    },
    "confirm_version": {
      "on": {
        "price.accepted": {
          "target": "regenerating",
          "actions": [
            "beginWork",
            "countAttempt"
          ]
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "back": {
          "target": "preview",
          "actions": "forgetWish"
        },
        "cancelled": {
          "target": "preview",
          "actions": "forgetWish"
        }
      }
    },
    "confirm_html": {
      "on": {
        "html.accepted": {
          "target": "taking_html",
          "actions": "beginWork"
        },
        "back": "preview",
        "cancelled": "preview"
      }
    },
    "taking_html": {
      "tags": "busy",
      "invoke": {
        "id": "takeHtml",
        "src": "takeHtml",
        "onDone": {
          "target": "html_taken",
          "actions": {
            "type": "rememberTaken"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isExpired"
            },
            "target": "expired"
          },
          {
            "target": "preview",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "html_taken": {
      "on": {
        "back": "preview",
        "cancelled": "preview"
      }
    },
    "reading_text": {
      "on": {
        "back": "preview",
        "cancelled": "preview"
      }
    },
    "saving_draft": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "saveDraft",
        "src": "publishArticle",
        "onDone": {
          "target": "published",
          "actions": {
            "type": "rememberPublication"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isExpired"
            },
            "target": "expired"
          },
          {
            "target": "preview",
            "actions": [
              {
                "type": "rememberFailure"
              },
              {
                "type": "rememberTried",
                "params": {
                  "deed": "save"
                }
              }
            ]
          }
        ]
      }
    },
    "publishing": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "publishArticle",
        "src": "publishArticle",
        "onDone": {
          "target": "published",
          "actions": {
            "type": "rememberPublication"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isExpired"
            },
            "target": "expired"
          },
          {
            "target": "preview",
            "actions": [
              {
                "type": "rememberFailure"
              },
              {
                "type": "rememberTried",
                "params": {
                  "deed": "publish"
                }
              }
            ]
          }
        ]
      }
    },
    "regenerating": {
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
        "id": "regenerateArticle",
        "src": "regenerateArticle",
        "onDone": {
          "target": "preview",
          "actions": {
            "type": "rememberPreview"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isExpired"
            },
            "target": "expired"
          },
          {
            "target": "preview",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "cancelling": {
      "tags": "busy",
      "invoke": {
        "id": "cancelDraft",
        "src": "cancelDraft",
        "onDone": {
          "target": "cancelled",
          "actions": {
            "type": "rememberReturn"
          }
        },
        "onError": {
          "target": "preview",
          "actions": {
            "type": "rememberFailure"
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
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
