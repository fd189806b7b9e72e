import type { Connection } from '../store/connections.ts';
import type { AdapterCall, PublishAnswer } from './adapter.ts';
import type { SeriesProgress } from './messenger/messenger.ts';

/** A post as it goes out. */
export type PostToPublish = {
  /** With the markup that the platform reads. */
  text: string;
  /** A pin's. */
  title: string | null;
  /** To the company's site, where the platform has a place for it beside the text. */
  link: string | null;
  /** What the picture shows, for those who do not see it. */
  alt: string;
  /** As it is stored. */
  picture: Uint8Array | null;
};

export type PostCall = AdapterCall & {
  /** Whose connection it is. */
  userId: number;
  signal: AbortSignal;
  /** Awaited right before every request that creates something. If it throws, nothing was sent. */
  beforeCall(): Promise<void>;
  /** Of an earlier process: what was acknowledged then is not sent again. */
  progress: SeriesProgress;
  /** Awaited after every acknowledged request of several. */
  onProgress(progress: SeriesProgress): Promise<void>;
};

/** Publishes through one connection of a person. Throws DeliveryFailed only when nothing was created. */
export type PostPublisher = {
  publish(
    connection: Connection,
    credentials: unknown,
    post: PostToPublish,
    call: PostCall,
  ): Promise<PublishAnswer>;
  /** How long the platform knows our key: within it, a request whose answer was lost may be made again. */
  knowsKeysMs?: number;
};
