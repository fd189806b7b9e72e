import type { Json } from '../../engine/json.ts';

/** Words of the tables of autoposting, as schema.sql has them. */

export type DeliveryStatus =
  | 'queued'
  | 'claimed'
  | 'sending'
  | 'sent'
  | 'retry'
  | 'deduped'
  | 'failed_permanent'
  | 'dead'
  | 'unknown';

/** What every adapter makes of a provider's refusal. The database masks and shortens it before it is kept. */
export type NormalizedError = {
  category: 'TRANSIENT' | 'PERMANENT';
  scope: 'delivery' | 'channel' | 'platform';
  code: string;
  message: string;
  retry_after_ms?: number;
  raw?: Json;
};

export type MediaItem = {
  type: string;
  url?: string;
  file_id?: string;
  blob_ref?: string;
  attachment_token?: string;
  sha256?: string;
  caption?: string;
};

export type PostMeta = {
  parse_mode?: 'HTML' | 'Markdown' | 'None';
  disable_preview?: boolean;
  buttons?: Json;
  [more: string]: Json | undefined;
};

export type PostPayload = {
  type?: 'text' | 'media';
  text?: string;
  media?: readonly MediaItem[];
  links?: readonly string[];
  meta?: PostMeta;
};

/** For a parameter `${…}::text::jsonb`: handed over as text, the driver does not try to guess its type. */
export const asJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));
