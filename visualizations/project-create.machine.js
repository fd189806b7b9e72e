import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isSite": () => true,
  "isName": () => true,
  "hasUnreadSite": () => true,
  "isCompanyName": () => true,
  "isLastAnswer": () => true,
  "isSpecialization": () => true,
  "isWebsite": () => true,
  "isCardField": () => true,
  "isCardTopic": () => true,
  "fitsCard": () => true,
  "isFieldOptional": () => true,
};

export const machine = createMachine({
  "id": "ProjectCreate",
  "initial": "name",
  "states": {
    "name": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isSite"
            },
            "target": "reading_site",
            "actions": {
              "type": "takeSite"
            }
          },
          {
            "guard": {
              "type": "isName"
            },
            "target": "company_name",
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
          "target": "reading_site",
          "actions": "readAgain"
        },
        "cancelled": "cancelled"
      }
    },
    "company_name": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isCompanyName"
            },
            "target": "specialization",
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
        "cancelled": "cancelled"
      }
    },
    "specialization": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isLastAnswer"
            },
            "target": "saving",
            "actions": {
              "type": "rememberSpecialization"
            }
          },
          {
            "guard": {
              "type": "isSpecialization"
            },
            "target": "website_url",
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
        "cancelled": "cancelled"
      }
    },
    "website_url": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isWebsite"
            },
            "target": "saving",
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
          "target": "saving",
          "actions": "skipWebsite"
        },
        "cancelled": "cancelled"
      }
    },
    "reading_site": {
      "tags": "busy",
      "invoke": {
        "id": "readSite",
        "src": "readSite",
        "onDone": {
          "target": "site_card",
          "actions": {
            "type": "rememberCard"
          }
        },
        "onError": {
          "target": "name",
          "actions": {
            "type": "rememberUnread"
          }
        }
      }
    },
    "site_card": {
      "on": {
        "card.saved": "saving",
        "card.field_opened": {
          "guard": {
            "type": "isCardField"
          },
          "target": "card_field",
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
          "target": "name",
          "actions": "declineCard"
        },
        "cancelled": "cancelled"
      }
    },
    "card_field": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "fitsCard"
            },
            "target": "site_card",
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
          "target": "site_card",
          "actions": "clearCardField"
        },
        "card.resumed": {
          "target": "site_card",
          "actions": "closeCardField"
        },
        "cancelled": "cancelled"
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveProject",
        "src": "saveProject",
        "onDone": {
          "target": "created",
          "actions": {
            "type": "rememberProject"
          }
        },
        "onError": {
          "target": "save_failed",
          "actions": {
            "type": "rememberSaveFailure"
          }
        }
      }
    },
    "save_failed": {
      "on": {
        "retried": "saving",
        "cancelled": "cancelled"
      }
    },
    "created": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
