import { tmpdir } from 'node:os';
import { createGuardedFetch } from '../../src/clients/http/guarded-fetch.ts';
import { composeAutopost } from '../../src/compose/autopost.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase, type Sql } from '../../src/store/database.ts';
import { createPictureFolder } from '../../src/store/picture-folder.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { CHANNELS, TOKEN } from './autopost-post.ts';

export const WORKSPACE = 'bench';
const KEY = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

/** Autoposting as it is composed for a bot, on a database of the bench, with the sink as its Telegram. */
export async function openAutopost(url: string, apiRoot: string) {
  const database = await openDatabase({ url, dataDir: '' });
  const autopost = composeAutopost({
    database,
    sealing: createSealing([KEY]),
    telegram: { apiRoot },
    max: { baseUrl: apiRoot },
    files: createPictureFolder({ folder: tmpdir(), key: Buffer.alloc(32), baseUrl: apiRoot }),
    fetch: createGuardedFetch({ allowPrivate: true }),
    log: createLog('info'),
    settings: { concurrency: 10 },
  });
  return { ...autopost, database };
}

type Autopost = Awaited<ReturnType<typeof openAutopost>>;

/** Of a tenant whose channels never have to wait: half have no limit, the others one that is never reached. */
export async function addChannels(
  { database: { sql }, stores: { workspaces } }: Autopost,
  channels = CHANNELS,
): Promise<void> {
  await workspaces.save(WORKSPACE, 'The bench');
  await workspaces.saveCredential(WORKSPACE, 'bot', 'telegram', { token: TOKEN });
  await workspaces.saveLimit(WORKSPACE, 'telegram', 'limited', 1_000_000);
  await sql`
    insert into channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group, rate_rps)
    select ${WORKSPACE}, 'c' || i, 'telegram', '-100' || i, 'bot', case i % 2 when 0 then 'free' else 'limited' end,
      case i % 2 when 0 then 0 else 10000 end
    from generate_series(1, ${channels}) as i
    on conflict do nothing`;
}

/** Nothing waits, nothing is in anybody's hands. */
export async function isEmpty(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ busy: boolean }]>`
    select exists (select from deliveries where is_waiting) or exists (select from deliveries where is_in_hand) as busy`;
  return !row.busy;
}
