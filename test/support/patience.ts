import { availableParallelism, loadavg } from 'node:os';

const MOST_TIMES = 8;

/** Suites side by side. Waiting for servers is most of their work: even two cores carry four. */
export const SUITES_AT_ONCE = Math.max(4, availableParallelism());

/** How many times longer everything takes than on an idle machine: as many as want each of its cores, our suites at least. */
const slowness = Math.min(
  MOST_TIMES,
  Math.max(1, Math.max(loadavg()[0] ?? 0, SUITES_AT_ONCE) / availableParallelism()),
);

/**
 * A time limit that follows the machine: `ms` on an idle one. Limits are there to end a test that hangs; one that fails
 * because others are at work beside it says nothing about the product.
 */
export const patience = (ms: number): number => Math.round(ms * slowness);
