import type { JobHandler } from '../store/jobs.ts';

/** Which handler runs which kind of job. A kind that is missing here waits for a process that has it. */
export const jobHandlers = (
  own: Readonly<Record<string, JobHandler>> = {},
): Readonly<Record<string, JobHandler>> => ({
  ...own,
});
