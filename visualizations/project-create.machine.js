import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isName": () => true,
  "isCompanyName": () => true,
  "isSpecialization": () => true,
  "isWebsite": () => true,
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
