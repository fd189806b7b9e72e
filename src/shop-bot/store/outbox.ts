import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';
import type { AnswerPayload } from '../compose-answers.ts';

/** An answer whose attempt is on record: this worker alone sends it. */
export type AnswerToSend = { id: number; workspaceId: string; payload: AnswerPayload; attempts: number };

export type AnswerResult = {
  id: number;
  status: 'sent' | 'unknown' | 'failed' | 'queued';
  provider_message_id?: string;
  error?: Json;
  /** Of `queued`: until the next try. */
  wait_ms?: number;
};

type AnswerStatus = 'queued' | 'sending' | 'sent' | 'unknown' | 'failed';

type AnswerLine = {
  id: number;
  chatId: string;
  inboundId: string;
  status: AnswerStatus;
  attempts: number;
  text: string;
  error: Json;
  createdAt: Date;
  sentAt: Date | null;
};

export type Outbox = ReturnType<typeof makeOutbox>;

export function makeOutbox(sql: Sql) {
  return { begin, claim, note, lose, list, resolve };

  /** The attempts that are on record now; what another process took is not among them. */
  async function begin(ids: readonly number[]): Promise<Set<number>> {
    const rows = await sql<{ id: number }[]>`select begin_bot_answers(${[...ids]}::bigint[]) as id`;
    return new Set(rows.map(({ id }) => id));
  }

  async function claim(limit: number): Promise<AnswerToSend[]> {
    return sql`select id, workspace_id as "workspaceId", payload, attempts from claim_bot_answers(${limit})`;
  }

  /** Returns what comes next in the chats that are free now. */
  async function note(results: readonly AnswerResult[]): Promise<AnswerToSend[]> {
    return sql`
      select id, workspace_id as "workspaceId", payload, attempts
      from note_bot_answers(${JSON.stringify(results)}::text::jsonb)`;
  }

  /** Attempts that are older than any call may take, and have no result. */
  async function lose(leaseMs: number): Promise<{ id: number; workspaceId: string; chatId: string }[]> {
    return sql`
      select id, workspace_id as "workspaceId", chat_id as "chatId"
      from lose_bot_answers(${leaseMs} * interval '1 ms')`;
  }

  /** The newest first. */
  function list(
    workspaceId: string,
    {
      status,
      chatId,
      limit = 50,
    }: { status?: AnswerStatus | undefined; chatId?: string; limit?: number } = {},
  ): Promise<AnswerLine[]> {
    return sql`
      select id, chat_id as "chatId", inbound_provider_message_id as "inboundId", status, attempts,
        payload ->> 'text' as text, last_error as error, created_at as "createdAt", sent_at as "sentAt"
      from bot_outbox where workspace_id = ${workspaceId} ${status ? sql`and status = ${status}` : sql``}
        ${chatId === undefined ? sql`` : sql`and chat_id = ${chatId}`}
      order by id desc limit ${limit}`;
  }

  /** An operator looked into the chat: an unknown answer is there, or goes out once more. False: it was not unknown. */
  async function resolve(workspaceId: string, id: number, status: 'sent' | 'queued'): Promise<boolean> {
    const { count } = await sql`
      update bot_outbox set status = ${status}, next_try_at = clock_timestamp(),
        sent_at = case when ${status} = 'sent' then clock_timestamp() end
      where workspace_id = ${workspaceId} and id = ${id} and status in ('unknown', 'failed')`;
    return count === 1;
  }
}
