import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { StoreAway } from '../../engine/not-applied.ts';
import type { Log } from '../../log.ts';
import { updateTypes } from './adapter.ts';

const LONG_POLL_SECONDS = 25;
/** The most that Telegram hands out at once. */
const MOST_UPDATES = 100;
// One person's slow update must not hold back everybody else's for long.
const PATIENCE_MS = 300;
const LAST_PATIENCE_MS = 5_000;
// How long other people wait when a hundred updates were applied behind one that was not.
const STANDSTILL_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** grammY's types know only the signal of the abort-controller package; Node's own is interchangeable with it. */
type PollingSignal = Parameters<Api['getUpdates']>[1];

/**
 * Long polling that confirms an update only after it was applied: one that was in the air when the process was
 * killed comes again. (grammY's own `bot.start` confirms a batch as a whole and works it off one by one.)
 */
export function startPolling(
  api: Api,
  handleUpdate: (update: Update) => Promise<unknown>,
  log: Log,
  {
    lastPatienceMs = LAST_PATIENCE_MS,
    standstillMs = STANDSTILL_MS,
    pauseAfterFailureMs = PAUSE_AFTER_FAILURE_MS,
  } = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const inHand = new Map<number, Promise<void>>();
  /** Heard and not applied: in hand, or failed and to be taken again. Confirming ends before the lowest. */
  const open = new Set<number>();
  /** Applied, and not to be confirmed yet: Telegram brings them along with the open ones. */
  const applied = new Set<number>();
  /** Open because a store is away: never given up, however many wait behind them. */
  const awaitingStore = new Set<number>();
  let next = 0;
  let hasFailed = false;
  let standsSince: number | null = null;
  const finished = poll();
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await takeSome();
        if (hasFailed) await pause();
        hasFailed = false;
      } catch (error) {
        if (stopping.signal.aborted) break;
        log.warn({ err: error }, 'Telegram could not be asked for updates');
        await pause();
      }
    }
    await atMost(lastPatienceMs, Promise.all(inHand.values()));
    await confirm(offset());
  }

  async function takeSome(): Promise<void> {
    const updates = await api.getUpdates(
      {
        offset: offset(),
        limit: MOST_UPDATES,
        timeout: open.size > 0 ? 0 : LONG_POLL_SECONDS,
        allowed_updates: [...updateTypes],
      },
      stopping.signal as unknown as PollingSignal,
    );
    next = (updates.at(-1)?.update_id ?? next - 1) + 1;
    forgetGone(updates);
    const isKnown = ({ update_id }: Update) => open.has(update_id) || applied.has(update_id);
    if (updates.length === MOST_UPDATES && updates.every(isKnown)) endStandstill();
    else standsSince = null;
    const fresh = updates.filter(({ update_id }) => !inHand.has(update_id) && !applied.has(update_id));
    for (const update of fresh) inHand.set(update.update_id, take(update));
    if (fresh.length > 0) await atMost(PATIENCE_MS, Promise.all(inHand.values()));
    else if (inHand.size > 0) await atMost(PATIENCE_MS, Promise.race(inHand.values()));
    else if (open.size > 0) await pause(); // what failed is not brought again, and not known to be gone
  }

  /** Failed here and confirmed by another process: Telegram begins its list behind it. */
  function forgetGone([oldest]: Update[]): void {
    if (!oldest) return;
    for (const id of open) if (id < oldest.update_id && !inHand.has(id)) close(id);
  }

  function close(id: number): void {
    open.delete(id);
    awaitingStore.delete(id);
  }

  async function take(update: Update): Promise<void> {
    const id = update.update_id;
    open.add(id);
    try {
      await handleUpdate(update);
      close(id);
      applied.add(id);
    } catch (error) {
      if (error instanceof StoreAway) awaitingStore.add(id);
      else awaitingStore.delete(id);
      log.warn({ err: error, update: id }, 'an update will be taken again');
      hasFailed = true;
    } finally {
      inHand.delete(id);
    }
  }

  function offset(): number {
    const lowest = open.size > 0 ? Math.min(...open) : next;
    for (const id of applied) if (id < lowest) applied.delete(id);
    return lowest;
  }

  /** Telegram shows no new updates before the old ones are confirmed: one that keeps failing is given up for the others. */
  function endStandstill(): void {
    standsSince ??= performance.now();
    if (performance.now() - standsSince < standstillMs) return;
    const oldest = offset();
    if (awaitingStore.has(oldest)) return;
    log.error({ update: oldest }, 'an update is given up, too many wait behind it');
    close(oldest);
    applied.add(oldest);
    standsSince = null;
  }

  async function pause(): Promise<void> {
    await delay(pauseAfterFailureMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function confirm(upTo: number): Promise<void> {
    if (upTo === 0) return;
    const patience = AbortSignal.timeout(lastPatienceMs) as unknown as PollingSignal;
    await api
      .getUpdates({ offset: upTo, timeout: 0, limit: 1 }, patience)
      .catch((error) => log.warn({ err: error }, 'the last updates were not confirmed'));
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}
