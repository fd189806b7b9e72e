import type { Inbox, Letter, OpenLetter, Part } from '../engine/inbox.ts';
import type { Sql } from './database.ts';

type Row = {
  id: string;
  flow: string | null;
  run: string | null;
  event: string;
  parts: Part[];
  since: number;
};

/** Letters in the table `inbox`. Time is the caller's, as for the sessions: both are swept by the same clock. */
export function createPostgresInbox(sql: Sql, { botId }: { botId: number }): Inbox {
  return {
    async put(letter, dueAt = 0) {
      const { count } = await sql`
        insert into inbox (bot_id, id, user_id, flow, run, event, due_at)
        values (${botId}, ${letter.id}, ${letter.userId}, ${flowOf(letter)}, ${runOf(letter)},
          ${JSON.stringify(letter.event)}, ${new Date(dueAt)})
        on conflict (bot_id, id) do nothing`;
      return count === 1;
    },
    async collect(letter, part, dueAt) {
      const parts = sql`${JSON.stringify([part])}::text::jsonb`;
      const { count } = await sql`
        insert into inbox as known (bot_id, id, user_id, flow, run, event, parts, due_at)
        values (${botId}, ${letter.id}, ${letter.userId}, ${flowOf(letter)}, ${runOf(letter)},
          ${JSON.stringify(letter.event)}, ${parts}, ${new Date(dueAt)})
        on conflict (bot_id, id) do update
        set parts = case when known.parts @> ${parts} then known.parts else known.parts || ${parts} end,
          due_at = greatest(known.due_at, excluded.due_at)
        where known.settled_at is null`;
      if (count === 1) return 'collected';
      const place = sql`${JSON.stringify([{ place: part.place }])}::text::jsonb`;
      const [settled] = await sql<{ hasIt: boolean }[]>`
        select parts @> ${place} as "hasIt" from inbox where bot_id = ${botId} and id = ${letter.id}`;
      return settled?.hasIt ? 'repeat' : 'late';
    },
    async due(now, limit, claimMs) {
      const rows = await sql<{ userId: number }[]>`
        with chosen as (
          select id, user_id from inbox
          where bot_id = ${botId} and settled_at is null and due_at <= ${new Date(now)}
            and coalesce(claimed_until <= ${new Date(now)}, true)
          order by due_at, seq limit ${limit} for update skip locked
        ), claimed as (
          update inbox i set claimed_until = ${new Date(now + claimMs)} from chosen c
          where i.bot_id = ${botId} and i.id = c.id
        )
        select distinct user_id as "userId" from chosen`;
      return rows.map(({ userId }) => userId);
    },
    async open(userId, now) {
      const rows = await sql<Row[]>`
        select id, flow, run, event, parts, (extract(epoch from greatest(created_at, due_at)) * 1000)::double precision as since
        from inbox
        where bot_id = ${botId} and user_id = ${userId} and settled_at is null and due_at <= ${new Date(now)}
        order by seq`;
      return rows.map((row) => toLetter(userId, row));
    },
    async settle(id, outcome) {
      await sql`
        update inbox set settled_at = now(), outcome = ${outcome}, claimed_until = null
        where bot_id = ${botId} and id = ${id} and settled_at is null`;
    },
  };
}

const flowOf = ({ run }: Letter) => run?.flow ?? null;
const runOf = ({ run }: Letter) => run?.run ?? null;

function toLetter(userId: number, { id, flow, run, event, parts, since }: Row): OpenLetter {
  const address = flow !== null && run !== null ? { flow, run } : null;
  return { id, userId, run: address, event: JSON.parse(event), parts: inOrder(parts), since };
}

export const inOrder = (parts: Part[]): Part[] => [...parts].sort((a, b) => a.place - b.place);
