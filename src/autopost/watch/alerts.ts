import type { Condition } from '../store/conditions.ts';
import type { ToldAlert, ToldAlerts } from '../store/told-alerts.ts';
import { type AlertKind, alertKinds, alertText, type News } from './alert-texts.ts';

/** Sends a message to the administrator. */
export type Tell = (text: string) => Promise<void>;

type AlertRule = {
  /** Worth telling above this. */
  over: number;
  /** An unchanged alert is repeated after an hour: it still waits for a person. */
  reminds: boolean;
};

export type AlertRules = Readonly<Record<AlertKind, AlertRule>>;

const alertRules: AlertRules = {
  dead: { over: 0, reminds: false },
  expired: { over: 0, reminds: false },
  unknown: { over: 0, reminds: true },
  failing: { over: 10, reminds: true },
  disabled: { over: 0, reminds: false },
  paused: { over: 3, reminds: true },
  cooling: { over: 0, reminds: false },
  outage: { over: 0, reminds: true },
  pull: { over: 0, reminds: true },
  unpostable: { over: 0, reminds: false },
  orphans: { over: 0, reminds: false },
};

type Deps = {
  told: ToldAlerts;
  tell: Tell;
  rules?: AlertRules;
  remindAfterMs?: number;
};

/** Only growth by this factor is told again: a flood of a thousand makes ten alerts, not a thousand. */
const MUCH_MORE = 2;
const LONGEST_TEXT = 4000;

/**
 * Tells what is new among the conditions of these kinds, and what is over. One caller at a time: the watchman's jobs see
 * to that. Kept only when it was told: an alert may come twice after a crash at the worst moment, none is lost.
 */
export function makeReportConditions({ told, tell, rules = alertRules, remindAfterMs = 3_600_000 }: Deps) {
  return async (found: Partial<Record<AlertKind, readonly Condition[]>>): Promise<{ told: number }> => {
    const before = await told.list();
    const news = alertKinds.flatMap(newsOf);
    const concerned = new Map(news.map(({ workspace }) => [workspace.id, workspace]));
    for (const workspace of concerned.values()) {
      const its = news.filter(({ workspace: { id } }) => id === workspace.id);
      await tell(alertText(workspace, its).slice(0, LONGEST_TEXT).toWellFormed());
      for (const { kind, condition } of its) {
        if (condition) await told.keep({ ...condition, condition: kind });
        else await told.forget({ workspaceId: workspace.id, condition: kind });
      }
    }
    return { told: concerned.size };

    function newsOf(kind: AlertKind): (News & { workspace: { id: string; name: string } })[] {
      const conditions = found[kind];
      if (conditions === undefined) return [];
      const known = before.filter(({ condition }) => condition === kind);
      const worse = conditions
        .filter((condition) => isNews(rules[kind], condition, known.find(sameWorkspace(condition))))
        .map((condition) => ({ kind, condition, workspace: nameOf(condition) }));
      const over = known
        .filter((one) => isCalm(rules[kind], conditions.find(sameWorkspace(one))))
        .map((one) => ({ kind, condition: null, workspace: nameOf(one) }));
      return [...worse, ...over];
    }
  };

  function isNews({ over, reminds }: AlertRule, now: Condition, last: ToldAlert | undefined): boolean {
    if (now.amount <= over) return false;
    if (!last || now.amount >= last.amount * MUCH_MORE) return true;
    return last.agoMs >= remindAfterMs && (reminds || (now.newestAt ?? 0) > (last.newestAt ?? 0));
  }
}

/** Well below the limit: an amount near it would be reported again and again. */
const isCalm = ({ over }: AlertRule, now: Condition | undefined): boolean => (now?.amount ?? 0) <= over / 2;

type OfWorkspace = { workspaceId: string; workspaceName: string };
const nameOf = ({ workspaceId, workspaceName }: OfWorkspace) => ({ id: workspaceId, name: workspaceName });
const sameWorkspace =
  (one: OfWorkspace) =>
  ({ workspaceId }: OfWorkspace): boolean =>
    workspaceId === one.workspaceId;
