import type { RunStage } from '../../engine/operations.ts';
import { AppError, DeliveryFailed, OperationLost } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isDatabaseAway } from '../../store/database-away.ts';
import type { ScheduleStore } from '../../store/schedules.ts';
import { PaidWorkFailed } from '../money/paid-work.ts';
import type { Use } from '../quality/choose-cluster.ts';
import type { Desk, Published, RunOffer, RunPlace, Written } from './desk.ts';

/** Which slot of which schedule; the second try after all models were away is a run of its own. */
export type Slot = { scheduleId: number; at: number; isSecondTry: boolean };

/** How a run ended, for the answer to its caller and for the person. */
export type RunReport =
  | ({
      status: 'ok';
      kind: 'published';
      url: string | null;
      left: number;
      warnings?: readonly string[];
    } & About)
  | ({ status: 'ok'; kind: 'waiting'; draftId: number } & About)
  | ({ status: 'ok'; kind: 'unknown'; draftId: number; placeUrl: string | null } & About)
  | {
      status: 'skipped';
      reason: SkipReason;
      needed?: number;
      balance?: number;
      isStopped?: boolean;
      /** Unix ms: the slot that was missed. */
      at?: number;
    }
  | ({
      status: 'error';
      reason: 'content_validation_failed' | 'generation_failed' | 'ai_service_unavailable' | 'publish_failed';
      why: string;
      refunded: number;
      /** E55: it has switched the schedule off. */
      isStopped: boolean;
      isAgainInAnHour: boolean;
    } & Pick<About, 'phrase'>);

type SkipReason =
  | 'schedule_disabled'
  | 'no_keywords'
  | 'no_available_keyword'
  | 'connection_inactive'
  | 'insufficient_balance'
  | 'missed';

type About = Pick<RunOffer, 'phrase' | 'reused' | 'few'> &
  Pick<Written, 'title' | 'spent' | 'images' | 'imagesWanted'>;

/** A refusal is as final as a publication: `isPlatform` counts toward E55. */
type Sent = Published | { outcome: 'refused'; isPlatform: boolean; why: string };

const MOST_FAILURES = 3;

type Deps = {
  store: Pick<ScheduleStore, 'find'>;
  /** Ends a row of failures; once per key. */
  noteSuccess(key: string, schedule: RunPlace): Promise<void>;
  /** How many failures of the platform have followed one another; counted once per key. Null: the schedule is gone. */
  countFailure(key: string, schedule: RunPlace): Promise<number | null>;
  connectionStatus(userId: number, connectionId: number): Promise<string | null>;
  /** Where its owner can look at the site or channel; null: not known. */
  placeUrl(userId: number, connectionId: number): Promise<string | null>;
  deskOf(schedule: RunPlace): Desk;
  /** Which phrase its owner wants for this slot; null: the next in turn. */
  plannedPhrase(scheduleId: number, at: number): Promise<string | null>;
  /** What owners have chosen for later slots of the project: the rotation leaves it to them. */
  heldPhrases(scheduleId: number, at: number): Promise<Use[]>;
  switchOff(scheduleId: number, why: { status?: 'error'; pausedFor?: 'tokens' }): Promise<void>;
  /** Once more in an hour. */
  callAgain(schedule: RunPlace, at: number): Promise<void>;
  balanceOf(userId: number): Promise<number | null>;
  /** Told once per key; what cannot be told now is told later. */
  report(key: string, schedule: RunPlace, report: RunReport): Promise<void>;
  log: Log;
};

/**
 * One slot of a schedule, from the check to the report, as stages of one keyed operation: a run that died goes on behind
 * its last finished stage, and a second trigger of the same slot gets the first one's report.
 */
export const makeRunSlot =
  (deps: Deps) =>
  async (
    { scheduleId, at, isSecondTry }: Slot,
    { key, stage, signal }: { key: string; stage: RunStage; signal: AbortSignal },
  ): Promise<RunReport> => {
    // As it was at the beginning: a run may switch its schedule off itself, and must still tell of it after a crash.
    const schedule = await stage('schedule', () => asItIs(scheduleId));
    if (!schedule) return { status: 'skipped', reason: 'schedule_disabled' };
    const report = await stage('end', () => outcome(schedule));
    await deps.report(key, schedule, report);
    return report;

    /** Null: deleted, or switched off. */
    async function asItIs(id: number): Promise<RunPlace | null> {
      const found = await deps.store.find(id);
      if (!found?.isOn) return null;
      const { lastPostAt: _, ...its } = found;
      return its;
    }

    async function outcome(its: RunPlace): Promise<RunReport> {
      const { userId, connectionId } = its;
      const desk = deps.deskOf(its);
      const offered = await stage('offer', async () => {
        const wanted = await deps.plannedPhrase(its.id, at);
        return desk.offer(its, wanted, wanted === null ? await deps.heldPhrases(its.id, at) : []);
      });
      if ('missing' in offered) return { status: 'skipped', reason: 'schedule_disabled' };
      if ('blocked' in offered) return { status: 'skipped', reason: offered.blocked };
      if ((await deps.connectionStatus(userId, connectionId)) !== 'active') return connectionInactive(its);
      const { offer } = offered;
      if (!offer.isAdmin && offer.price > offer.balance) return outOfTokens(its, offer);

      const call = { userId, signal };
      let written: Written;
      try {
        written = await desk.write({ ...call, key: `${key}:write` }, offer.order);
      } catch (error) {
        return notWritten(its, offer, error);
      }
      const { phrase, reused, few } = offer;
      const { title, spent, images, imagesWanted, draftId } = written;
      const about = { phrase, reused, few, title, spent, images, imagesWanted };
      if (its.asksFirst) {
        await desk.keep(userId, draftId);
        return { status: 'ok', kind: 'waiting', draftId, ...about };
      }
      const sent = await stage('publish', () => send(its, desk, draftId));
      if (sent.outcome === 'unknown') {
        const placeUrl = await deps.placeUrl(userId, connectionId);
        return { status: 'ok', kind: 'unknown', draftId, placeUrl, ...about };
      }
      if (sent.outcome === 'refused') {
        const refunded = (await desk.cancel(userId, draftId)) ?? spent;
        const isStopped = sent.isPlatform && (await isThirdFailure(its));
        return failed('publish_failed', phrase, sent.why, { refunded, isStopped });
      }
      await deps.noteSuccess(key, its);
      const left = (await deps.balanceOf(userId)) ?? 0;
      const { url, warnings = [], returned = 0 } = sent;
      const told = { ...about, spent: spent - returned, ...(warnings.length > 0 && { warnings }) };
      return { status: 'ok', kind: 'published', url, left, ...told };
    }

    /** Kept before the tokens come back: begun again behind the refund, the desk would find no draft to publish. */
    async function send(its: RunPlace, desk: Desk, draftId: number): Promise<Sent> {
      const { userId } = its;
      // A run that an earlier version began has kept its schedule without a target, which was its place then.
      const { target: place = its.place }: Partial<RunPlace> = its;
      try {
        return await desk.publish({ userId, signal, key: `${key}:publish` }, { draftId, place });
      } catch (error) {
        passOn(error);
        return { outcome: 'refused', isPlatform: error instanceof DeliveryFailed, why: whyOf(error) };
      }
    }

    /** Told, not charged, and a failure of the platform as any other. */
    async function connectionInactive(its: RunPlace): Promise<RunReport> {
      const isStopped = await isThirdFailure(its);
      return { status: 'skipped', reason: 'connection_inactive', isStopped };
    }

    async function outOfTokens(its: RunPlace, { price, balance }: RunOffer): Promise<RunReport> {
      await deps.switchOff(its.id, { pausedFor: 'tokens' });
      return { status: 'skipped', reason: 'insufficient_balance', needed: price, balance };
    }

    async function notWritten(its: RunPlace, offer: RunOffer, error: unknown): Promise<RunReport> {
      passOn(error);
      const code = error instanceof AppError ? error.code : '';
      if (code === 'OUT_OF_TOKENS')
        return outOfTokens(its, { ...offer, balance: (await deps.balanceOf(its.userId)) ?? 0 });
      const refunded = error instanceof PaidWorkFailed ? error.refunded : 0;
      if (code === 'CONTENT_VALIDATION')
        return failed('content_validation_failed', offer.phrase, whyOf(error), { refunded });
      if (code !== 'AI_GENERATION')
        return failed('generation_failed', offer.phrase, whyOf(error), { refunded });
      if (!isSecondTry) await deps.callAgain(its, at);
      return failed('ai_service_unavailable', offer.phrase, whyOf(error), {
        refunded,
        isAgainInAnHour: !isSecondTry,
      });
    }

    /** E55: switched off until its owner has looked. */
    async function isThirdFailure(its: RunPlace): Promise<boolean> {
      const failures = await deps.countFailure(key, its);
      if (failures === null || failures < MOST_FAILURES) return false;
      await deps.switchOff(its.id, { status: 'error' });
      return true;
    }

    /** Not an end: another process goes on, or the stores have to come back first. */
    function passOn(error: unknown): void {
      if (signal.aborted || error instanceof OperationLost || isDatabaseAway(error)) throw error;
      if (!(error instanceof AppError)) deps.log.error({ err: error, key }, 'a scheduled run failed');
    }
  };

function failed(
  reason: Extract<RunReport, { status: 'error' }>['reason'],
  phrase: string,
  why: string,
  { refunded = 0, isStopped = false, isAgainInAnHour = false },
): RunReport {
  return { status: 'error', reason, phrase, why, refunded, isStopped, isAgainInAnHour };
}

const whyOf = (error: unknown): string =>
  error instanceof AppError ? error.userMessage : 'Произошла ошибка.';
