import type { Log } from '../log.ts';
import type { Sender } from './sender.ts';
import type { Outbox } from './store/outbox.ts';

type Deps = {
  outbox: Pick<Outbox, 'claim' | 'lose'>;
  sender: Pick<Sender, 'sendBegun'>;
  log: Log;
  everyMs?: number;
  /** Longer than a call may take with its uploads and repeats: a result that comes later is still believed. */
  leaseMs?: number;
};

const AT_ONCE = 100;

/** Sends what a dead process decided and never tried, and gives up what it had tried. */
export function makeSweep({ outbox, sender, log, everyMs = 2_000, leaseMs = 60_000 }: Deps) {
  let timer: NodeJS.Timeout | null = null;
  let sweeping: Promise<void> | null = null;
  return { start, stop, once, loseAll: () => lose(0) };

  function start(): void {
    timer ??= setInterval(() => void once(), everyMs);
  }

  async function stop(): Promise<void> {
    if (timer) clearInterval(timer);
    timer = null;
    await sweeping;
  }

  function once(): Promise<void> {
    sweeping ??= sweep().finally(() => {
      sweeping = null;
    });
    return sweeping;
  }

  async function sweep(): Promise<void> {
    try {
      await lose(leaseMs);
      sender.sendBegun(await outbox.claim(AT_ONCE));
    } catch (error) {
      log.warn({ err: error }, 'the outbox was not swept');
    }
  }

  async function lose(olderThanMs: number): Promise<void> {
    for (const { id, workspaceId, chatId } of await outbox.lose(olderThanMs))
      log.error(
        { workspace: workspaceId, chat: chatId, answer: id },
        'it is unknown whether an answer was sent',
      );
  }
}
