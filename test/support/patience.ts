import { availableParallelism, loadavg } from 'node:os';

const MOST_TIMES = 8;

/** How many times longer everything takes than on an idle machine: as many as want each of its cores. */
const slowness = Math.min(MOST_TIMES, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

/**
 * A time limit that follows the machine: `ms` on an idle one. Limits are there to end a test that hangs; one that fails
 * because others are at work beside it says nothing about the product.
 */
export const patience = (ms: number): number => Math.round(ms * slowness);
