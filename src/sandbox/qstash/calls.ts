import { randomUUID } from 'node:crypto';
import { pauseSeconds } from '../../services/schedules/embedded-schedules.ts';
import { signCall } from '../../services/schedules/sign-call.ts';

export type Message = {
  messageId: string;
  url: string;
  body: string;
  headers: Record<string, string>;
  notBefore: number;
  retried: number;
  maxRetries: number;
  failureCallback: string | null;
  scheduleId: string | null;
};

/** How deliveries go wrong when told to: made twice, signed by a stranger's key, or given up at the first refusal. */
type DeliveryMood = 'twice' | 'badly-signed' | 'hasty';

export type Calls = ReturnType<typeof createCalls>;

/** Messages on their way to us, delivered when their time has come by the stand-in's clock. */
export function createCalls({ key, now }: { key: () => string; now: () => number }) {
  const waiting = new Map<string, Message>();
  const known = new Map<string, string>();
  const moods = new Set<DeliveryMood>();
  return { add, deliverDue, moods, waiting };

  /** A message under an id that is known already is not taken twice; it answers with the first one's id. */
  function add(message: Omit<Message, 'messageId' | 'retried'>, deduplicationId: string | null) {
    const twin = deduplicationId === null ? undefined : known.get(deduplicationId);
    if (twin) return { messageId: twin, deduplicated: true };
    const messageId = `msg_${randomUUID()}`;
    if (deduplicationId !== null) known.set(deduplicationId, messageId);
    waiting.set(messageId, { ...message, messageId, retried: 0 });
    return { messageId };
  }

  /** All at once, in no promised order; resolves when each was answered. */
  async function deliverDue(): Promise<void> {
    const due = [...waiting.values()].filter(({ notBefore }) => notBefore <= now());
    for (const { messageId } of due) waiting.delete(messageId);
    await Promise.all(
      due.flatMap((message) => (moods.has('twice') ? [message, message] : [message])).map(deliver),
    );
  }

  async function deliver(message: Message): Promise<void> {
    const { status, text, retryAfter } = await post(message);
    if (status >= 200 && status < 300) return;
    const isFinal = status === 489 || message.retried >= message.maxRetries || moods.has('hasty');
    if (isFinal) return giveUp(message, status, text);
    const retried = message.retried + 1;
    const notBefore = now() + (retryAfter ?? pauseSeconds(retried)) * 1_000;
    waiting.set(message.messageId, { ...message, retried, notBefore });
  }

  async function post({ messageId, url, body, headers, retried, scheduleId }: Message) {
    const signingKey = moods.has('badly-signed') ? 'sig_a-key-of-a-stranger' : key();
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'user-agent': 'Upstash-QStash',
          'upstash-signature': signCall({ key: signingKey, url, body }),
          'upstash-message-id': messageId,
          'upstash-retried': String(retried),
          ...(scheduleId && { 'upstash-schedule-id': scheduleId }),
        },
        body,
      });
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      return {
        status: response.status,
        text: await response.text(),
        retryAfter: Number.isFinite(seconds) ? seconds : null,
      };
    } catch {
      return { status: 0, text: '', retryAfter: null }; // unreachable: a failed delivery like any other
    }
  }

  function giveUp(message: Message, status: number, text: string): void {
    if (!message.failureCallback) return;
    const { messageId, url, body, retried, maxRetries, scheduleId } = message;
    const told = {
      status,
      header: {},
      body: Buffer.from(text).toString('base64'),
      retried,
      maxRetries,
      dlqId: `dlq_${randomUUID()}`,
      sourceMessageId: messageId,
      url,
      method: 'POST',
      sourceHeader: {},
      sourceBody: Buffer.from(body).toString('base64'),
      createdAt: now(),
      ...(scheduleId && { scheduleId }),
    };
    const callback = {
      url: message.failureCallback,
      body: JSON.stringify(told),
      headers: { 'content-type': 'application/json' },
    };
    add({ ...callback, notBefore: now(), maxRetries, failureCallback: null, scheduleId: null }, null);
  }
}
