import { openDatabase, type Sql } from '../../src/store/database.ts';
import { startOwnPostgres } from '../crash/throwaway-servers.ts';
import { startContestant } from './autopost-contestant.ts';
import { WORKSPACE } from './autopost-ground.ts';
import { CHANNELS } from './autopost-post.ts';
import { postmasterOf, type Round, type Runner, round } from './autopost-round.ts';
import { startSink } from './autopost-sink.ts';
import { median, type Outcome } from './outcome.ts';
import { createDatabase } from './own-database.ts';

const OLD_DELIVERIES = 1_000_000;
const DELIVERIES = 2_000;
const ROUNDS = 4;

/** What a delivery costs when a million finished ones lie in the same tables, beside one in empty tables. */
export async function autopostOldRows(): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    // As on any server that keeps a million rows: what is used lies in memory.
    const postgres = await startOwnPostgres({ shared_buffers: '1GB' });
    closing.push(postgres.close);
    const sink = await startSink();
    closing.push(sink.close);
    const serverPid = await postmasterOf(postgres.url);
    const start = async (name: string): Promise<Runner & { url: string }> => {
      const url = await createDatabase(postgres.url, name);
      const env = { CONTESTANT: name, DATABASE_URL: url, API_ROOT: sink.apiRoot };
      const contestant = await startContestant('test/bench/autopost-ours.ts', env);
      closing.push(() => contestant.child.disconnect());
      return { ...contestant, serverPid, url };
    };
    const empty = await start('empty');
    const full = await start('full');
    await addOldDeliveries(full.url);

    const rounds = { empty: [] as Round[], full: [] as Round[] };
    for (const one of [empty, full]) await round(one, sink, DELIVERIES); // warms up
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const name of n % 2 === 0 ? (['empty', 'full'] as const) : (['full', 'empty'] as const))
        rounds[name].push(await round(name === 'empty' ? empty : full, sink, DELIVERIES));
    }
    return outcomeOf(rounds.full, rounds.empty);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function outcomeOf(full: Round[], empty: Round[]): Outcome {
  const cost = (rounds: Round[]) => median(rounds.map((one) => one.cpuMicros + one.serverMicros));
  const speed = (rounds: Round[]) => Math.round(median(rounds.map(({ perSecond }) => perSecond)));
  return {
    case: 'autopost-old-rows',
    ours: Math.round(cost(full)),
    peer: Math.round(cost(empty)),
    ratio: cost(full) / cost(empty),
    unit: 'µs of CPU per delivery',
    notes:
      `${OLD_DELIVERIES} finished deliveries to the same ${CHANNELS} channels, their messages and as many events in ` +
      `the tables; peer: the same dispatcher on empty ones; dispatcher and database together, ${ROUNDS} rounds of ` +
      `${DELIVERIES} deliveries each, alternating, medians; per second ${speed(full)} and ${speed(empty)}`,
  };
}

/** Events are kept a third as long as deliveries, hence one for each and not three. */
async function addOldDeliveries(url: string): Promise<void> {
  const { sql, close } = await openDatabase({ url, dataDir: '', max: 1 });
  await sql`set session_replication_role = replica`; // neither triggers nor foreign keys: the rows are right
  await withoutIndexes(sql, ['messages', 'deliveries', 'events'], async () => {
    await sql`
      insert into messages (workspace_id, message_id, content_hash, payload, last_seen_at, created_at)
      select ${WORKSPACE}, ${idAt('old_moment', "'message' || m")}, encode(sha256(('old ' || m)::bytea), 'hex'),
        jsonb_build_object('type', 'text', 'text', 'Old post ' || m), old_moment, old_moment
      from generate_series(1, ${OLD_DELIVERIES / CHANNELS}) as m
      cross join lateral (select now() - interval '10 days' - m * interval '30 minutes' as old_moment) as age`;
    await sql`
      insert into deliveries (workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, not_before,
        status, attempt, sent_at, provider_message_id, rendered_text, claim_token, claimed_at, heartbeat_at,
        sending_started_at, created_at, updated_at)
      select m.workspace_id, ${idAt('m.created_at', 'm.message_id::text || c.channel_id')}, m.message_id, c.channel_id, m.hash_version,
        m.content_hash, m.created_at, 'sent', 1, m.created_at, '1', m.payload ->> 'text', 'an old claim', m.created_at,
        m.created_at, m.created_at, m.created_at, m.created_at
      from messages m cross join channels c`;
    await sql`
      insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt)
      select workspace_id, ${idAt('sent_at', "'sent' || delivery_id")}, delivery_id, message_id, channel_id, sent_at, 'sent', 1
      from deliveries`;
  });
  await sql`vacuum (analyze) messages, deliveries, events`;
  await close();

  /** Ordered by time, as `ordered_uuid` gives them. */
  function idAt(moment: string, seed: string) {
    return sql.unsafe(
      `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7' || left(md5(${seed}), 19))::uuid`,
    );
  }
}

/** Built at the end they take a third of the time. */
async function withoutIndexes(sql: Sql, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = any(${[...tables]}) and indexname not in (select conname from pg_constraint)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await fill();
  await sql`set maintenance_work_mem = '256MB'`;
  for (const { definition } of indexes) await sql.unsafe(definition);
}
