import type { MessageId } from './message-id.ts';

/**
 * The port behind which a person's session lives: on Redis, on Postgres or in memory.
 *
 * One person has one record. A writer holds the person's lock, and every save is a
 * compare-and-set on the revision: should a lock expire under a slow holder, its late save is refused.
 */
export type SessionStore = {
  /** One attempt to get the person's lock. `wait` means: ask again with the same ticket. */
  acquire(request: AcquireRequest): Promise<Admission>;
  /**
   * Writes the session if the revision is still the one that was read. `null` tells the writer it lost: to another
   * writer, or to an earlier update that has arrived meanwhile and waits for the lock.
   */
  save(hold: Hold, record: SaveRequest): Promise<Hold | null>;
  /** Gives the lock back and notes, in the same step, what was shown and that the update is done with. */
  release(hold: Hold, note: ReleaseNote): Promise<void>;
  /** Whether this update was applied. */
  hasSeen(userId: number, updateId: number): Promise<boolean>;
  /**
   * People whose session wants attention: work whose owner went silent, screens that were never shown. Handed out once:
   * until `claimUntil` other processes do not get the same people. The longest due first.
   */
  due(request: DueRequest): Promise<number[]>;
  /** The owner of running work says "still here". False when the work is no longer this owner's. */
  postpone(userId: number, attention: Attention): Promise<boolean>;
  /** What is stored now, read without the lock. */
  peek(userId: number): Promise<string | null>;
  /** Removes the person's session; the updates seen from them stay seen. */
  forget(userId: number): Promise<void>;
};

export type AcquireRequest = {
  userId: number;
  /** Identifies this waiter, so that asking again neither queues nor counts it twice. */
  ticket: string;
  /** Of several waiters the lowest goes first: Telegram's update ids. Absent: last. */
  order?: number;
  /** With an update id, a repeat of an applied update is recognised. */
  updateId?: number;
  /** Takes the lock or leaves no trace: `wait` adds no waiter to the queue. */
  asksOnce?: boolean;
  /** With a limit, a person's updates within the current minute are counted against it. */
  throttlePerMinute?: number;
  leaseMs: number;
};

export type Admission =
  | { outcome: 'held'; hold: Hold }
  /** This update was applied before; held, because its screen may have been lost on the way. */
  | { outcome: 'repeat'; hold: Hold }
  | { outcome: 'throttled' }
  | { outcome: 'wait' };

export type Hold = {
  userId: number;
  token: string;
  /** 0 for a person without a stored session. */
  revision: number;
  /** The stored JSON as text: the reader decides what a damaged one means. */
  session: string | null;
  shown: Shown | null;
  attention: readonly Attention[];
};

/** The revision whose screen the person has seen, and the message that shows it. */
export type Shown = { revision: number; messageId: MessageId };

/**
 * When a sweep should look at a part of the session (Unix ms), and who looks after it until then. A part is a run with
 * work, by its id, or the screen: each has its own owner, so that one living process does not hide another's death.
 */
export type Attention = { of: string; at: number; owner: string };

export type DueRequest = { until: number; limit: number; claimUntil: number };

export type SaveRequest = {
  session: string;
  attention: readonly Attention[];
  /** Marks the update as applied, atomically with the save. */
  updateId?: number;
  ttlSeconds: number;
};

export type ReleaseNote = {
  shown?: Shown;
  /** Present: replaces what was saved. */
  attention?: readonly Attention[];
  updateId?: number;
  /** The update will come again: it does not count against the person's limit. */
  isUncounted?: boolean;
};

/**
 * How many applied update ids are remembered per person, and for how long Telegram may repeat one. Up to 128 Redis keeps
 * a sorted set in its compact form; one more, and it takes five times the memory.
 */
export const SEEN_UPDATES_KEPT = 128;
export const SEEN_UPDATES_TTL_SECONDS = 25 * 60 * 60;

/** A waiter that has not asked again for this long has died and no longer blocks those behind it. */
export const WAITER_TTL_MS = 3_000;
