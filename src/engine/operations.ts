import type { Json } from './json.ts';

/**
 * Keyed operations: whatever an actor does to the world goes through one of these, so that a restored
 * snapshot, a repeated update or a second process asks for the same key and gets the same result.
 */
export type Operations<Tx, Statement = never> = {
  /**
   * For effects inside our own database: the work and the note that it is done commit together.
   * A finished key returns its stored result.
   */
  inTransaction<Result extends Json>(call: OperationCall, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * The same for an effect that is a single statement, in a single round trip. The statement takes its row `from first`,
   * which is empty for a finished key, and returns its `result`; null when it changed nothing, and may be tried again.
   */
  inStatement<Result extends Json>(call: OperationCall, statement: Statement): Promise<Result | null>;
  /**
   * For effects outside: holds a lease while working, keeps the result of every finished stage, waits while
   * the key runs elsewhere, takes over from the last finished stage when the lease expired.
   * Only success is final: after a throw the same key may be tried again and continues behind its stages.
   * OperationLost is not even a failure: the work goes on elsewhere, or when the database is back.
   * `known` tells of stages that are finished, for work that must know how far an earlier process came.
   */
  withStages<Result extends Json>(
    call: OperationCall,
    work: (stage: RunStage, signal: AbortSignal, known: KnownStage) => Promise<Result>,
  ): Promise<Result>;
};

export type OperationCall = { key: string; userId: number; request: Json; signal?: AbortSignal };

export type RunStage = <Result extends Json>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Undefined: the operation is not finished. */
export type KnownStage = (name: string) => Json | undefined;
