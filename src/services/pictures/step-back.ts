import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** A third of a busy processor: behind people's presses, and not starved either. */
export const BEHIND = 5;

/**
 * For a process that only computes: behind the one that started it, whatever priority that has. On Linux a priority
 * belongs to a thread, and the threads of a library take it from those that are there already: each of them steps back.
 */
export function stepBack(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  const behind = Math.min(getPriority() + BEHIND, constants.priority.PRIORITY_LOW);
  for (const thread of threads) setPriority(thread, behind);
}
