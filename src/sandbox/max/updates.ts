import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Bot, badPayload, type Subscription, type Update } from './wire.ts';

type MaxUpdatesOptions = {
  now: () => number;
  /** Before the first redelivery; each next wait is longer. */
  redeliveryMs: number;
  answerTimeoutMs: number;
};

type Queue = {
  /** The marker of the oldest update. */
  first: number;
  updates: Update[];
  subscriptions: Map<string, Subscription>;
  pumping: boolean;
  /** How often every update is brought, at once: MAX promises no more than "at least once". */
  repeats: number;
  waiting: Set<() => void>;
};

type Asked = { marker?: number; limit?: number; types?: string[] };

export type MaxUpdates = ReturnType<typeof createMaxUpdates>;

const MOST_DELIVERIES = 11; // the first one, and ten more
const SLOWER = 2.5;

/** What bots hear: by webhook, or by asking. One excludes the other. */
export function createMaxUpdates({ now, redeliveryMs, answerTimeoutMs }: MaxUpdatesOptions) {
  const queues = new Map<number, Queue>();
  const stopped = new AbortController();
  return {
    ...{ emit, poll, subscribe, unsubscribe, subscriptions },
    repeat: (bot: Bot, times: number) => {
      queueOf(bot).repeats = times;
    },
    repeats: (bot: Bot) => queueOf(bot).repeats,
    stop: () => stopped.abort(),
  };

  function queueOf({ user_id }: Bot): Queue {
    const known = queues.get(user_id);
    if (known) return known;
    const queue = {
      first: 1,
      updates: [],
      subscriptions: new Map(),
      pumping: false,
      repeats: 1,
      waiting: new Set<() => void>(),
    };
    queues.set(user_id, queue);
    return queue;
  }

  function emit(bot: Bot, update: Omit<Update, 'timestamp'> & { update_type: string }): void {
    const queue = queueOf(bot);
    queue.updates.push({ timestamp: now(), ...update });
    for (const wake of [...queue.waiting]) wake();
    void pump(queue);
  }

  async function poll(bot: Bot, asked: Asked, timeoutMs: number, gone: AbortSignal) {
    const queue = queueOf(bot);
    if (queue.subscriptions.size > 0)
      throw new ApiError(405, 'method.not.allowed', 'There is a webhook subscription');
    // Asking from a marker confirms everything before it.
    const confirmed = Math.min(
      Math.max((asked.marker ?? queue.first) - queue.first, 0),
      queue.updates.length,
    );
    queue.updates.splice(0, confirmed);
    queue.first += confirmed;
    if (queue.updates.length === 0 && timeoutMs > 0) await arrival(queue, timeoutMs, gone);
    const batch = queue.updates.slice(0, asked.limit ?? 100);
    const wanted = batch.filter(({ update_type }) => asked.types?.includes(update_type) ?? true);
    return { updates: wanted, marker: queue.first + batch.length };
  }

  function arrival(queue: Queue, timeoutMs: number, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        queue.waiting.delete(leave);
        resolve();
      };
      const timer = setTimeout(leave, timeoutMs);
      queue.waiting.add(leave);
      AbortSignal.any([gone, stopped.signal]).addEventListener('abort', leave, { once: true });
    });
  }

  function subscribe(bot: Bot, given: Record<string, unknown>): void {
    const { url, secret, update_types = null } = given;
    if (typeof url !== 'string' || !URL.canParse(url)) throw badPayload('url: is invalid');
    if (secret !== undefined && !/^[\w-]{5,256}$/u.test(String(secret)))
      throw badPayload('secret: expected 5 to 256 letters, digits, - or _');
    const queue = queueOf(bot);
    queue.subscriptions.set(url, {
      url,
      time: now(),
      update_types: update_types as string[] | null,
      ...(secret !== undefined && { secret: String(secret) }),
    });
    void pump(queue);
  }

  function unsubscribe(bot: Bot, url: string): boolean {
    return queueOf(bot).subscriptions.delete(url);
  }

  function subscriptions(bot: Bot): Omit<Subscription, 'secret'>[] {
    return [...queueOf(bot).subscriptions.values()].map(({ secret: _, ...shown }) => shown);
  }

  /** In order, one after another; what is not answered 200 comes again, and after that many times no more. */
  async function pump(queue: Queue): Promise<void> {
    if (queue.pumping) return;
    queue.pumping = true;
    while (queue.updates.length > 0 && queue.subscriptions.size > 0 && !stopped.signal.aborted) {
      const [update] = queue.updates;
      for (const subscription of queue.subscriptions.values())
        if (subscription.update_types?.includes(update!.update_type) ?? true)
          await Promise.all(Array.from({ length: queue.repeats }, () => deliver(subscription, update!)));
      queue.updates.shift();
      queue.first += 1;
    }
    queue.pumping = false;
  }

  async function deliver(subscription: Subscription, update: Update): Promise<void> {
    let wait = redeliveryMs;
    for (let tries = 1; tries <= MOST_DELIVERIES && !stopped.signal.aborted; tries += 1) {
      if (await push(subscription, update)) return;
      await sleep(wait, undefined, { signal: stopped.signal }).catch(() => undefined);
      wait *= SLOWER;
    }
  }

  async function push({ url, secret }: Subscription, update: Update): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret && { 'x-max-bot-api-secret': secret }),
        },
        body: JSON.stringify(update),
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false; // not reached, or no answer in time: it comes again like any other
    }
  }
}
