import type { FlowEvent } from './flows.ts';
import type { AlbumItem } from './incoming.ts';

/** An event from outside for a person's session: a payment, an OAuth callback, a finished job, a deadline. */
export type Letter = {
  /** The same id twice is the same letter. */
  id: string;
  userId: number;
  /** Whom it is for; null: whatever flow the person is in. */
  run: { flow: string; run: string } | null;
  event: FlowEvent;
};

/** A part of an album that people send as one message per picture. */
export type Part = { item: AlbumItem; place: number; caption: string };

export type OpenLetter = Letter & {
  /** Collected under the letter's id, in their order; empty for a letter that came whole. */
  parts: Part[];
  /** Unix ms; since when it is due: a deadline is written down long before. */
  since: number;
};

/**
 * Where events from outside wait until a session has taken them. A letter stays until it is settled, so that a process
 * which dies on the way leaves it to the next one.
 */
export type Inbox = {
  /** False: a letter with this id is known already. Without `dueAt` (Unix ms) it is due at once. */
  put(letter: Letter, dueAt?: number): Promise<boolean>;
  /**
   * Adds a part and puts off the letter. `late`: the letter was settled without the part. `repeat`: it was settled with
   * it, and the messenger brings it again because our answer was lost.
   */
  collect(letter: Letter, part: Part, dueAt: number): Promise<'collected' | 'late' | 'repeat'>;
  /** People with letters due by then. A person who was handed out is not handed out again for `claimMs`. */
  due(now: number, limit: number, claimMs: number): Promise<number[]>;
  /** A person's letters due by then, in the order in which they came. */
  open(userId: number, now: number): Promise<OpenLetter[]>;
  settle(id: string, outcome: Outcome): Promise<void>;
};

/** `missed`: no run was there to take it. */
export type Outcome = 'applied' | 'missed';
