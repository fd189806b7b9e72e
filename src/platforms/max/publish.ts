import { ApiRefused } from '../../clients/http/api-refused.ts';
import type { Log } from '../../log.ts';
import { toJpeg } from '../../services/pictures/process-picture.ts';
import type { Adapter } from '../adapter.ts';
import { messengerCalls } from '../messenger/calls.ts';
import { reachPlatform } from '../messenger/failures.ts';
import type { Keyboard, MessengerChannel, Rendered, SendCall, Sent, Step } from '../messenger/messenger.ts';
import { type SentStep, sendSeries } from '../messenger/send-series.ts';
import { type Pause, pause as pauseFor } from '../pause.ts';
import { makePublishPost, type SocialPost } from '../publish-post.ts';
import type { Max, MaxAttachment, MaxRecipient, MaxSent } from './client.ts';
import { type MaterialOptions, makeMaterialise } from './materialise.ts';
import { maxPreflight, renderForMax } from './preflight.ts';
import { makeValidateMax } from './validate.ts';

export type MaxAdapter = ReturnType<typeof makeMaxAdapter>;

type Options = Omit<MaterialOptions, 'max'> & {
  max: Max;
  log: Log;
  pause?: Pause;
  /** Before each repeat of a message whose attachment MAX is still working on. */
  readyWaitsMs?: readonly number[];
  /** From 0 to 1: how much longer than that, so that forty channels do not come back at once. */
  jitter?: () => number;
};

const READY_WAITS_MS = [1_000, 2_000, 4_000];
const MOST_JITTER = 0.25;

/** Chats and channels of MAX. */
export function makeMaxAdapter(options: Options) {
  const { max, log, pause = pauseFor, readyWaitsMs = READY_WAITS_MS, jitter = Math.random } = options;
  const materialise = makeMaterialise(options);
  const validate = makeValidateMax(max);
  const publish = makePublishPost({ render: renderForMax, send, toJpeg, pause });
  const adapter: Adapter<MessengerChannel, SocialPost> = { validate, publish };
  const reach = reachPlatform('max', max.ping);
  return {
    ...adapter,
    validate,
    preflight: maxPreflight,
    send,
    reach,
    ...messengerCalls(renderForMax, send),
  };

  async function send(channel: MessengerChannel, rendered: Rendered, call: SendCall): Promise<Sent> {
    const sendStep = (step: Step) => make(channel, rendered, step, call);
    return sendSeries({ platform: 'max', log, send: sendStep }, rendered, call);
  }

  async function make(
    channel: MessengerChannel,
    { text, meta }: Rendered,
    step: Step,
    call: SendCall,
  ): Promise<SentStep> {
    const attachments: MaxAttachment[] = [];
    for (const item of step.items) attachments.push(await materialise(channel.token, item, call));
    const words = step.hasText ? text : (step.items[0]?.caption ?? '');
    const body = {
      text: words || null,
      ...(words && meta.format && { format: meta.format }),
      attachments: [...attachments, ...keyboard(step.buttons)],
    };
    const { signal } = call;
    const { disablePreview } = meta;
    await call.beforeCall?.();
    const sent = await whenReady(
      () => max.send(channel.token, recipientOf(channel), body, { disablePreview, signal }),
      signal,
    );
    return { ids: [sent.mid], url: sent.url, raw: sent.raw };
  }

  /** The message alone is repeated: it was refused, so it is not there, and the file is with MAX already. */
  async function whenReady(
    attempt: () => Promise<MaxSent>,
    signal: AbortSignal | undefined,
  ): Promise<MaxSent> {
    for (const ms of readyWaitsMs) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ApiRefused) || error.word !== 'attachment.not.ready') throw error;
        await pause(ms * (1 + MOST_JITTER * jitter()), signal);
      }
    }
    return attempt();
  }
}

const recipientOf = ({ targetId, settings }: MessengerChannel): MaxRecipient =>
  settings?.recipient === 'user' ? { userId: targetId } : { chatId: targetId };

function keyboard(rows: Keyboard): MaxAttachment[] {
  if (rows.length === 0) return [];
  const buttons = rows.map((row) =>
    row.map((button) => ('url' in button ? { type: 'link', ...button } : { type: 'callback', ...button })),
  );
  return [{ type: 'inline_keyboard', payload: { buttons } }];
}
