import { readdirSync, readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

/** Of one process alone, user and system; NaN where there is no /proc. */
export function cpuSeconds(pid: number | undefined): number {
  return inSeconds(() => {
    const { user, system } = timesOf(`${pid}`);
    return user + system;
  });
}

const NANOSECONDS_PER_MS = 1e6;

/**
 * Of a process's first thread, in milliseconds: how long it had a processor, and how long it was ready and had none
 * because other programs of the machine had them. NaN where there is no /proc.
 */
export function scheduled(pid: number | undefined): { worked: number; starved: number } {
  try {
    const [worked = Number.NaN, starved = Number.NaN] = readFileSync(`/proc/${pid}/schedstat`, 'utf8')
      .split(' ')
      .map((nanoseconds) => Number(nanoseconds) / NANOSECONDS_PER_MS);
    return { worked, starved };
  } catch {
    return { worked: Number.NaN, starved: Number.NaN };
  }
}

/** Of a process and all it has started, those that are gone included. */
export function familyCpuSeconds(pid: number): number {
  return inSeconds(() => {
    const parent = timesOf(`${pid}`);
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .flatMap(seen)
      .filter((one) => one.parent === pid);
    return [parent, ...children].reduce((sum, { user, system }) => sum + user + system, parent.waitedFor);
  });
}

export const parentOf = (pid: number): number => timesOf(`${pid}`).parent;

function timesOf(pid: string) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
  const [parent = 0] = fields.slice(1);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11);
  return { parent, user, system, waitedFor: childrenUser + childrenSystem };
}

/** Processes end while they are being listed. */
function seen(pid: string) {
  try {
    return [timesOf(pid)];
  } catch {
    return [];
  }
}

function inSeconds(ticks: () => number): number {
  try {
    return ticks() / CLOCK_TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
