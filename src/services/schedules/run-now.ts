import type { Json } from '../../engine/json.ts';
import type { Operations } from '../../engine/operations.ts';
import type { Job, JobHandler } from '../../store/jobs.ts';

/** By then this process is at work, or dead: jobs are taken over when their lease has ended. */
const TAKE_OVER_MS = 60_000;

export type RunNow = ReturnType<typeof makeRunNow>;

/** Begins a job in this process at once. It is in the table before, so that any other goes on with it if this one dies. */
export const makeRunNow =
  <Tx>({
    operations,
    enqueue,
    now,
  }: {
    operations: Pick<Operations<Tx>, 'withStages'>;
    enqueue(job: Job): Promise<unknown>;
    now(): number;
  }) =>
  async (job: Omit<Job, 'runAfter'>, handler: JobHandler, signal?: AbortSignal): Promise<Json> => {
    const { key, kind, userId, payload } = job;
    await enqueue({ ...job, runAfter: now() + TAKE_OVER_MS });
    const call = { key, userId: userId ?? 0, request: { kind, payload }, ...(signal && { signal }) };
    return operations.withStages(call, (stage, its, known) =>
      handler(job, { stage, signal: its, known, attempt: 1 }),
    );
  };
