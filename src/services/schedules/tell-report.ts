import type { Json } from '../../engine/json.ts';
import type { Screen } from '../../screens/kit/screen.ts';
import type { JobHandler } from '../../store/jobs.ts';
import type { Told } from '../notify/tell-person.ts';
import type { RunPlace } from './desk.ts';
import type { RunReport } from './run-slot.ts';

export const REPORT_RUN = 'report-run';

export type RunToTell = { schedule: RunPlace; report: RunReport };

type Deps = {
  /** Null: nothing that its owner would want to hear. */
  screenOf(told: RunToTell, isRepeat: boolean): Screen | null;
  tell(userId: number, screen: Screen): Promise<Told>;
};

/**
 * Brings the report of a run. Sending is noted before it is tried: a process that died in between leaves it open whether
 * the person has the message. Good news is not sent on a guess, it stands in the list of publications; what returns
 * tokens or waits for a decision is, and says that it may be a repeat. A messenger that asks to wait is tried again.
 */
export const makeTellReport =
  ({ screenOf, tell }: Deps): JobHandler =>
  async ({ userId, payload }, { stage, known }): Promise<Json> => {
    const told = payload as RunToTell;
    let turn = 0;
    while (known(`refused:${turn}`) !== undefined) turn += 1;
    const isRepeat = known(`sending:${turn}`) !== undefined;
    const screen = screenOf(told, isRepeat);
    if (!screen || (isRepeat && isGoodNews(told.report))) return 'not sent';
    await stage(`sending:${turn}`, async () => null);
    const answer = await tell(userId!, screen);
    if (typeof answer === 'string') return answer;
    await stage(`refused:${turn}`, async () => null);
    throw new Error('the messenger asks to wait');
  };

const isGoodNews = (report: RunReport): boolean => report.status === 'ok' && report.kind === 'published';
