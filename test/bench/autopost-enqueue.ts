import { makeEnqueue } from '../../src/autopost/store/enqueue.ts';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { startOwnPostgres } from '../crash/throwaway-servers.ts';
import { median, type Outcome, spread } from './outcome.ts';

const CHANNELS = 1000;
const MESSAGES = 20;

/** One message to a thousand channels, on a real PostgreSQL that knows nothing of them yet: no statistics, no plans. */
export async function autopostEnqueue(): Promise<Outcome> {
  const postgres = await startOwnPostgres();
  const { sql, close } = await openDatabase({ url: postgres.url, dataDir: '' });
  try {
    await applySchema(sql);
    await sql`insert into workspaces (workspace_id, name) values ('bench', 'bench')`;
    await sql`
      insert into channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group)
      select 'bench', 'c' || i, 'telegram', i::text, 'bot', 'bot' from generate_series(1, ${CHANNELS}) as i`;
    const enqueue = makeEnqueue(sql);
    const times: number[] = [];
    for (let i = 0; i < MESSAGES; i++) {
      const before = performance.now();
      const payload = { text: `<b>Post ${i}</b> about windows`, meta: { parse_mode: 'HTML' as const } };
      const { queued } = await enqueue({ workspaceId: 'bench', endpointId: null, kind: 'push' }, { payload });
      times.push(performance.now() - before);
      if (queued !== CHANNELS) throw new Error(`queued for ${queued} channels`);
    }
    return {
      case: 'autopost-enqueue',
      ours: Math.round(median(times)),
      peer: null,
      ratio: null,
      unit: 'ms per message',
      notes: `${MESSAGES} messages to ${CHANNELS} channels each with dedup and audit, ${spread(times)} ms; target under 100`,
    };
  } finally {
    await close();
    await postgres.close();
  }
}
