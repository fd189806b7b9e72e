import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isCrossPost": () => false,
  "isDraftGone": () => true,
  "isAnswerAwaited": () => true,
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
  "hasChannel": () => false,
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
  "isVkKey": () => true,
  "hasVkKey": () => true,
  "isKeyOfOneGroup": () => false,
  "isGroup": () => true,
  "isOwnConsent": () => true,
  "isConsentOver": () => true,
  "isBoard": () => true,
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
  "isFreeVersion": () => true,
  "isFreeWish": () => true,
  "isWish": () => true,
  "isPostExpired": () => true,
  "isAnswerLost": () => true,
  "hasTicked": () => true,
  "hasNextTarget": () => false,
};

export const machine = createMachine({
  "id": "SocialPipeline",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "isCrossPost",
          "target": "cross_post_planning"
        },
        {
          "target": "taking_stock"
        }
      ]
    },
    "taking_stock": {
      "tags": "busy",
      "invoke": {
        "id": "takePostStock",
        "src": "takePostStock",
        "onDone": [
          {
            "guard": {
              "type": "isDraftGone"
            },
            "target": "expired"
          },
          {
            "guard": {
              "type": "isAnswerAwaited"
            },
            "target": "publish_unknown",
            "actions": [
              {
                "type": "rememberStock"
              },
              "forgetAnswers"
            ]
          },
          {
            "guard": {
              "type": "isDraftThere"
            },
            "target": "review",
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
          "target": "select_connection"
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
    "select_connection": {
      "always": {
        "guard": "hasChannel",
        "target": "select_category"
      },
      "on": {
        "channel.chosen": {
          "target": "taking_stock",
          "actions": {
            "type": "chooseChannel"
          }
        },
        "messenger.added": {
          "target": "connect_tg_channel",
          "actions": [
            {
              "type": "askForChannel"
            },
            {
              "type": "lendKeys"
            }
          ]
        },
        "vk.added": {
          "target": "connect_vk_token",
          "actions": [
            "forgetAnswers",
            "askForVk"
          ]
        },
        "pinterest.added": {
          "target": "opening_pinterest",
          "actions": [
            "forgetAnswers",
            "askForPinterest"
          ]
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
    "connect_tg_channel": {
      "on": {
        "chat.shared": {
          "guard": {
            "type": "isAnswerOfChooser"
          },
          "target": "connect_tg_verify",
          "actions": {
            "type": "rememberSharedChat"
          }
        },
        "text.received": [
          {
            "guard": {
              "type": "isChannel"
            },
            "target": "connect_tg_token",
            "actions": {
              "type": "rememberChannel"
            }
          },
          {
            "guard": {
              "type": "isLinkWithoutNumber"
            },
            "target": "connect_tg_token",
            "actions": "searchForChat"
          },
          {
            "actions": "rejectChannel"
          }
        ],
        "chat.unknown": {
          "guard": "canBeFound",
          "target": "connect_tg_token",
          "actions": "searchForChat"
        },
        "retried": {
          "guard": "canRepeatOwn",
          "target": "connect_tg_verify",
          "actions": "tryChannelAgain"
        },
        "resumed": {
          "actions": "askChannelAnew"
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure",
            "returnKeys"
          ]
        }
      }
    },
    "connect_tg_token": {
      "tags": "secret",
      "on": {
        "secret.received": [
          {
            "guard": {
              "type": "isBotTokenOfLostChat"
            },
            "target": "connect_tg_search",
            "actions": {
              "type": "rememberBotToken"
            }
          },
          {
            "guard": {
              "type": "isBotToken"
            },
            "target": "connect_tg_verify",
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
          "target": "connect_tg_verify",
          "actions": {
            "type": "rememberSharedChat"
          }
        },
        "retried": [
          {
            "guard": "hasBotToken",
            "target": "connect_tg_verify",
            "actions": "tryChannelAgain"
          },
          {
            "guard": "hasBotTokenOfLostChat",
            "target": "connect_tg_search",
            "actions": "tryChannelAgain"
          }
        ],
        "channel.changed": {
          "target": "connect_tg_channel",
          "actions": "forgetChannel"
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure",
            "returnKeys"
          ]
        }
      }
    },
    "connect_tg_search": {
      "tags": [
        "busy",
        "secret"
      ],
      "on": {
        "channel.changed": {
          "target": "connect_tg_channel",
          "actions": "forgetChannel"
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure",
            "returnKeys"
          ]
        }
      },
      "invoke": {
        "id": "awaitChat",
        "src": "awaitChat",
        "onDone": {
          "target": "connect_tg_verify",
          "actions": {
            "type": "rememberFoundChat"
          }
        },
        "onError": {
          "target": "connect_tg_token",
          "actions": {
            "type": "rememberRefusal"
          }
        }
      }
    },
    "connect_tg_verify": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "connectChannel",
        "src": "connectChannel",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberConnection"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isTaken"
            },
            "target": "select_connection",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "guard": "isOwnBot",
            "target": "connect_tg_channel",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "connect_tg_token",
            "actions": {
              "type": "rememberRefusal"
            }
          }
        ]
      }
    },
    "connect_vk_token": {
      "tags": "secret",
      "on": {
        "secret.received": [
          {
            "guard": {
              "type": "isVkKey"
            },
            "target": "reading_vk_key",
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
          "target": "reading_vk_key"
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "reading_vk_key": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "readVkKey",
        "src": "readVkKey",
        "onDone": {
          "target": "connect_vk_group",
          "actions": {
            "type": "rememberVkGroups"
          }
        },
        "onError": {
          "target": "connect_vk_token",
          "actions": {
            "type": "rememberRefusal"
          }
        }
      }
    },
    "connect_vk_group": {
      "always": {
        "guard": "isKeyOfOneGroup",
        "target": "connecting_vk",
        "actions": "takeOnlyGroup"
      },
      "on": {
        "group.chosen": {
          "guard": {
            "type": "isGroup"
          },
          "target": "connecting_vk",
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
          "target": "connect_vk_token",
          "actions": "forgetVkKey"
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "connecting_vk": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "connectVk",
        "src": "connectVk",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberConnection"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isTaken"
            },
            "target": "select_connection",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "guard": "isKeyOfOneGroup",
            "target": "connect_vk_token",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "connect_vk_group",
            "actions": {
              "type": "rememberRefusal"
            }
          }
        ]
      }
    },
    "opening_pinterest": {
      "tags": "busy",
      "invoke": {
        "id": "offerConsent",
        "src": "offerConsent",
        "onDone": {
          "target": "connect_pinterest_oauth",
          "actions": {
            "type": "rememberConsent"
          }
        },
        "onError": {
          "target": "select_connection",
          "actions": {
            "type": "rememberRefusal"
          }
        }
      }
    },
    "connect_pinterest_oauth": {
      "on": {
        "access.granted": {
          "guard": {
            "type": "isOwnConsent"
          },
          "target": "reading_pinterest_boards"
        },
        "access.refused": {
          "guard": {
            "type": "isOwnConsent"
          },
          "target": "select_connection",
          "actions": {
            "type": "rememberNoConsent"
          }
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "reading_pinterest_boards": {
      "tags": "busy",
      "invoke": {
        "id": "takeConsent",
        "src": "takeConsent",
        "onDone": {
          "target": "connect_pinterest_board",
          "actions": {
            "type": "rememberBoards"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isConsentOver"
            },
            "target": "select_connection",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "connect_pinterest_board",
            "actions": {
              "type": "rememberRefusal"
            }
          }
        ]
      }
    },
    "connect_pinterest_board": {
      "on": {
        "board.chosen": {
          "guard": {
            "type": "isBoard"
          },
          "target": "connecting_pinterest",
          "actions": {
            "type": "rememberBoard"
          }
        },
        "page.turned": {
          "actions": {
            "type": "turnBoardPage"
          }
        },
        "retried": {
          "target": "reading_pinterest_boards"
        },
        "cancelled": {
          "target": "select_connection",
          "actions": [
            "forgetAnswers",
            "forgetFailure"
          ]
        }
      }
    },
    "connecting_pinterest": {
      "tags": "busy",
      "invoke": {
        "id": "connectPinterest",
        "src": "connectPinterest",
        "onDone": {
          "target": "taking_stock",
          "actions": {
            "type": "rememberConnection"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isTaken"
            },
            "target": "select_connection",
            "actions": {
              "type": "rememberRefusal"
            }
          },
          {
            "target": "connect_pinterest_board",
            "actions": {
              "type": "rememberRefusal"
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
        "channel.reopened": {
          "target": "select_connection",
          "actions": "reopenChannel"
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
                  "phrases": 50
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
                "phrases": 50
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
        "channel.reopened": {
          "target": "select_connection",
          "actions": "reopenChannel"
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
        },
        "resumed": "taking_stock"
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
        "cancelled": "undecided"
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
    "cross_post_planning": {
      "tags": "busy",
      "invoke": {
        "id": "planCrossPost",
        "src": "planCrossPost",
        "onDone": {
          "target": "cross_post_targets",
          "actions": {
            "type": "rememberPlan"
          }
        },
        "onError": {
          "target": "cross_post_impossible",
          "actions": {
            "type": "rememberCrossFailure"
          }
        }
      }
    },
    "cross_post_targets": {
      "on": {
        "target.marked": {
          "actions": {
            "type": "markTarget"
          }
        },
        "targets.accepted": {
          "guard": "hasTicked",
          "target": "cross_post_adapting",
          "actions": "beginCrossWork"
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "resumed": "cross_post_planning",
        "cancelled": "cross_posted"
      }
    },
    "cross_post_adapting": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberPostDelay"
        }
      },
      "invoke": {
        "id": "adaptPost",
        "src": "adaptPost",
        "onDone": {
          "target": "cross_post_review",
          "actions": {
            "type": "rememberAdapted"
          }
        },
        "onError": {
          "target": "cross_post_failed",
          "actions": {
            "type": "rememberCrossFailure"
          }
        }
      }
    },
    "cross_post_review": {
      "on": {
        "draft.approved": {
          "target": "cross_post_publishing",
          "actions": "beginCrossWork"
        },
        "text.received": {
          "target": "cross_post_saving",
          "actions": [
            "beginCrossWork",
            {
              "type": "rememberOwnText"
            }
          ]
        },
        "target.skipped": {
          "target": "cross_post_returning",
          "actions": "beginCrossWork"
        },
        "cancelled": {
          "target": "cross_post_returning",
          "actions": [
            "beginCrossWork",
            "endCrossing"
          ]
        }
      }
    },
    "cross_post_saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveCrossPostText",
        "src": "savePostText",
        "onDone": {
          "target": "cross_post_review",
          "actions": {
            "type": "rememberAdapted"
          }
        },
        "onError": {
          "target": "cross_post_review",
          "actions": {
            "type": "rememberCrossFailure"
          }
        }
      }
    },
    "cross_post_publishing": {
      "tags": "busy",
      "on": {
        "work.delayed": {
          "actions": "rememberPostDelay"
        }
      },
      "invoke": {
        "id": "publishCrossPost",
        "src": "publishPost",
        "onDone": [
          {
            "guard": {
              "type": "isAnswerLost"
            },
            "target": "cross_post_unknown",
            "actions": {
              "type": "rememberCrossDoubt"
            }
          },
          {
            "target": "first_cross_post",
            "actions": {
              "type": "noteSent"
            }
          }
        ],
        "onError": [
          {
            "guard": {
              "type": "isPostExpired"
            },
            "target": "cross_post_failed",
            "actions": {
              "type": "rememberCrossFailure"
            }
          },
          {
            "target": "cross_post_refunding",
            "actions": {
              "type": "rememberCrossFailure"
            }
          }
        ]
      }
    },
    "cross_post_refunding": {
      "tags": "busy",
      "invoke": {
        "id": "refundCrossPost",
        "src": "cancelPost",
        "onDone": {
          "target": "cross_post_failed",
          "actions": {
            "type": "rememberCrossRefund"
          }
        },
        "onError": {
          "target": "cross_post_review",
          "actions": {
            "type": "rememberCrossFailure"
          }
        }
      }
    },
    "cross_post_failed": {
      "on": {
        "retried": {
          "target": "cross_post_adapting",
          "actions": [
            "beginCrossWork",
            "countCrossAttempt"
          ]
        },
        "target.skipped": {
          "target": "first_cross_post",
          "actions": [
            "beginCrossWork",
            "noteFailed"
          ]
        },
        "tokens.credited": {
          "actions": {
            "type": "rememberBalance"
          }
        },
        "cancelled": {
          "target": "cross_posted",
          "actions": [
            "beginCrossWork",
            "noteFailed"
          ]
        }
      }
    },
    "cross_post_unknown": {
      "on": {
        "post.seen": {
          "target": "cross_post_confirming",
          "actions": "beginCrossWork"
        },
        "draft.approved": {
          "target": "cross_post_publishing",
          "actions": "beginCrossWork"
        },
        "post.missed": {
          "target": "cross_post_returning",
          "actions": "beginCrossWork"
        },
        "target.skipped": {
          "target": "first_cross_post",
          "actions": [
            "beginCrossWork",
            "noteUnknown"
          ]
        },
        "cancelled": {
          "target": "cross_posted",
          "actions": [
            "beginCrossWork",
            "noteUnknown"
          ]
        }
      }
    },
    "cross_post_confirming": {
      "tags": "busy",
      "invoke": {
        "id": "confirmCrossPost",
        "src": "confirmPost",
        "onDone": {
          "target": "first_cross_post",
          "actions": {
            "type": "noteSent"
          }
        },
        "onError": {
          "target": "cross_post_unknown",
          "actions": {
            "type": "rememberCrossFailure"
          }
        }
      }
    },
    "cross_post_returning": {
      "tags": "busy",
      "invoke": {
        "id": "returnCrossPost",
        "src": "cancelPost",
        "onDone": {
          "target": "first_cross_post",
          "actions": "noteSkipped"
        },
        "onError": {
          "target": "cross_post_review",
          "actions": {
            "type": "rememberCrossFailure"
          }
        }
      }
    },
    "first_cross_post": {
      "always": [
        {
          "guard": "hasNextTarget",
          "target": "cross_post_adapting"
        },
        {
          "target": "cross_posted"
        }
      ]
    },
    "cross_posted": {
      "type": "final"
    },
    "cross_post_impossible": {
      "type": "final"
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
    "undecided": {
      "type": "final"
    },
    "left": {
      "type": "final"
    }
  }
}, { guards });
