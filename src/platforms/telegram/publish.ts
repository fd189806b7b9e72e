import type { Json } from '../../engine/json.ts';
import type { Log } from '../../log.ts';
import { toJpeg } from '../../services/pictures/process-picture.ts';
import type { Adapter } from '../adapter.ts';
import { checkSize } from '../check-post.ts';
import { messengerCalls } from '../messenger/calls.ts';
import { reachPlatform } from '../messenger/failures.ts';
import type {
  MediaSource,
  MessengerChannel,
  Rendered,
  SendCall,
  Sent,
  Step,
} from '../messenger/messenger.ts';
import { messengerRules } from '../messenger/rules.ts';
import { type SentStep, sendSeries } from '../messenger/send-series.ts';
import { type Pause, pause as pauseFor } from '../pause.ts';
import { makePublishPost, type SocialPost } from '../publish-post.ts';
import type { SentMessage, TelegramChannels } from './client.ts';
import { renderForTelegram, telegramPreflight } from './preflight.ts';
import { toTelegramRequest } from './request.ts';
import { makeValidateTelegram } from './validate.ts';

export type TelegramAdapter = ReturnType<typeof makeTelegramAdapter>;

type Options = {
  telegram: TelegramChannels;
  log: Log;
  pause?: Pause;
};

/** Channels of Telegram, each written to by a bot of its owner. */
export function makeTelegramAdapter({ telegram, log, pause = pauseFor }: Options) {
  const validate = makeValidateTelegram(telegram);
  const publish = makePublishPost({ render: renderForTelegram, send, toJpeg, pause });
  const adapter: Adapter<MessengerChannel, SocialPost> = { validate, publish };
  return {
    ...adapter,
    validate,
    preflight: telegramPreflight,
    send,
    reach: reachPlatform('telegram', telegram.ping),
    ...messengerCalls(renderForTelegram, send),
  };

  async function send(channel: MessengerChannel, rendered: Rendered, call: SendCall): Promise<Sent> {
    const { token, targetId } = channel;
    const remove = (id: string) => telegram.remove(token, targetId, id, call.signal);
    const sendStep = (step: Step) => make(channel, rendered, step, call);
    return sendSeries({ platform: 'telegram', log, send: sendStep, remove }, rendered, call);
  }

  async function make(
    { token, targetId }: MessengerChannel,
    rendered: Rendered,
    step: Step,
    call: SendCall,
  ): Promise<SentStep> {
    const sources = await Promise.all(step.items.map(({ index }) => sourceOf(index, call)));
    for (const [at, { type }] of step.items.entries()) {
      const source = sources[at];
      if (source && 'bytes' in source) checkSize(type, source.bytes.length, messengerRules.telegram);
    }
    const request = toTelegramRequest(targetId, rendered, step, sources);
    await call.beforeCall?.();
    const messages = await telegram.create(token, request, call.signal);
    return {
      ids: messages.map(({ message_id }) => String(message_id)),
      references: step.items.flatMap(({ index }, at) => {
        const reference = fileIdOf(messages[at]);
        return reference === undefined ? [] : [{ index, reference }];
      }),
      url: messages[0] ? postUrl(messages[0]) : null,
      raw: messages as unknown as Json,
    };
  }
}

async function sourceOf(index: number, { media }: SendCall): Promise<MediaSource> {
  if (!media) throw new TypeError(`Expected a source for media ${index}, got none`);
  return media(index);
}

const fileIdOf = (message: SentMessage | undefined): string | undefined =>
  (message?.photo?.at(-1) ?? message?.video ?? message?.audio ?? message?.document)?.file_id;

/** A channel without a name has an address that only its readers can open. */
function postUrl({ chat, message_id }: SentMessage): string {
  const place = chat.username ?? `c/${String(chat.id).replace(/^-100/u, '')}`;
  return `https://t.me/${place}/${message_id}`;
}
