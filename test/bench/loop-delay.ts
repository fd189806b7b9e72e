import { monitorEventLoopDelay } from 'node:perf_hooks';

/** In milliseconds; what a timer would have been late by. */
export type LoopDelay = { p50: number; p99: number; max: number };

/** Samples this often, so a delay shorter than this may be missed. */
const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;

/** How long this process left others waiting while the work went on. */
export async function withLoopDelay<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; delay: LoopDelay }> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  try {
    const result = await work();
    // The histogram counts the whole pause between two samples, of which the resolution was asked for.
    const ms = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS);
    return {
      result,
      delay: {
        p50: ms(histogram.percentile(50)),
        p99: ms(histogram.percentile(99)),
        max: ms(histogram.max),
      },
    };
  } finally {
    histogram.disable();
  }
}
