import type {
  Keyboard,
  MediaSource,
  MessengerChannel,
  OutgoingMedia,
  OutgoingPost,
  ParseMode,
  Rendered,
  SendCall,
  Sent,
} from './messenger.ts';

type SendMeta = Omit<SendCall, 'media'> & {
  parseMode: ParseMode;
  disablePreview?: boolean;
  buttons?: Keyboard;
};

/**
 * The two calls of the contract for callers that send at once and store no rendering. Throws SendFailed, or
 * NotSendable when the post cannot go at all.
 */
export function messengerCalls(
  render: (post: OutgoingPost) => Rendered,
  send: (channel: MessengerChannel, rendered: Rendered, call: SendCall) => Promise<Sent>,
) {
  return { sendText, sendMedia };

  async function sendText(channel: MessengerChannel, text: string, meta: SendMeta): Promise<Sent> {
    return send(channel, render({ ...meta, text }), meta);
  }

  async function sendMedia(
    channel: MessengerChannel,
    media: readonly (OutgoingMedia & MediaSource)[],
    text: string,
    meta: SendMeta,
  ): Promise<Sent> {
    const source = async (index: number): Promise<MediaSource> => media[index] as OutgoingMedia & MediaSource;
    return send(channel, render({ ...meta, text, media }), { ...meta, media: source });
  }
}
