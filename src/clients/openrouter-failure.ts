import { APIError } from 'openai';
import { z } from 'zod';
import { AiFailed } from '../errors.ts';
import { DeadlinePassed } from './http/deadline.ts';
import { retryAfterOf } from './http/repeat.ts';

/** The router's own words for a refusal: the body of a bad status, or inside an answer that had begun well. */
export const routerError = z.object({
  code: z.coerce.number().min(400).catch(502),
  message: z.string().catch('no reason given'),
  metadata: z
    .object({
      error_type: z.string().nullish(),
      reasons: z.array(z.unknown()).nullish(),
      flagged_input: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
  availability: z.object({ retry_after: z.number().nullish() }).nullish().catch(null),
});

type Circumstances = {
  /** Null: no answer, or an unreadable one. */
  status?: number | null;
  retryAfterSec?: number | null;
  /** The question itself was found unfit, not the way it was asked. */
  moderated?: boolean;
  /** A model had begun to answer, so the router could not move on to the next. */
  begun?: boolean;
  cause?: unknown;
};

/** One try that gave nothing. */
export class RouterFailed extends Error {
  override readonly name = 'RouterFailed';
  readonly status: number | null;
  readonly retryAfterSec: number | null;
  readonly moderated: boolean;
  readonly begun: boolean;
  constructor(why: string, given: Circumstances) {
    super(why, { cause: given.cause });
    this.status = given.status ?? null;
    this.retryAfterSec = given.retryAfterSec ?? null;
    this.moderated = given.moderated ?? false;
    this.begun = given.begun ?? false;
  }
}

export function refusedBy(
  { code, message, metadata, availability }: z.infer<typeof routerError>,
  given: Circumstances,
): RouterFailed {
  const unfit = ['content_policy_violation', 'refusal'].includes(metadata?.error_type ?? '');
  return new RouterFailed(`${code}: ${message}`, {
    status: code,
    moderated: unfit || Boolean(metadata?.reasons ?? metadata?.flagged_input),
    ...given,
    retryAfterSec: given.retryAfterSec ?? availability?.retry_after ?? null,
  });
}

/** Whatever one try threw, as one kind of failure; the end of its time stays what it is. */
export function toRouterFailure(error: unknown): RouterFailed | DeadlinePassed {
  if (error instanceof RouterFailed || error instanceof DeadlinePassed) return error;
  if (!(error instanceof APIError) || error.status === undefined) {
    return new RouterFailed('could not be reached, or its answer broke off', { cause: error });
  }
  const { status, headers } = error;
  const said = routerError.safeParse(error.error);
  const words = said.success ? said.data : { code: status, message: error.message };
  return refusedBy(words, { status, retryAfterSec: retryAfterOf(headers?.get('retry-after')) });
}

/**
 * Worth another try: too many requests, trouble on their side, a broken connection. Not a refusal, and not a try
 * that used up its time: the person would wait three times as long for what may be billed three times.
 */
export function mayPass(error: unknown): false | { retryAfterSec: number | null } {
  if (!(error instanceof RouterFailed) || error.moderated) return false;
  const { status, retryAfterSec } = error;
  return (status === null || status === 429 || status >= 500) && { retryAfterSec };
}

export function toAiFailed(failure: RouterFailed | DeadlinePassed): AiFailed {
  const why = `OpenRouter: ${failure.message}`;
  if (failure instanceof DeadlinePassed) return new AiFailed('unavailable', why, failure);
  if (failure.status === 402) return new AiFailed('no-credit', why, failure);
  return new AiFailed(failure.moderated ? 'filtered' : 'unavailable', why, failure);
}
