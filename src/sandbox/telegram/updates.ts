import { ApiError, type Update } from './wire.ts';
import { chatOf, type World } from './world.ts';

export type Updates = ReturnType<typeof createUpdates>;

type Poller = { wake(): void; fail(error: ApiError): void };

// Kinds a bot hears only when it names them.
const ONLY_ON_REQUEST = new Set([
  'chat_member',
  'message_reaction',
  'message_reaction_count',
  'subscription',
]);
const BETWEEN_POLLS_MS = 5000;
const MAX_LIMIT = 100;
const MAX_TIMEOUT_SECONDS = 50;

/** What the bot has not heard yet, and the way of hearing it by asking. Pushing is in webhook.ts. */
export function createUpdates(world: World) {
  let poller: Poller | null = null;
  let lastPolled = 0;
  const waiting = new Set<() => void>();
  return { enqueue, announce, onArrival, confirm, poll, stopPoller, isPolled };

  /** A kind the bot did not ask for is lost, as in Telegram; its id is used up all the same. */
  function enqueue(content: Omit<Update, 'update_id'>): Update {
    const update: Update = { ...content, update_id: world.nextUpdateId() };
    if (isWanted(update)) world.updates.put(update.update_id, update);
    return update;
  }

  /** Apart from `enqueue`, which may be in the middle of a change that must become whole first. */
  function announce(update: Update): void {
    world.notify({ type: 'pending', chat_id: chatOf(update) });
    poller?.wake();
    for (const heard of waiting) heard();
  }

  function onArrival(listener: () => void): void {
    waiting.add(listener);
  }

  function isWanted(update: Update): boolean {
    const kind = Object.keys(update).find((key) => key !== 'update_id') ?? '';
    const allowed = world.setting('allowed_updates').get() ?? [];
    return allowed.length === 0 ? !ONLY_ON_REQUEST.has(kind) : allowed.includes(kind);
  }

  function confirm(update: Update): void {
    world.updates.remove(update.update_id);
    world.notify({ type: 'pending', chat_id: chatOf(update) });
  }

  /** A bot that works on what it was given asks again only when it is done. */
  function isPolled(): boolean {
    return poller !== null || Date.now() - lastPolled < BETWEEN_POLLS_MS;
  }

  function stopPoller(by: 'setWebhook' | 'other getUpdates'): void {
    const advice = by === 'setWebhook' ? '' : '; make sure that only one bot instance is running';
    poller?.fail(new ApiError(409, `Conflict: terminated by ${by} request${advice}`));
  }

  async function poll(fields: Record<string, unknown>, gone: AbortSignal): Promise<Update[]> {
    if (world.setting('webhook').get()) {
      throw new ApiError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    stopPoller('other getUpdates');
    if (Array.isArray(fields.allowed_updates))
      world.setting('allowed_updates').put(fields.allowed_updates as string[]);

    lastPolled = Date.now();
    const offset = forget(Number(fields.offset) || 0);
    const limit = Math.min(Math.max(Number(fields.limit) || MAX_LIMIT, 1), MAX_LIMIT);
    const timeoutMs = Math.min(Math.max(Number(fields.timeout) || 0, 0), MAX_TIMEOUT_SECONDS) * 1000;
    const ready = () =>
      world.updates
        .values()
        .filter(({ update_id }) => update_id >= offset)
        .slice(0, limit);

    if (ready().length === 0 && timeoutMs > 0) await arrival(timeoutMs, gone);
    return ready();
  }

  /** Drops what the bot has confirmed by asking for later ones. A negative offset counts from the end. */
  function forget(offset: number): number {
    const pending = world.updates.values();
    const first = offset < 0 ? (pending.at(offset)?.update_id ?? pending[0]?.update_id ?? 0) : offset;
    for (const update of pending) if (update.update_id < first) confirm(update);
    return first;
  }

  function arrival(timeoutMs: number, gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const me: Poller = { wake: () => leave(resolve), fail: (error) => leave(() => reject(error)) };
      const onGone = () => leave(resolve);
      const timer = setTimeout(() => leave(resolve), timeoutMs);
      gone.addEventListener('abort', onGone, { once: true });
      poller = me;
      world.notify({ type: 'bot' });

      function leave(then: () => void): void {
        clearTimeout(timer);
        gone.removeEventListener('abort', onGone);
        if (poller === me) poller = null;
        lastPolled = gone.aborted ? 0 : Date.now();
        if (gone.aborted) world.notify({ type: 'bot' });
        then();
      }
    });
  }
}
