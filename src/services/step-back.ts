import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const BEHIND = constants.priority.PRIORITY_BELOW_NORMAL;
const threadsHavePriorities = process.platform === 'linux';

/**
 * For a thread that computes: on a machine with few cores, whoever pressed a button goes first. Where only processes
 * have priorities it would take the whole bot along, and is left alone.
 */
export function stepBack(): void {
  if (threadsHavePriorities) setPriority(BEHIND);
}

/** For a process that does nothing else. The threads of a library are children of those that are there already. */
export function stepBackWhole(): void {
  const threads = threadsHavePriorities ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, BEHIND);
}
