import { constants, setPriority } from 'node:os';

/**
 * For threads and processes that compute: on a machine with few cores, whoever pressed a button goes first.
 * A thread can do so on Linux alone; elsewhere it would take the whole bot along.
 */
export function stepBack(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
