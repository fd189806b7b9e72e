import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "hasSpecialization": () => false,
  "hasCompanyName": () => false,
  "hasName": () => false,
  "isName": () => true,
  "isCompanyName": () => true,
  "isSpecialization": () => true,
  "isWebsite": () => true,
  "hasAnsweredAll": () => true,
};

export const machine = createMachine({
  "id": "ProjectCreate",
  "initial": "first_unanswered",
  "states": {
    "first_unanswered": {
      "always": [
        {
          "guard": "hasSpecialization",
          "target": "website_url"
        },
        {
          "guard": "hasCompanyName",
          "target": "specialization"
        },
        {
          "guard": "hasName",
          "target": "company_name"
        },
        {
          "target": "name"
        }
      ]
    },
    "name": {
      "on": {
        "text.received": [
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
        "paused": "pausing",
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
        "paused": "pausing",
        "cancelled": "cancelled"
      }
    },
    "specialization": {
      "on": {
        "text.received": [
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
        "paused": "pausing",
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
        "paused": "pausing",
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
            "type": "rememberFailure"
          }
        }
      }
    },
    "save_failed": {
      "on": {
        "retried": "saving",
        "paused": "pausing",
        "cancelled": "cancelled"
      }
    },
    "pausing": {
      "tags": "busy",
      "invoke": {
        "id": "keepProjectAnswers",
        "src": "keepProjectAnswers",
        "onDone": "paused",
        "onError": [
          {
            "guard": "hasAnsweredAll",
            "target": "save_failed",
            "actions": {
              "type": "rememberFailure"
            }
          },
          {
            "target": "first_unanswered",
            "actions": {
              "type": "rememberFailure"
            }
          }
        ]
      }
    },
    "created": {
      "type": "final"
    },
    "paused": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
