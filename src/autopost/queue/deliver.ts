import type { Json } from '../../engine/json.ts';
import { DeliveryFailed } from '../../errors.ts';
import type { Log } from '../../log.ts';
import {
  type MessengerChannel,
  type OutgoingPost,
  type Preflight,
  type Rendered,
  type SendCall,
  SendFailed,
  type Sent,
  type SeriesProgress,
} from '../../platforms/messenger/messenger.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { DeliveryMedia } from '../media/delivery-media.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { ChannelOf } from './channel-of.ts';
import { failed, messageOf, notCalled, type Outcome, snippet, storable, unknown } from './outcome.ts';
import { storedProgress, storedRendering } from './stored-rendering.ts';

type DeliveryAdapter = {
  preflight(post: OutgoingPost): Preflight;
  send(channel: MessengerChannel, rendered: Rendered, call: SendCall): Promise<Sent>;
  /** One read that changes nothing. Throws DeliveryFailed when the platform does not answer. */
  reach(channel: MessengerChannel, signal?: AbortSignal): Promise<void>;
};

type Deps = {
  adapters: Readonly<Record<ChannelPlatform, DeliveryAdapter>>;
  channelOf: ChannelOf;
  mediaOf(delivery: ClaimedDelivery): DeliveryMedia;
  log: Log;
};

type DeliverCall = {
  signal: AbortSignal;
  /** False: the delivery is not ours any more, so no further message of it may be sent. */
  saveProgress(progress: SeriesProgress): Promise<boolean>;
  /** For a post with files, asked before each request that creates a message. False: not ours, nothing may be sent. */
  beginCall?(): Promise<boolean>;
};

export type Deliver = ReturnType<typeof makeDeliver>;

/** Makes the calls of one attempt, which is on record by now, and says what came of it. Never throws. */
export function makeDeliver({ adapters, channelOf, mediaOf, log }: Deps) {
  return async function deliver(delivery: ClaimedDelivery, call: DeliverCall): Promise<Outcome> {
    const adapter = adapters[delivery.platform];
    let channel: MessengerChannel | null;
    let rendered: Rendered;
    let progress: SeriesProgress;
    try {
      channel = await channelOf(delivery);
      rendered = storedRendering(delivery, adapter.preflight);
      progress = storedProgress(delivery);
    } catch (error) {
      return error instanceof DeliveryFailed ? failed(error.report) : notCalled(error);
    }
    if (!channel) return failed(authMissing(delivery.authRef));

    const media = mediaOf(delivery);
    const sending = { adapter, channel, rendered, media };
    try {
      return await send(delivery, sending, progress, call);
    } catch (error) {
      return ofError(delivery, error, call.signal);
    } finally {
      media.done();
    }
  };

  async function send(
    delivery: ClaimedDelivery,
    sending: {
      adapter: DeliveryAdapter;
      channel: MessengerChannel;
      rendered: Rendered;
      media: DeliveryMedia;
    },
    progress: SeriesProgress,
    call: DeliverCall,
  ): Promise<Outcome> {
    const { adapter, channel, rendered, media } = sending;
    const isSeries = rendered.meta.steps.length > 1;
    try {
      const sent = await adapter.send(channel, rendered, {
        idempotencyKey: delivery.deliveryId,
        ...(delivery.traceId !== null && { traceId: delivery.traceId }),
        signal: call.signal,
        progress,
        media: media.source,
        onMaterial: media.keep,
        // Of a single message the result itself is the progress.
        ...(isSeries && { onProgress: saveOrStop(call) }),
        ...(call.beginCall && { beforeCall: beginOrStop(call.beginCall) }),
      });
      return ofSent(sent);
    } catch (error) {
      const isExpired = error instanceof SendFailed && error.report.code === 'media_expired';
      // It was refused, so it is not there: brought anew, the same message goes within the same attempt.
      if (!isExpired || !(await media.forget())) throw error;
      return send(delivery, sending, error.progress, call);
    }
  }

  function ofError(delivery: ClaimedDelivery, error: unknown, signal: AbortSignal): Outcome {
    if (error instanceof DeliveryFailed) return failed(error.report);
    if (error instanceof CallForbidden) return notCalled(error);
    // Told to stop before the request left: nothing was called.
    if (signal.aborted && isAbort(error, signal)) return notCalled(error, 'stopped');
    log.error({ err: error, delivery: delivery.deliveryId }, 'the outcome of a call is unknown');
    return unknown('own_error', messageOf(error));
  }
}

/** A message of a series is out, and that could not be kept: the delivery belongs to another process, or the store is away. */
class ProgressLost extends Error {
  override readonly name = 'ProgressLost';
}

/** It could not be brought on record that the call begins, so it was not made. */
class CallForbidden extends Error {
  override readonly name = 'CallForbidden';
}

const beginOrStop = (beginCall: () => Promise<boolean>) => async (): Promise<void> => {
  const isOurs = await beginCall().catch((error: unknown) => {
    throw new CallForbidden('the call could not be brought on record', { cause: error });
  });
  if (!isOurs) throw new CallForbidden('the delivery is not ours any more');
};

const saveOrStop =
  ({ saveProgress }: DeliverCall) =>
  async (progress: SeriesProgress): Promise<void> => {
    const isOurs = await saveProgress(progress).catch((error: unknown) => {
      throw new ProgressLost('the progress of a series was not kept', { cause: error });
    });
    if (!isOurs) throw new ProgressLost('the delivery is not ours any more');
  };

function ofSent(sent: Sent): Outcome {
  if (sent.outcome === 'unknown') return unknown('answer_lost', reasonIn(sent.raw), 'platform');
  const meta = { provider_message_ids: [...sent.progress.provider_message_ids], raw: snippet(sent.raw) };
  return { kind: 'sent', providerMessageId: storable(sent.providerMessageId), meta };
}

const reasonIn = (raw: Json): string => String((raw as { error?: unknown } | null)?.error ?? 'no answer');

const isAbort = (error: unknown, { reason }: AbortSignal): boolean =>
  error === reason || (error instanceof Error && error.name === 'AbortError');

const authMissing = (authRef: string) =>
  ({
    category: 'PERMANENT',
    scope: 'channel',
    code: 'auth_missing',
    message: `there is no credential "${authRef}"`,
  }) as const;
