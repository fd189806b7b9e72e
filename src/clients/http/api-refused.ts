import type { Json } from '../../engine/json.ts';
import { AnswerLost, type OnceAnswer } from './call-once.ts';

/** The service answered, and the answer was no. */
export class ApiRefused extends Error {
  override readonly name = 'ApiRefused';
  readonly status: number;
  /** The service's own word for it, where it has one. */
  readonly word: string | null;
  readonly description: string;
  readonly retryAfterMs: number | null;
  /** The chat lives on under this id. */
  readonly movedTo: string | null;
  readonly body: Json;
  constructor(
    what: string,
    answer: { status: number; description: string; body: Json } & Partial<
      Pick<ApiRefused, 'word' | 'retryAfterMs' | 'movedTo'>
    >,
  ) {
    super(`${what}: ${answer.status} ${answer.description}`);
    this.status = answer.status;
    this.description = answer.description;
    this.body = answer.body;
    this.word = answer.word ?? null;
    this.retryAfterMs = answer.retryAfterMs ?? null;
    this.movedTo = answer.movedTo ?? null;
  }
}

/** A success whose body cannot be read: the request was carried out. */
export class AnswerUnreadable extends Error {
  override readonly name = 'AnswerUnreadable';
  constructor(what: string, text: string, cause?: unknown) {
    super(`${what}: an answer that cannot be read: ${text.slice(0, MOST_QUOTED)}`, { cause });
  }
}

const MOST_QUOTED = 200;
/** Statuses the service itself may send without its JSON envelope. */
const SAID_AT_THE_DOOR = [413, 429];

/**
 * A non-JSON refusal comes from a proxy or a blocker: the service heard nothing, and it says nothing about the token or
 * the chat. From 500 on it is unknown how far the request came.
 */
export function refusedWithoutForm(what: string, answer: OnceAnswer, body: Json): AnswerLost | ApiRefused {
  const { status, text, retryAfterMs } = answer;
  const description = text.slice(0, MOST_QUOTED);
  const isItsOwn = status >= 500 || SAID_AT_THE_DOOR.includes(status);
  if (!isItsOwn) return new AnswerLost(what, false, new Error(`${status} on the way: ${description}`));
  return new ApiRefused(what, { status, description, retryAfterMs, body });
}

const WORTH_REPEATING = [429, 500, 502, 503, 504];

/** For reads alone. */
export function mayPass(error: unknown): false | { retryAfterSec: number | null } {
  if (error instanceof AnswerLost) return { retryAfterSec: null };
  if (!(error instanceof ApiRefused) || !WORTH_REPEATING.includes(error.status)) return false;
  return { retryAfterSec: error.retryAfterMs === null ? null : error.retryAfterMs / 1_000 };
}
