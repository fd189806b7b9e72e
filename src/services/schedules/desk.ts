import type { Json } from '../../engine/json.ts';
import type { Schedule } from '../../store/schedules.ts';
import type { Use } from '../quality/choose-cluster.ts';

/** A schedule as a run found it; kept with the run, which ends as it began whatever becomes of the schedule. */
export type RunPlace = Omit<Schedule, 'lastPostAt'>;

/** What a run would write: opaque to the run but for these. */
export type RunOffer = {
  phrase: string;
  /** Tokens, at most. */
  price: number;
  balance: number;
  isAdmin: boolean;
  /** Everything else rests, so this phrase comes again before its time (E22). */
  reused: boolean;
  /** So few topics that texts will repeat themselves (E23). */
  few: boolean;
  /** For the desk itself. */
  order: Json;
};

type Offered = { offer: RunOffer } | { blocked: 'no_keywords' | 'no_available_keyword' } | { missing: true };

export type Written = {
  draftId: number;
  title: string;
  spent: number;
  images: number;
  imagesWanted: number;
};

export type Published =
  /** `warnings`: what the platform did not take; `returned`: the tokens that came back for it. */
  | { outcome: 'sent'; url: string | null; warnings?: readonly string[]; returned?: number }
  /** The answer was lost: it may be there. */
  | { outcome: 'unknown' };

type Call = { key: string; userId: number; signal: AbortSignal };

/** Where a run has its texts written and published: the services of the dialogue for that kind of content. */
export type Desk = {
  /** About the wanted phrase, if the category still has it; null: what the rotation takes when it leaves the held ones. */
  offer(schedule: RunPlace, wanted: string | null, held: readonly Use[]): Promise<Offered>;
  /** Charged before, settled after; a failure gives the tokens back and throws. */
  write(call: Call, order: Json): Promise<Written>;
  /** Throws when nothing arrived: `DeliveryFailed` if the platform is the reason. */
  publish(call: Call, draft: { draftId: number; place: string }): Promise<Published>;
  /** The draft waits for its owner a day, and its tokens come back then. */
  keep(userId: number, draftId: number): Promise<void>;
  /** Gives the tokens of a draft back; null: it was ended before. */
  cancel(userId: number, draftId: number): Promise<number | null>;
};
