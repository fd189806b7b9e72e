import type { Json } from '../engine/json.ts';

/**
 * What every platform speaks with us: validate, publish, report. One vocabulary of failure for all of them, so that
 * retries, pauses and the words for a person are decided in one place.
 */
export type Adapter<Channel, Content, Call extends AdapterCall = AdapterCall> = {
  /** Asks the platform, changes nothing there. Throws DeliveryFailed. */
  validate(channel: Channel, signal?: AbortSignal): Promise<Json>;
  /** Throws DeliveryFailed only when it is certain that nothing was created. */
  publish(channel: Channel, content: Content, call: Call): Promise<PublishAnswer>;
};

export type AdapterCall = {
  /** Names this publication for ever: sent along where the platform takes it, logged where not. */
  idempotencyKey: string;
  signal?: AbortSignal;
};

export type PublishAnswer =
  | {
      outcome: 'sent';
      providerMessageId: string;
      url: string | null;
      /** It is there as a draft: only its owner sees it, at `url`. */
      isDraft?: true;
      /** What the platform did not take, in words for the person. */
      warnings: readonly string[];
      /** There, and the picture that it was to have is not. */
      withoutPicture?: true;
      raw: Json;
    }
  /** It may be there. Never repeated blindly: a look at the platform, or the person, decides. */
  | { outcome: 'unknown'; message: string; withoutPicture?: true; raw: Json };
