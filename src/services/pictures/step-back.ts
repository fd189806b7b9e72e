import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of a busy processor: behind people's presses, and not starved either. */
export const BEHIND = 5;

/**
 * For a process that only computes. On Linux a priority belongs to a thread, and the threads of a library take it from
 * those that are there already: each of them steps back.
 */
export function stepBack(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, BEHIND);
}
