import type { Updates } from './updates.ts';
import { badRequest, type Update } from './wire.ts';
import { chatOf, unixSeconds, type Webhook, type World } from './world.ts';

type WebhookPushOptions = {
  /** The pause before the first redelivery; it doubles up to sixteen times that. */
  redeliveryMs: number;
  answerTimeoutMs: number;
};

/** Runs a method that the bot named in its answer to a delivery, as the Bot API allows. */
type MethodReply = (method: string, fields: Record<string, unknown>) => Promise<unknown>;

/**
 * Pushes updates to the bot's address. Chats go in parallel, up to max_connections; within a chat the next update
 * leaves only after the one before it was answered 2xx, so a bot that fails is asked again and never skipped.
 */
export function createWebhookPush(
  world: World,
  updates: Updates,
  reply: MethodReply,
  options: WebhookPushOptions,
) {
  const busy = new Set<string>();
  const pauses = new Map<string, number>();
  const stopped = new AbortController();
  let inFlight = 0;
  let failing = false;
  updates.onArrival(pump);
  return { set, remove, info, pump, isFailing: () => failing, stop: () => stopped.abort() };

  function set(fields: Record<string, unknown>): void {
    const url = String(fields.url ?? '');
    if (url === '') {
      remove(fields);
      return;
    }
    if (!URL.canParse(url)) throw badRequest('bad webhook: Wrong URL specified');
    const secret = fields.secret_token === undefined ? '' : String(fields.secret_token);
    if (!/^[\w-]{0,256}$/.test(secret)) {
      throw badRequest('secret token contains unallowed characters');
    }
    updates.stopPoller('setWebhook');
    if (Array.isArray(fields.allowed_updates))
      world.setting('allowed_updates').put(fields.allowed_updates as string[]);
    if (isTrue(fields.drop_pending_updates)) dropPending();
    const max_connections = Math.min(Math.max(Number(fields.max_connections) || 40, 1), 100);
    world.setting('webhook').put({ url, max_connections, ...(secret && { secret_token: secret }) });
    world.notify({ type: 'bot' });
    pump();
  }

  function remove(fields: Record<string, unknown>): void {
    if (isTrue(fields.drop_pending_updates)) dropPending();
    world.setting('webhook').remove();
    world.notify({ type: 'bot' });
  }

  function info(): Record<string, unknown> {
    const { secret_token: _, ...shown } = world.setting('webhook').get() ?? { url: '' };
    const allowed_updates = world.setting('allowed_updates').get();
    return {
      ...shown,
      has_custom_certificate: false,
      pending_update_count: world.updates.values().length,
      ...(allowed_updates?.length && { allowed_updates }),
    };
  }

  function dropPending(): void {
    for (const update of world.updates.values()) updates.confirm(update);
  }

  function pump(): void {
    const webhook = world.setting('webhook').get();
    if (!webhook || stopped.signal.aborted) return;
    for (const update of world.updates.values()) {
      if (inFlight >= webhook.max_connections) return;
      const lane = laneOf(update);
      if (!busy.has(lane)) void deliver(webhook, update, lane);
    }
  }

  async function deliver(webhook: Webhook, update: Update, lane: string): Promise<void> {
    busy.add(lane);
    inFlight += 1;
    const failure = await push(webhook, update);
    inFlight -= 1;
    failing = failure !== null;
    if (failure === null) {
      pauses.delete(lane);
      busy.delete(lane);
      updates.confirm(update);
      return pump();
    }
    if (stopped.signal.aborted) return;
    const current = world.setting('webhook').get();
    if (current) {
      const failed = { last_error_date: unixSeconds(world.now()), last_error_message: failure };
      world.setting('webhook').put({ ...current, ...failed });
    }
    const pause = pauses.get(lane) ?? options.redeliveryMs;
    pauses.set(lane, Math.min(pause * 2, options.redeliveryMs * 16));
    setTimeout(() => {
      busy.delete(lane);
      pump();
    }, pause).unref();
    pump();
  }

  /** Null when the bot took it; otherwise what went wrong, in Telegram's words. */
  async function push({ url, secret_token }: Webhook, update: Update): Promise<string | null> {
    let response: Response;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret_token && { 'x-telegram-bot-api-secret-token': secret_token }),
        },
        body: JSON.stringify(update),
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(options.answerTimeoutMs)]),
      });
    } catch (error) {
      return (error as Error).name === 'TimeoutError' ? 'Read timeout expired' : 'Connection failed';
    }
    const body = await response.text().catch(() => '');
    if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`;
    await runReply(body);
    return null;
  }

  async function runReply(body: string): Promise<void> {
    if (!body.startsWith('{')) return;
    try {
      const { method, ...fields } = JSON.parse(body) as Record<string, unknown>;
      if (typeof method === 'string') await reply(method, fields);
    } catch {
      // Telegram tells the bot nothing about such a call either
    }
  }
}

/** Updates that belong to no chat do not wait for each other. */
const laneOf = (update: Update) => String(chatOf(update) ?? `update ${update.update_id}`);

const isTrue = (value: unknown) => value === true || value === 'true' || value === 'True';
