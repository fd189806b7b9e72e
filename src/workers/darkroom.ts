import { type ChildProcess, fork } from 'node:child_process';
import type { Developed, Treatment } from '../services/pictures/develop.ts';
import type { Answer, Order } from './darkroom-process.ts';

type Darkroom = {
  develop(treatment: Treatment, bytes: Uint8Array): Promise<Developed>;
  /** The present process, for tests and for ending it. */
  pid(): number | undefined;
};

type Options = {
  /** How long it is kept without work. */
  idleMs?: number;
  /** A hundred times what a picture takes. */
  jobLimitMs?: number;
};

/** The process went away with the picture in it. */
export class DarkroomLost extends Error {
  override readonly name = 'DarkroomLost';
}

type Job = Order & { settle(answer: Answer): void; fail(error: Error): void };

const TRIES = 2;

/**
 * Develops pictures in a process of their own. Memory that the library leaves in fragments goes when that process
 * ends, as it does when there is nothing to do; and a picture that brings the library down takes no person's dialogue
 * with it.
 */
export function createDarkroom({ idleMs = 30_000, jobLimitMs = 60_000 }: Options = {}): Darkroom {
  const jobs = new Map<number, Job>();
  let room: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  return { develop, pid: () => room?.pid };

  /** Retry the jobs that were lost because another picture crashed the process. */
  async function develop(treatment: Treatment, bytes: Uint8Array): Promise<Developed> {
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        return await once(treatment, bytes);
      } catch (error) {
        if (!(error instanceof DarkroomLost) || left === 0) throw error;
      }
    }
  }

  async function once(treatment: Treatment, bytes: Uint8Array): Promise<Developed> {
    const used = opened();
    lastId += 1;
    const id = lastId;
    const late = setTimeout(() => used.kill('SIGKILL'), jobLimitMs);
    try {
      const answer = await new Promise<Answer>((settle, fail) => {
        jobs.set(id, { id, treatment, bytes, settle, fail });
        used.send({ id, treatment, bytes } satisfies Order);
      });
      if ('error' in answer) throw answer.error;
      return answer.done;
    } finally {
      clearTimeout(late);
      jobs.delete(id);
      if (jobs.size === 0 && room === used) rest(used);
    }
  }

  function opened(): ChildProcess {
    clearTimeout(idle);
    room ??= started();
    room.ref();
    room.channel?.ref();
    return room;
  }

  function started(): ChildProcess {
    const process = fork(new URL('./darkroom-process.ts', import.meta.url), {
      execArgv: ['--import', new URL('./typescript-in-thread.js', import.meta.url).href],
      serialization: 'advanced', // bytes as they are, not as JSON
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    process.on('message', (answer: Answer) => jobs.get(answer.id)?.settle(answer));
    process.on('error', gone);
    process.once('exit', gone);
    return process;

    function gone(reason: unknown): void {
      if (room !== process) return;
      room = null;
      const error = new DarkroomLost(`the process of the pictures ended: ${String(reason)}`);
      for (const job of jobs.values()) job.fail(error);
    }
  }

  /** Does not keep the parent alive, and ends itself after a while idle. */
  function rest(process: ChildProcess): void {
    process.unref();
    process.channel?.unref();
    idle = setTimeout(() => {
      if (room === process) room = null;
      process.disconnect();
    }, idleMs);
    idle.unref();
  }
}
