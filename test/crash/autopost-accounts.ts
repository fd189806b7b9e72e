import type { Sql } from '../../src/store/database.ts';
import type { Arrived, ChannelPlan } from './autopost-ground.ts';

export type Kept = { id: string; channelId: string; text: string; status: string; attempt: number };

/** What the database believes, in the order of each channel. */
export async function keptDeliveries(sql: Sql): Promise<Kept[]> {
  return sql<Kept[]>`
    select delivery_id as id, channel_id as "channelId", rendered_text as text, status, attempt
    from deliveries order by channel_id, seq`;
}

/** Everything that must not be, in words. Empty: the books and the chats agree. */
export function disagreements(
  kept: readonly Kept[],
  arrived: readonly Arrived[],
  plans: readonly ChannelPlan[],
): string[] {
  const chatOf = new Map(plans.map(({ channelId, chat }) => [channelId, chat]));
  const times = new Map<string, number>();
  const key = (chat: string, text: string) => `${chat}: ${text}`;
  for (const { chat, text } of arrived) times.set(key(chat, text), (times.get(key(chat, text)) ?? 0) + 1);
  const booked = new Map(kept.map((one) => [key(chatOf.get(one.channelId)!, one.text), one]));
  return [
    ...kept.flatMap((one) => ofDelivery(one, times.get(key(chatOf.get(one.channelId)!, one.text)) ?? 0)),
    ...[...times.keys()].filter((name) => !booked.has(name)).map((name) => `nobody sent ${name}`),
    ...plans.flatMap((plan) => ofChannel(plan, kept, arrived)),
  ];
}

function ofDelivery({ channelId, text, status }: Kept, arrivals: number): string[] {
  const about = `${channelId} "${text}" is ${status} and arrived ${arrivals} times`;
  const isRight = status === 'sent' ? arrivals === 1 : status === 'unknown' && arrivals <= 1;
  return isRight ? [] : [about];
}

function ofChannel(plan: ChannelPlan, kept: readonly Kept[], arrived: readonly Arrived[]): string[] {
  const here = arrived.filter(({ chat }) => chat === plan.chat).toSorted((a, b) => a.at - b.at);
  const order = kept.filter(({ channelId }) => channelId === plan.channelId).map(({ text }) => text);
  const places = here.map(({ text }) => order.indexOf(text));
  const isOrdered = places.every((place, i) => i === 0 || place > places[i - 1]!);
  const tooClose = plan.rateRps > 0 ? closerThan(1_000 / plan.rateRps - CLOCK_MS, here) : [];
  return [
    ...(isOrdered ? [] : [`${plan.channelId} is out of order: ${places.join(' ')}`]),
    ...tooClose.map((ms) => `${plan.channelId} got two within ${ms} ms`),
  ];
}

/** Two clocks take part, each in whole milliseconds. */
const CLOCK_MS = 2;

function closerThan(ms: number, here: readonly Arrived[]): number[] {
  return here.slice(1).flatMap(({ at }, i) => (at - here[i]!.at < ms ? [at - here[i]!.at] : []));
}

/** Attempts without a word about what became of them. */
export async function unexplainedAttempts(sql: Sql): Promise<string[]> {
  const rows = await sql<{ about: string }[]>`
    select delivery_id || ' attempt ' || attempt as about from events e
    where action = 'send_attempt' and not exists (
      select from events r where r.workspace_id = e.workspace_id and r.delivery_id = e.delivery_id
        and r.attempt = e.attempt and r.action in ('sent', 'retry_scheduled', 'failed_permanent', 'dead_letter',
          'result_unknown', 'sending_lease_expired'))`;
  const uncounted = await sql<{ about: string }[]>`
    select d.delivery_id || ' has ' || d.attempt || ' attempts and ' || count(e.id) || ' on record' as about
    from deliveries d left join events e on e.workspace_id = d.workspace_id and e.delivery_id = d.delivery_id
      and e.action = 'send_attempt'
    group by d.workspace_id, d.delivery_id having d.attempt <> count(e.id)`;
  return [...rows, ...uncounted].map(({ about }) => about);
}
