import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isDraftGone": () => true,
  "isDraftThere": () => true,
  "hasProject": () => false,
  "hasNoProjects": () => false,
  "isSite": () => true,
  "isName": () => true,
  "hasUnreadSite": () => true,
  "hasProjects": () => true,
  "isCompanyName": () => true,
  "isLastAnswer": () => true,
  "isSpecialization": () => true,
  "isWebsite": () => true,
  "isCardField": () => true,
  "isCardTopic": () => true,
  "fitsCard": () => true,
  "isFieldOptional": () => true,
  "hasPreview": () => false,
  "hasSite": () => false,
  "hasOwnSite": () => true,
  "isAddress": () => true,
  "hasAddress": () => true,
  "isInOtherProject": () => true,
  "isLogin": () => true,
  "offersGrant": () => true,
  "isApplicationPassword": () => true,
  "hasSecret": () => true,
  "isTooOften": () => true,
  "hasCategory": () => false,
  "hasNoCategories": () => false,
  "isCategoryName": () => true,
  "hasCategories": () => true,
  "isReady": () => false,
  "hasCity": () => true,
  "hasAllAnswers": () => true,
  "hasOffer": () => true,
  "isProducts": () => true,
  "hasProducts": () => true,
  "isGeography": () => true,
  "hasGeography": () => true,
  "isQuantity": () => true,
  "hasQuantity": () => false,
  "isRefusal": () => true,
  "isDescription": () => true,
  "lacksTokens": () => true,
  "isDescriptionWritten": () => false,
  "isPictureCount": () => true,
  "isPhotoCount": () => true,
  "isOwnAnswer": () => true,
  "isOffered": () => true,
  "hasMorePhrases": () => true,
  "hasTarget": () => true,
  "hasRefund": () => true,
  "isNextPaid": () => true,
  "isFreeWish": () => true,
  "isWish": () => true,
  "isExpired": () => true,
};

export const machine = createMachine({
  "id": "ArticlePipeline",
  "initial": "taking_stock",
  "states": {
    "taking_stock": {
      "tags": "busy",
      "invoke": {
        "id": "takeStock",
        "src": "takeStock",
        "onDone": [
          {
            "guard": {
              "type": "isDraftGone"
            },
            "target": "expired"
          },
          {
            "guard": {
              "type": "isDraftThere"
            },
            "target": "preview",
            "actions": [
              {
                "type": "rememberStock"
              },
              "forgetAnswers"
            ]
          },
          {
            "target": "select_project",
            "actions": [
              {
                "type": "rememberStock"
              },
              "forgetAnswers"
            ]
          }
        ],
        "onError": {
          "target": "stock_unknown",
          "actions": {
            "type": "rememberSaveFailure"
          }
        }
      }
    },
    "stock_unknown": {
      "on": {
        "retried": {
          "target": "taking_stock",
          "actions": "forgetFailure"
        },
        "cancelled": "left"
      }
    },
    "select_project": {
      "always": [
        {
          "guard": "hasProject",
          "target": "select_wp"
        },
        {
          "guard": "hasNoProjects",
          "target": "create_project_name"
        }
      ],
      "on": {
        "project.chosen": {
          "target": "taking_stock",
          "actions": {
            "type": "chooseProject"
          }
        },
        "project.added": {
          "target": "create_project_name",
          "actions": "beginAnew"
        },
        "page.turned": {
          "actions": {
            "type": "turnPage"
          }
        },
        "cancelled": "left"
      }
    },
    "create_project_name": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isSite"
            },
            "target": "create_project_reading",
            "actions": {
              "type": "takeSite"
            }
          },
          {
            "guard": {
              "type": "isName"
            },
            "target": "create_project_company",
            "actions": {
              "type": "rememberName"
            }
          },
          {
            "actions": {
              "type": "rejectName"
            }
          }
        ],
        "reading.retried": {
          "guard": "hasUnreadSite",
          "target": "create_project_reading",
          "actions": "readAgain"
        },
        "cancelled": [
          {
            "guard": "hasProjects",
            "target": "select_project",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "create_project_company": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isCompanyName"
            },
            "target": "create_project_spec",
            "actions": {
              "type": "rememberCompanyName"
            }
          },
          {
            "actions": {
              "type": "rejectCompanyName"
            }
          }
        ],
        "cancelled": [
          {
            "guard": "hasProjects",
            "target": "select_project",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "create_project_spec": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isLastAnswer"
            },
            "target": "saving_project",
            "actions": {
              "type": "rememberSpecialization"
            }
          },
          {
            "guard": {
              "type": "isSpecialization"
            },
            "target": "create_project_url",
            "actions": {
              "type": "rememberSpecialization"
            }
          },
          {
            "actions": {
              "type": "rejectSpecialization"
            }
          }
        ],
        "cancelled": [
          {
            "guard": "hasProjects",
            "target": "select_project",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "create_project_url": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isWebsite"
            },
            "target": "saving_project",
            "actions": {
              "type": "rememberWebsite"
            }
          },
          {
            "actions": {
              "type": "rejectWebsite"
            }
          }
        ],
        "website.skipped": {
          "target": "saving_project",
          "actions": "skipWebsite"
        },
        "cancelled": [
          {
            "guard": "hasProjects",
            "target": "select_project",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "create_project_reading": {
      "tags": "busy",
      "invoke": {
        "id": "readSite",
        "src": "readSite",
        "onDone": {
          "target": "create_project_card",
          "actions": {
            "type": "rememberCard"
          }
        },
        "onError": {
          "target": "create_project_name",
          "actions": {
            "type": "rememberUnread"
          }
        }
      }
    },
    "create_project_card": {
      "on": {
        "card.saved": "saving_project",
        "card.field_opened": {
          "guard": {
            "type": "isCardField"
          },
          "target": "create_project_field",
          "actions": {
            "type": "openCardField"
          }
        },
        "card.topic_set": {
          "guard": {
            "type": "isCardTopic"
          },
          "actions": {
            "type": "setTopic"
          }
        },
        "card.declined": {
          "target": "create_project_name",
          "actions": "declineCard"
        },
        "cancelled": [
          {
            "guard": "hasProjects",
            "target": "select_project",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "create_project_field": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "fitsCard"
            },
            "target": "create_project_card",
            "actions": {
              "type": "correctCard"
            }
          },
          {
            "actions": {
              "type": "rejectCorrection"
            }
          }
        ],
        "card.field_cleared": {
          "guard": "isFieldOptional",
          "target": "create_project_card",
          "actions": "clearCardField"
        },
        "card.resumed": {
          "target": "create_project_card",
          "actions": "closeCardField"
        },
        "cancelled": [
          {
            "guard": "hasProjects",
            "target": "select_project",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "saving_project": {
      "tags": "busy",
      "invoke": {
        "id": "saveProject",
        "src": "saveProject",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberProject"
          }
        },
        "onError": {
          "target": "project_unsaved",
          "actions": {
            "type": "rememberSaveFailure"
          }
        }
      }
    },
    "project_unsaved": {
      "on": {
        "retried": "saving_project",
        "cancelled": "left"
      }
    },
    "select_wp": {
      "always": [
        {
          "guard": "hasPreview",
          "target": "preview"
        },
        {
          "guard": "hasSite",
          "target": "select_category"
        }
      ],
      "on": {
        "site.chosen": {
          "target": "taking_stock",
          "actions": {
            "type": "chooseSite"
          }
        },
        "site.added": [
          {
            "guard": "hasOwnSite",
            "target": "checking_wp",
            "actions": [
              "beginConnecting",
              "takeOwnSite"
            ]
          },
          {
            "target": "connect_wp_url",
            "actions": "beginConnecting"
          }
        ],
        "preview.chosen": {
          "target": "taking_stock",
          "actions": "choosePreview"
        },
        "page.turned": {
          "actions": {
            "type": "turnPage"
          }
        },
        "project.reopened": {
          "target": "select_project",
          "actions": "reopenProject"
        },
        "resumed": "taking_stock",
        "cancelled": "left"
      }
    },
    "connect_wp_url": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isAddress"
            },
            "target": "checking_wp",
            "actions": {
              "type": "rememberUrl"
            }
          },
          {
            "actions": "rejectAnswer"
          }
        ],
        "site.taken": {
          "guard": "hasOwnSite",
          "target": "checking_wp",
          "actions": "takeOwnSite"
        },
        "retried": {
          "guard": "hasAddress",
          "target": "checking_wp",
          "actions": "tryAgain"
        },
        "preview.chosen": {
          "target": "taking_stock",
          "actions": "choosePreview"
        },
        "cancelled": {
          "target": "select_wp",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "checking_wp": {
      "tags": "busy",
      "invoke": {
        "id": "reachSite",
        "src": "reachSite",
        "onDone": [
          {
            "guard": {
              "type": "isInOtherProject"
            },
            "target": "connect_wp_duplicate",
            "actions": {
              "type": "rememberSite"
            }
          },
          {
            "target": "connect_wp_login",
            "actions": {
              "type": "rememberSite"
            }
          }
        ],
        "onError": {
          "target": "connect_wp_url",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "connect_wp_duplicate": {
      "on": {
        "duplicate.accepted": "connect_wp_login",
        "address.reopened": {
          "target": "connect_wp_url",
          "actions": "forgetSite"
        },
        "preview.chosen": {
          "target": "taking_stock",
          "actions": "choosePreview"
        },
        "cancelled": {
          "target": "select_wp",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "connect_wp_login": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isLogin"
            },
            "target": "connect_wp_password",
            "actions": {
              "type": "rememberLogin"
            }
          },
          {
            "actions": "rejectAnswer"
          }
        ],
        "access.granted": {
          "guard": "offersGrant",
          "target": "taking_wp_grant",
          "actions": "tryAgain"
        },
        "address.reopened": {
          "target": "connect_wp_url",
          "actions": "forgetSite"
        },
        "preview.chosen": {
          "target": "taking_stock",
          "actions": "choosePreview"
        },
        "cancelled": {
          "target": "select_wp",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "taking_wp_grant": {
      "tags": "busy",
      "invoke": {
        "id": "takeGrant",
        "src": "takeGrant",
        "onDone": {
          "target": "validating_wp",
          "actions": {
            "type": "rememberGrant"
          }
        },
        "onError": {
          "target": "connect_wp_login",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "connect_wp_password": {
      "tags": "secret",
      "on": {
        "secret.received": [
          {
            "guard": {
              "type": "isApplicationPassword"
            },
            "target": "validating_wp",
            "actions": {
              "type": "rememberSecret"
            }
          },
          {
            "actions": "rejectAnswer"
          }
        ],
        "help.asked": {
          "actions": "showHelp"
        },
        "retried": {
          "guard": "hasSecret",
          "target": "validating_wp",
          "actions": "tryAgain"
        },
        "login.reopened": {
          "target": "checking_wp",
          "actions": "forgetSite"
        },
        "preview.chosen": {
          "target": "taking_stock",
          "actions": "choosePreview"
        },
        "cancelled": {
          "target": "select_wp",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "validating_wp": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "connectWordPress",
        "src": "connectWordPress",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberConnection"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isTooOften"
            },
            "target": "connect_wp_password",
            "actions": {
              "type": "rememberFailure"
            }
          },
          {
            "target": "connect_wp_password",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "select_category": {
      "always": [
        {
          "guard": "hasCategory",
          "target": "readiness_check"
        },
        {
          "guard": "hasNoCategories",
          "target": "create_category_name"
        }
      ],
      "on": {
        "topic.chosen": {
          "target": "taking_stock",
          "actions": {
            "type": "chooseTopic"
          }
        },
        "topic.added": {
          "target": "create_category_name",
          "actions": "beginAnew"
        },
        "site.reopened": {
          "target": "select_wp",
          "actions": "reopenSite"
        },
        "project.reopened": {
          "target": "select_project",
          "actions": "reopenProject"
        },
        "page.turned": {
          "actions": {
            "type": "turnPage"
          }
        },
        "resumed": "taking_stock",
        "cancelled": "left"
      }
    },
    "create_category_name": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isCategoryName"
            },
            "target": "saving_category",
            "actions": {
              "type": "rememberCategoryName"
            }
          },
          {
            "actions": {
              "type": "rejectCategoryName"
            }
          }
        ],
        "cancelled": [
          {
            "guard": "hasCategories",
            "target": "select_category",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "saving_category": {
      "tags": "busy",
      "invoke": {
        "id": "saveCategory",
        "src": "saveCategory",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberCategory"
          }
        },
        "onError": {
          "target": "category_unsaved",
          "actions": {
            "type": "rememberSaveFailure"
          }
        }
      }
    },
    "category_unsaved": {
      "on": {
        "retried": "saving_category",
        "cancelled": [
          {
            "guard": "hasCategories",
            "target": "select_category",
            "actions": "forgetAnswers"
          },
          {
            "target": "left"
          }
        ]
      }
    },
    "readiness_check": {
      "always": {
        "guard": "isReady",
        "target": "confirm_cost"
      },
      "on": {
        "phrases.automatic": [
          {
            "guard": "hasCity",
            "target": "readiness_keywords_generating",
            "actions": [
              {
                "type": "takeAutomatic",
                "params": {
                  "phrases": 100
                }
              },
              "takeCity",
              "beginKeywords"
            ]
          },
          {
            "target": "readiness_keywords_geo",
            "actions": {
              "type": "takeAutomatic",
              "params": {
                "phrases": 100
              }
            }
          }
        ],
        "phrases.described": {
          "target": "readiness_keywords_products",
          "actions": "askForQuantity"
        },
        "phrases.retried": {
          "guard": "hasAllAnswers",
          "target": "readiness_keywords_generating",
          "actions": "beginKeywords"
        },
        "checklist.passed": {
          "guard": "hasOffer",
          "target": "confirm_cost",
          "actions": "passChecklist"
        },
        "tokens.credited": "taking_stock",
        "topic.reopened": {
          "target": "select_category",
          "actions": "reopenTopic"
        },
        "phrases.sent": {
          "target": "readiness_keywords_upload",
          "actions": "openMaterial"
        },
        "description.wanted": {
          "target": "readiness_description",
          "actions": "openMaterial"
        },
        "prices.opened": {
          "target": "readiness_prices",
          "actions": "openMaterial"
        },
        "pictures.opened": {
          "guard": "hasOffer",
          "target": "configure_images",
          "actions": "openMaterial"
        },
        "resumed": "taking_stock",
        "cancelled": {
          "actions": "askToLeave"
        },
        "exit.declined": {
          "actions": "stay"
        }
      }
    },
    "readiness_keywords_products": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isProducts"
            },
            "target": "readiness_keywords_geo",
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
          "target": "readiness_keywords_geo",
          "actions": "takeCategoryName"
        },
        "answer.kept": {
          "guard": "hasProducts",
          "target": "readiness_keywords_geo",
          "actions": "keepAnswer"
        },
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "readiness_keywords_geo": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isGeography"
            },
            "target": "first_quantity",
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
          "target": "first_quantity",
          "actions": "takeCity"
        },
        "place.chosen": {
          "target": "first_quantity",
          "actions": {
            "type": "rememberGeography"
          }
        },
        "answer.kept": {
          "guard": "hasGeography",
          "target": "first_quantity",
          "actions": "keepAnswer"
        },
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "readiness_keywords_qty": {
      "on": {
        "quantity.chosen": {
          "guard": {
            "type": "isQuantity"
          },
          "target": "first_search",
          "actions": {
            "type": "rememberQuantity"
          }
        },
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "first_quantity": {
      "always": [
        {
          "guard": "hasQuantity",
          "target": "first_search"
        },
        {
          "target": "readiness_keywords_qty"
        }
      ]
    },
    "first_search": {
      "always": {
        "target": "readiness_keywords_generating",
        "actions": "beginKeywords"
      }
    },
    "readiness_keywords_generating": {
      "tags": "busy",
      "invoke": {
        "id": "generateKeywords",
        "src": "generateKeywords",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberKeywords"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isRefusal"
            },
            "target": "taking_stock",
            "actions": {
              "type": "rememberKeywordFailure"
            }
          },
          {
            "target": "taking_stock",
            "actions": {
              "type": "rememberKeywordFailure"
            }
          }
        ]
      },
      "on": {
        "progress.made": {
          "actions": {
            "type": "rememberKeywordStage"
          }
        },
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "readiness_keywords_upload": {
      "on": {
        "file.received": {
          "target": "readiness_keywords_reading",
          "actions": {
            "type": "takePhraseFile"
          }
        },
        "text.received": {
          "target": "readiness_keywords_reading",
          "actions": {
            "type": "takePhraseText"
          }
        },
        "resumed": "taking_stock",
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "readiness_keywords_reading": {
      "tags": "busy",
      "invoke": {
        "id": "uploadKeywords",
        "src": "uploadKeywords",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberUpload"
          }
        },
        "onError": {
          "target": "readiness_keywords_upload",
          "actions": {
            "type": "rememberUploadFailure"
          }
        }
      },
      "on": {
        "progress.made": {
          "actions": {
            "type": "rememberUploadStage"
          }
        },
        "work.delayed": {
          "actions": "rememberDelay"
        }
      }
    },
    "readiness_description": {
      "on": {
        "cost.accepted": {
          "target": "readiness_description_generating",
          "actions": "beginDescription"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "text.received": [
          {
            "guard": {
              "type": "isDescription"
            },
            "target": "readiness_description_saving",
            "actions": {
              "type": "takeOwnDescription"
            }
          },
          {
            "actions": {
              "type": "rejectOwnDescription"
            }
          }
        ],
        "resumed": "taking_stock",
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "readiness_description_generating": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "writeDescription",
        "src": "writeDescription",
        "onDone": {
          "target": "readiness_description_review",
          "actions": {
            "type": "rememberDescription"
          }
        },
        "onError": {
          "target": "readiness_description",
          "actions": {
            "type": "rememberDescriptionFailure"
          }
        }
      }
    },
    "readiness_description_review": {
      "on": {
        "draft.approved": {
          "target": "readiness_description_saving",
          "actions": "takeDescription"
        },
        "draft.declined": {
          "target": "readiness_description_regenerating",
          "actions": "beginDescription"
        },
        "tokens.credited": {
          "guard": "lacksTokens",
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "readiness_description_regenerating": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberDelay"
        }
      },
      "invoke": {
        "id": "writeDescription",
        "src": "writeDescription",
        "onDone": {
          "target": "readiness_description_review",
          "actions": {
            "type": "rememberDescription"
          }
        },
        "onError": {
          "target": "readiness_description_review",
          "actions": {
            "type": "rememberDescriptionFailure"
          }
        }
      }
    },
    "readiness_description_saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveDescription",
        "src": "saveDescription",
        "onDone": {
          "target": "taking_stock",
          "actions": "settleDescription"
        },
        "onError": {
          "target": "first_unsaved",
          "actions": {
            "type": "rememberDescriptionFailure"
          }
        }
      }
    },
    "first_unsaved": {
      "always": [
        {
          "guard": "isDescriptionWritten",
          "target": "readiness_description_review"
        },
        {
          "target": "readiness_description"
        }
      ]
    },
    "readiness_prices": {
      "on": {
        "text.received": {
          "target": "readiness_prices_reading",
          "actions": {
            "type": "takePriceText"
          }
        },
        "file.received": {
          "target": "readiness_prices_reading",
          "actions": {
            "type": "takePriceFile"
          }
        },
        "resumed": "taking_stock",
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
    },
    "readiness_prices_reading": {
      "tags": "busy",
      "invoke": {
        "id": "savePrices",
        "src": "savePrices",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberPrices"
          }
        },
        "onError": {
          "target": "readiness_prices",
          "actions": {
            "type": "rememberPriceFailure"
          }
        }
      }
    },
    "configure_images": {
      "on": {
        "pictures.set": {
          "guard": {
            "type": "isPictureCount"
          },
          "target": "readiness_check",
          "actions": {
            "type": "setPictures"
          }
        },
        "resumed": "taking_stock",
        "cancelled": {
          "target": "readiness_check",
          "actions": "forgetAnswers"
        }
      }
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
        "checklist.opened": {
          "target": "readiness_check",
          "actions": "openChecklist"
        },
        "project.reopened": {
          "target": "select_project",
          "actions": "reopenProject"
        },
        "topic.reopened": {
          "target": "select_category",
          "actions": "reopenTopic"
        },
        "resumed": "taking_stock",
        "cancelled": {
          "actions": "askToLeave"
        },
        "exit.declined": {
          "actions": "stay"
        }
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
        },
        "resumed": "taking_stock"
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
        },
        "resumed": "taking_stock"
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
        "cancelled": {
          "target": "confirm_cost",
          "actions": "forgetPhrases"
        },
        "resumed": "taking_stock"
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
        },
        "site.added": [
          {
            "guard": "hasOwnSite",
            "target": "checking_wp",
            "actions": [
              "beginConnecting",
              "takeOwnSite"
            ]
          },
          {
            "target": "connect_wp_url",
            "actions": "beginConnecting"
          }
        ],
        "resumed": "taking_stock"
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
    },
    "left": {
      "type": "final"
    }
  }
}, { guards });
