import type { Json } from '../../engine/json.ts';
import type { OperationCall, Operations, RunStage } from '../../engine/operations.ts';
import { AppError, OperationLost, WorkTookTooLong } from '../../errors.ts';
import { isDatabaseAway } from '../../store/database-away.ts';

/** Where the money for one piece of work comes from. Every call is keyed: made twice, it moves tokens once. */
export type Purse = {
  /** Throws OutOfTokens, and takes nothing, when there is not enough. */
  charge(): Promise<void>;
  /** Gives back what was charged above `spent`. */
  settle(spent: number): Promise<void>;
  /** Gives back everything that is still due, and tells how much that was. */
  refund(): Promise<number>;
};

export type Delivered<Result> = { result: Result; spent: number };

/** The work failed for good and what it had cost came back. */
export class PaidWorkFailed extends AppError {
  readonly code: string;
  readonly userMessage: string;
  override readonly retryable: boolean;
  readonly refunded: number;
  constructor({ code, userMessage, retryable, reason }: StoredFailure, refunded: number) {
    super(reason);
    this.code = code;
    this.userMessage = userMessage;
    this.retryable = retryable;
    this.refunded = refunded;
  }
}

type StoredFailure = { code: string; userMessage: string; retryable: boolean; reason: string };
type End<Result> = ({ ok: true } & Delivered<Result>) | { ok: false; failure: StoredFailure };
type Outcome<Result> = { ok: true; result: Result } | { ok: false; failure: StoredFailure; refunded: number };

/**
 * Charge, work, settle; or refund. All under one operation's key: a second call, in this process or after its death,
 * gets the same outcome, a failure as well as a result, and the tokens have moved once.
 */
export const makePaidWork =
  <Tx>(operations: Pick<Operations<Tx>, 'withStages'>) =>
  async <Result extends Json>(
    call: OperationCall,
    purse: Purse,
    work: (stage: RunStage, signal: AbortSignal) => Promise<Delivered<Result>>,
  ): Promise<Result> => {
    const outcome = await operations.withStages<Outcome<Result>>(call, async (stage, signal) => {
      await stage('charge', async () => {
        await purse.charge();
        return null;
      });
      // Kept before any token comes back: a resumed run settles or refunds, and never does both; a worker that was
      // overtaken cannot keep it and moves nothing.
      const end = await stage('end', () => endOf(work, stage, signal));
      if (!end.ok) return { ...end, refunded: await purse.refund() };
      await purse.settle(end.spent);
      return { ok: true, result: end.result };
    });
    if (!outcome.ok) throw new PaidWorkFailed(outcome.failure, outcome.refunded);
    return outcome.result;
  };

export type PaidWork = ReturnType<typeof makePaidWork>;

/** The same end for abandoned work: charged as far as it had come, or not at all. */
export function outcomeOfAbandoned(
  kept: string | null,
  charged: number,
): { isDone: boolean; spent: number; outcome: Json } {
  const end: End<Json> = kept === null ? { ok: false, failure: leftAlone } : JSON.parse(kept);
  if (end.ok) return { isDone: true, spent: end.spent, outcome: { ok: true, result: end.result } };
  return { isDone: false, spent: 0, outcome: { ...end, refunded: charged } };
}

const leftAlone: StoredFailure = {
  code: 'ABANDONED',
  userMessage: 'Работа прервалась на середине. Токены вернулись на баланс.',
  retryable: true,
  reason: 'abandoned: its session was lost',
};

async function endOf<Result>(
  work: (stage: RunStage, signal: AbortSignal) => Promise<Delivered<Result>>,
  stage: RunStage,
  signal: AbortSignal,
): Promise<End<Result>> {
  try {
    return { ok: true, ...(await Promise.race([work(stage, signal), overdue(signal)])) };
  } catch (error) {
    // Not a failure: this process stops, another one has taken over, or the database is away. The stages wait for
    // the process that resumes.
    const stops = signal.aborted && !(signal.reason instanceof WorkTookTooLong);
    if (stops || error instanceof OperationLost || isDatabaseAway(error)) throw error;
    return { ok: false, failure: storedFailure(error) };
  }
}

/** Rejects when the work's time is over: a service that does not hear it must not keep the person's tokens. */
function overdue(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const look = () => signal.reason instanceof WorkTookTooLong && reject(signal.reason);
    if (signal.aborted) look();
    else signal.addEventListener('abort', look, { once: true });
  });
}

function storedFailure(error: unknown): StoredFailure {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (!(error instanceof AppError))
    return {
      code: 'UNEXPECTED',
      userMessage: 'Произошла ошибка. Попробуйте позже.',
      retryable: true,
      reason,
    };
  const { code, userMessage, retryable } = error;
  return { code, userMessage, retryable, reason };
}
