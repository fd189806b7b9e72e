import type { DialogueProgress } from '../../machines/ai-chat.ts';
import type { PastDialogue } from '../screens/pages/trainer.ts';
import type { Sql, TransactionSql } from './database.ts';

type MessageMetadata = {
  case_id: string;
  channel: 'dialogue' | 'reviewer';
  /** One start of a case. */
  session: string;
  /** 0: before the person's first words. */
  turn: number;
  /** Of the counterpart's answers: what the person's words reached, and what all of them have so far. */
  achieved?: readonly string[];
  total?: readonly string[];
};

export type Message = {
  provider: string;
  role: 'system' | 'user' | 'assistant';
  content: string;
  metadata: MessageMetadata;
};

type OpenDialogue = DialogueProgress & { caseId: string };

/** A dialogue idle for longer is no longer offered. */
export const OPEN_HOURS = 24;

/** The table `conversations`: append only, but for the time at which a session was finished. */
export function makeConversations(sql: Sql) {
  return { begin, append, keepReview, history, open, lastReply, review, past, clearCase, clearAll };

  /** A new session of a case, instead of the one before. */
  async function begin(tx: TransactionSql, userId: number, messages: readonly Message[]): Promise<void> {
    await clearCase(userId, messages[0]!.metadata.case_id, tx);
    await insert(tx, userId, messages, tx`null`);
  }

  /** What is said after the dialogue was finished does not open it again. */
  async function append(tx: TransactionSql, userId: number, messages: readonly Message[]): Promise<void> {
    await tx`select lock_conversations(${userId})`;
    const { session } = messages[0]!.metadata;
    const [known] = await tx`
      select from conversations
      where user_id = ${userId} and finished_at is null and metadata ->> 'session' = ${session} limit 1`;
    await insert(tx, userId, messages, known ? tx`null` : tx`clock_timestamp()`);
  }

  /** A reviewer's session is over as soon as the analysis is there. */
  function keepReview(tx: TransactionSql, userId: number, messages: readonly Message[]): Promise<void> {
    return insert(tx, userId, messages, tx`clock_timestamp()`);
  }

  /**
   * Each message a microsecond later than the one before: they are read in the order of their times. A clock may stand
   * still between two calls (PGlite's counts milliseconds), so it also follows the last message of the person.
   */
  async function insert(
    tx: TransactionSql,
    userId: number,
    messages: readonly Message[],
    finishedAt: ReturnType<TransactionSql>,
  ): Promise<void> {
    await tx`
      insert into conversations (user_id, provider_type, role, content, metadata, created_at, finished_at)
      select ${userId}, m.message ->> 'provider', m.message ->> 'role', m.message ->> 'content',
        m.message -> 'metadata', last.said_at + m.place * interval '1 microsecond', ${finishedAt}
      from jsonb_array_elements(${JSON.stringify(messages)}::text::jsonb) with ordinality as m(message, place),
        (select greatest(clock_timestamp(), max(created_at)) as said_at
         from conversations where user_id = ${userId}) as last`;
  }

  /** Of the dialogue, oldest first, from every provider; empty when it was finished. */
  async function history(userId: number, session: string): Promise<Pick<Message, 'role' | 'content'>[]> {
    return sql<Pick<Message, 'role' | 'content'>[]>`
      select role, content from conversations
      where user_id = ${userId} and finished_at is null
        and metadata ->> 'session' = ${session} and metadata ->> 'channel' = 'dialogue'
      order by created_at, id`;
  }

  /** Dialogues that may be gone on with, the latest first. */
  async function open(userId: number): Promise<OpenDialogue[]> {
    const rows = await sql<{ caseId: string; session: string; answers: Required<MessageMetadata>[] }[]>`
      select metadata ->> 'case_id' as "caseId", metadata ->> 'session' as session,
        coalesce(jsonb_agg(metadata order by created_at) filter (where role = 'assistant'
          and (metadata ->> 'turn')::integer > 0), '[]') as answers
      from conversations
      where user_id = ${userId} and finished_at is null and metadata ->> 'channel' = 'dialogue'
      group by 1, 2
      having max(created_at) > now() - ${OPEN_HOURS} * interval '1 hour'
      order by max(created_at) desc`;
    return rows.map(({ caseId, session, answers }) => ({
      caseId,
      session,
      turn_count: answers.length,
      dialogue_entries: answers.map(({ turn, achieved }) => ({ turn, achieved })),
      total_provd_achieved: answers.at(-1)?.total ?? [],
    }));
  }

  function lastReply(userId: number, session: string): Promise<string | null> {
    return latest(userId, session, 'dialogue');
  }

  /** The latest analysis, as JSON. */
  function review(userId: number, session: string): Promise<string | null> {
    return latest(userId, session, 'reviewer');
  }

  async function latest(userId: number, session: string, channel: MessageMetadata['channel']) {
    const [row] = await sql<{ content: string }[]>`
      select content from conversations
      where user_id = ${userId} and role = 'assistant'
        and metadata ->> 'session' = ${session} and metadata ->> 'channel' = ${channel}
      order by created_at desc, id desc limit 1`;
    return row?.content ?? null;
  }

  /** Dialogues in which at least one thing was said, the latest first. */
  async function past(userId: number, most: number): Promise<PastDialogue[]> {
    return sql<PastDialogue[]>`
      select metadata ->> 'case_id' as "caseId", max(created_at)::text as at,
        max((metadata ->> 'turn')::integer) as turns,
        max(jsonb_array_length(coalesce(metadata -> 'total', '[]'))) as reached,
        bool_or(metadata ->> 'channel' = 'reviewer') as "isReviewed"
      from conversations
      where user_id = ${userId}
      group by metadata ->> 'session', metadata ->> 'case_id'
      having max((metadata ->> 'turn')::integer) > 0
      order by max(created_at) desc limit ${most}`;
  }

  async function clearCase(userId: number, caseId: string, within: Sql | TransactionSql = sql) {
    const [row] = await within<[{ finished: number }]>`
      select clear_case_conversations(${caseId}, ${userId}) as finished`;
    return row.finished;
  }

  async function clearAll(userId: number): Promise<number> {
    const [row] = await sql<[{ finished: number }]>`
      select clear_all_conversations(${userId}) as finished`;
    return row.finished;
  }
}

export type Conversations = ReturnType<typeof makeConversations>;
