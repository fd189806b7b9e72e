import { createMachine } from "xstate";

// Here a chart has no data to decide by. Turn a claim over to see the other way.
const guards = {
  "isDay": () => true,
  "hasDay": () => true,
  "isCount": () => true,
  "fitsCount": () => true,
  "hasAllTimes": () => true,
};

export const machine = createMachine({
  "id": "ScheduleSetup",
  "initial": "select_days",
  "states": {
    "select_days": {
      "on": {
        "day.ticked": {
          "guard": {
            "type": "isDay"
          },
          "actions": {
            "type": "tickDay"
          }
        },
        "days.chosen": [
          {
            "guard": "hasDay",
            "target": "select_count",
            "actions": "forgetMisfit"
          },
          {
            "actions": "rejectDays"
          }
        ],
        "cancelled": "cancelled"
      }
    },
    "select_count": {
      "on": {
        "count.chosen": {
          "guard": {
            "type": "isCount"
          },
          "target": "select_times",
          "actions": {
            "type": "rememberCount"
          }
        },
        "returned": "select_days",
        "cancelled": "cancelled"
      }
    },
    "select_times": {
      "on": {
        "time.ticked": [
          {
            "guard": {
              "type": "fitsCount"
            },
            "actions": {
              "type": "tickTime"
            }
          },
          {
            "actions": "rejectTimes"
          }
        ],
        "times.chosen": [
          {
            "guard": "hasAllTimes",
            "target": "saving"
          },
          {
            "actions": "rejectTimes"
          }
        ],
        "returned": {
          "target": "select_count",
          "actions": "forgetMisfit"
        },
        "cancelled": "cancelled"
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "saveSchedule",
        "src": "saveSchedule",
        "onDone": "saved",
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
        "cancelled": "cancelled"
      }
    },
    "saved": {
      "type": "final"
    },
    "cancelled": {
      "type": "final"
    }
  }
}, { guards });
