import type { AdapterCall, PublishAnswer } from './adapter.ts';
import {
  type MediaSource,
  type MessengerChannel,
  type OutgoingPost,
  type Rendered,
  type SendCall,
  SendFailed,
  type Sent,
} from './messenger/messenger.ts';
import type { Pause } from './pause.ts';

/** A post of the bot's own making. */
export type SocialPost = {
  /** With the platform's tags. */
  html: string;
  /** As it is stored. */
  picture?: Uint8Array | null;
};

/** What a caller keeps of the calls that are made for it, so that none is made twice after a crash. */
type Call = AdapterCall & Pick<SendCall, 'beforeCall' | 'onProgress' | 'progress'>;

type PublishPostPorts = {
  render: (post: OutgoingPost) => Rendered;
  send: (channel: MessengerChannel, rendered: Rendered, call: SendCall) => Promise<Sent>;
  toJpeg: (bytes: Uint8Array) => Promise<Uint8Array>;
  pause: Pause;
};

const MOST_WAIT_MS = 60_000;
const HALF_SENT =
  'Картинка уже в канале, а текст к ней не прошёл, и убрать её не получилось. ' +
  'Удалите её сами и опубликуйте пост ещё раз.';

/** One post for one channel, for somebody who waits: asked to be patient, it waits once, and not for long. */
export function makePublishPost({ render, send, toJpeg, pause }: PublishPostPorts) {
  return async function publish(
    channel: MessengerChannel,
    { html, picture }: SocialPost,
    call: Call,
  ): Promise<PublishAnswer> {
    const bytes = picture ? await toJpeg(picture) : null;
    const rendered = render({ text: html, parseMode: 'HTML', media: bytes ? [{ type: 'image' }] : [] });
    // Half a post is removed: the person may change the text before they try again.
    const sending: SendCall = { ...call, ...(bytes && keptOnce(bytes)), keepsHalf: false };
    try {
      return await patiently((progress) => send(channel, rendered, { ...sending, ...progress }), call.signal);
    } catch (error) {
      if (!(error instanceof SendFailed) || !isHalfSent(error)) throw error;
      return { outcome: 'unknown', message: HALF_SENT, raw: { ...error.progress } };
    }
  };

  async function patiently(
    attempt: (left: Pick<SendCall, 'progress'>) => Promise<Sent>,
    signal: AbortSignal | undefined,
  ): Promise<Sent> {
    try {
      return await attempt({});
    } catch (error) {
      if (!(error instanceof SendFailed) || isHalfSent(error)) throw error;
      const { scope, retryAfterMs } = error.report;
      if (scope !== 'platform' || retryAfterMs === undefined || retryAfterMs > MOST_WAIT_MS) throw error;
      await pause(retryAfterMs, signal);
      return attempt({ progress: error.progress });
    }
  }
}

/** A picture that the platform has got is not brought there again. */
function keptOnce(bytes: Uint8Array): Pick<SendCall, 'media' | 'onMaterial'> {
  let source: MediaSource = { bytes, fileName: 'picture.jpg', contentType: 'image/jpeg' };
  return {
    media: async () => source,
    onMaterial: async (_, reference) => {
      source = { reference };
    },
  };
}

const isHalfSent = ({ progress }: SendFailed): boolean => progress.sent_items.length > 0;
