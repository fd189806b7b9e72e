import type { Json } from '../../engine/json.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql, TransactionSql } from '../../store/database.ts';
import { asJson, type PostMeta, type PostPayload } from './delivery.ts';

/** A message as the platforms get it, or why they cannot. */
export type Layout = {
  /** The text as a platform gets it; without it, the text of the payload. */
  renderings?: Partial<Record<ChannelPlatform, { text?: string; meta?: PostMeta }>>;
  /** Why a platform could not take it, as far as its own validation knows. */
  refusals?: Partial<Record<ChannelPlatform, string>>;
};

export type NewMessage = Layout & {
  payload: PostPayload;
  tags?: readonly string[];
  source?: Json;
  sourceRef?: string;
  traceId?: string;
  ingestRunId?: string;
  /** The same batch enqueues a message once per channel, and says nothing the second time. */
  batchId?: string;
  /** Raised when what counts as the same content changes. */
  hashVersion?: number;
  normalizationVersion?: number;
  templateVersion?: string;
  scheduledFor?: Date;
  attemptLimit?: number;
  /** Only these channels; without it, every channel whose filter takes the message. */
  channels?: readonly string[];
  /** By `settings.parse_mode` of a channel: what is laid out otherwise there. */
  inMarkup?: Readonly<Record<string, Layout>>;
};

export type Enqueued = {
  messageId: string;
  contentHash: string;
  queued: number;
  /** The same content is on its way there, or was sent within the channel's window. */
  suppressed: number;
  /** It can never be sent there: `failed_permanent` from the start. */
  rejected: number;
};

type Origin = { workspaceId: string; endpointId: string | null; kind: 'push' | 'pull'; now?: Date };

/** One message to all its channels in one statement. Inside a transaction, pass the transaction. */
export function makeEnqueue(sql: Sql) {
  return async (
    { workspaceId, endpointId, kind, now }: Origin,
    message: NewMessage,
    on: Sql | TransactionSql = sql,
  ): Promise<Enqueued> => {
    const [row] = await on<[Enqueued]>`
      select message_id as "messageId", content_hash as "contentHash", queued, suppressed, rejected
      from enqueue_messages_and_deliveries(${workspaceId}, ${endpointId}, ${kind},
        ${asJson(toRaw(message))}::text::jsonb, ${now ?? null})`;
    return row;
  };
}

/** As the functions of schema.sql read it. */
export const toRaw = (message: NewMessage) => ({
  payload: message.payload,
  tags: message.tags,
  source: message.source,
  source_ref: message.sourceRef,
  trace_id: message.traceId,
  ingest_run_id: message.ingestRunId,
  batch_id: message.batchId,
  hash_version: message.hashVersion,
  normalization_version: message.normalizationVersion,
  template_version: message.templateVersion,
  scheduled_for: message.scheduledFor,
  attempt_limit: message.attemptLimit,
  channels: message.channels,
  renderings: message.renderings,
  refusals: message.refusals,
  in_markup: message.inMarkup,
});
