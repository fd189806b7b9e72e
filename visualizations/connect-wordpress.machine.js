import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isReconnecting": () => false,
  "isAddress": () => true,
  "hasOwnSite": () => true,
  "hasAddress": () => true,
  "isInOtherProject": () => true,
  "isLogin": () => true,
  "offersGrant": () => true,
  "isApplicationPassword": () => true,
  "hasSecret": () => true,
  "isTooOften": () => true,
};

export const machine = createMachine({
  "id": "ConnectWordPress",
  "initial": "first_step",
  "states": {
    "first_step": {
      "always": [
        {
          "guard": "isReconnecting",
          "target": "checking_url",
          "actions": "rememberKnownUrl"
        },
        {
          "target": "url"
        }
      ]
    },
    "url": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isAddress"
            },
            "target": "checking_url",
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
          "target": "checking_url",
          "actions": "takeOwnSite"
        },
        "retried": {
          "guard": "hasAddress",
          "target": "checking_url",
          "actions": "tryAgain"
        },
        "cancelled": "cancelled"
      }
    },
    "checking_url": {
      "tags": "busy",
      "invoke": {
        "id": "reachSite",
        "src": "reachSite",
        "onDone": [
          {
            "guard": {
              "type": "isInOtherProject"
            },
            "target": "confirm_duplicate",
            "actions": {
              "type": "rememberSite"
            }
          },
          {
            "target": "login",
            "actions": {
              "type": "rememberSite"
            }
          }
        ],
        "onError": {
          "target": "url",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "confirm_duplicate": {
      "on": {
        "duplicate.accepted": "login",
        "address.reopened": {
          "target": "url",
          "actions": "forgetSite"
        },
        "cancelled": "cancelled"
      }
    },
    "login": {
      "on": {
        "text.received": [
          {
            "guard": {
              "type": "isLogin"
            },
            "target": "password",
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
          "target": "taking_grant",
          "actions": "tryAgain"
        },
        "address.reopened": {
          "target": "url",
          "actions": "forgetSite"
        },
        "cancelled": "cancelled"
      }
    },
    "taking_grant": {
      "tags": "busy",
      "invoke": {
        "id": "takeGrant",
        "src": "takeGrant",
        "onDone": {
          "target": "validate_connection",
          "actions": {
            "type": "rememberGrant"
          }
        },
        "onError": {
          "target": "login",
          "actions": {
            "type": "rememberFailure"
          }
        }
      }
    },
    "password": {
      "tags": "secret",
      "on": {
        "secret.received": [
          {
            "guard": {
              "type": "isApplicationPassword"
            },
            "target": "validate_connection",
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
          "target": "validate_connection",
          "actions": "tryAgain"
        },
        "login.reopened": {
          "target": "checking_url",
          "actions": "forgetSite"
        },
        "cancelled": "cancelled"
      }
    },
    "validate_connection": {
      "tags": [
        "busy",
        "secret"
      ],
      "invoke": {
        "id": "connectWordPress",
        "src": "connectWordPress",
        "onDone": {
          "target": "connected",
          "actions": {
            "type": "rememberConnection"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isTooOften"
            },
            "target": "password",
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
    "connected": {
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
