import type { Sql } from '../../store/database.ts';
import type { DeliveryStatus, NormalizedError } from './delivery.ts';
import { type Hold, hold, holders } from './holds.ts';

export type DeliveryLife = {
  deliveryId: string;
  messageId: string;
  channelId: string;
  channelTitle: string | null;
  status: DeliveryStatus;
  attempt: number;
  attemptLimit: number;
  /** While it waits: what keeps its channel from sending, and until when; or the delivery that goes first. */
  hold: Hold | null;
  holdUntil: Date | null;
  behind: string | null;
  notBefore: Date;
  nextRetryAt: Date | null;
  sentAt: Date | null;
  providerMessageId: string | null;
  lastError: Partial<NormalizedError> | null;
  text: string | null;
  events: {
    ts: Date;
    action: string;
    attempt: number;
    result: 'ok' | 'error';
    error: Partial<NormalizedError> | null;
    meta: { [name: string]: unknown };
  }[];
};

/** One delivery and its events, the oldest first. Null: no such delivery. */
export const makeDeliveryLife =
  (sql: Sql) =>
  async (workspaceId: string, deliveryId: string): Promise<DeliveryLife | null> => {
    const [delivery] = await sql<Omit<DeliveryLife, 'events'>[]>`
      select d.delivery_id as "deliveryId", d.message_id as "messageId", d.channel_id as "channelId",
        c.title as "channelTitle", d.status, d.attempt, d.attempt_limit as "attemptLimit", d.not_before as "notBefore",
        d.next_retry_at as "nextRetryAt", case when d.is_waiting then ${hold(sql)} end as hold,
        case ${hold(sql)} when 'paused' then c.paused_until when 'group' then l.cooldown_until end as "holdUntil",
        case when d.is_waiting and c.max_parallel = 1 then (
          select earlier.delivery_id from deliveries earlier
          where earlier.workspace_id = d.workspace_id and earlier.channel_id = d.channel_id and earlier.seq < d.seq
            and (earlier.is_waiting or earlier.is_in_hand) order by earlier.seq limit 1) end as behind,
        d.sent_at as "sentAt", d.provider_message_id as "providerMessageId",
        d.last_error as "lastError", d.rendered_text as text
      from deliveries d join channels c on c.workspace_id = d.workspace_id and c.channel_id = d.channel_id
      ${holders(sql)}
      where d.workspace_id = ${workspaceId} and d.delivery_id = ${deliveryId}`;
    if (!delivery) return null;
    const events = await sql<DeliveryLife['events']>`
      select ts, action, attempt, result, error, meta from events
      where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} order by ts, id`;
    return { ...delivery, events: [...events] };
  };
