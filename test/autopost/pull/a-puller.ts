import { makeMediaShelf } from '../../../src/autopost/media/media-shelf.ts';
import { makePrepareItem } from '../../../src/autopost/pull/prepare-item.ts';
import { makePuller } from '../../../src/autopost/pull/pull.ts';
import { makePullApi } from '../../../src/autopost/pull/pull-api.ts';
import { makePullDb } from '../../../src/autopost/pull/pull-db.ts';
import { makePullRss } from '../../../src/autopost/pull/pull-rss.ts';
import { readDocument, type SourceDocument } from '../../../src/autopost/pull/read-document.ts';
import { makeEnqueue } from '../../../src/autopost/store/enqueue.ts';
import { makeIngestRuns } from '../../../src/autopost/store/ingest-runs.ts';
import { makeMedia } from '../../../src/autopost/store/media.ts';
import {
  makePullSources,
  type NewPullSource,
  type PullCursor,
} from '../../../src/autopost/store/pull-sources.ts';
import { createForeignDatabase } from '../../../src/clients/foreign-database.ts';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import type { Sql } from '../../../src/store/database.ts';
import { inMemory, quiet } from '../ingest/an-entrance.ts';
import { aWorkspace, sealing } from '../store/a-workspace.ts';

type Enqueue = ReturnType<typeof makeEnqueue>;

/** A workspace with one channel and a process that pulls. Sources of other tests are switched off. */
export async function aPuller(sql: Sql, { allowPrivate = true, enqueue = makeEnqueue(sql) as Enqueue } = {}) {
  await sql`update pull_sources set enabled = false`;
  const workspace = await aWorkspace(sql);
  const { id } = workspace;
  const sources = makePullSources(sql, sealing);
  const fetch = createGuardedFetch({ allowPrivate, mostBytes: 100_000, mostMs: 2_000 });
  const shelf = makeMediaShelf({ files: inMemory(new Map()), fetch, media: makeMedia(sql) });
  const rings = { count: 0 };
  // In life in a thread, whose start takes half a second.
  const read = async (document: SourceDocument) => readDocument(document);
  const puller = makePuller({
    sources,
    runs: makeIngestRuns(sql),
    readers: {
      rss: makePullRss(fetch, read),
      api: makePullApi(fetch, read),
      db: makePullDb(createForeignDatabase({ allowPrivate, statementMs: 1_000 })),
    },
    prepareItem: makePrepareItem(shelf),
    enqueue,
    onEnqueued: () => {
      rings.count += 1;
    },
    log: quiet,
    tickMs: 10,
  });
  return { ...workspace, sources, puller, rings, save, pull, texts, cursor, runs, source };

  function save(config: NewPullSource['config'], more: Partial<NewPullSource> = {}) {
    return sources.save(id, { sourceId: 'feed', kind: 'rss', config, ...more });
  }

  /** Due again, whenever it would be. */
  async function pull() {
    await sql`update pull_sources set next_run_at = now() where workspace_id = ${id}`;
    await puller.runDue();
  }

  async function texts(): Promise<string[]> {
    const rows = await sql<{ text: string }[]>`
      select rendered_text as text from deliveries where workspace_id = ${id} order by seq`;
    return rows.map(({ text }) => text);
  }

  async function cursor(): Promise<PullCursor> {
    const [row] = await sql<{ cursor: PullCursor }[]>`
      select cursor_json as cursor from pull_cursors where workspace_id = ${id}`;
    return row?.cursor ?? {};
  }

  function runs() {
    return sql<{ stats: Record<string, unknown>; finished: boolean }[]>`
      select stats_json as stats, finished_at is not null as finished from ingest_runs
      where workspace_id = ${id} and kind = 'pull' order by started_at`;
  }

  async function source() {
    const [row] = await sql`select failures, lease_token, sealed_secret,
      extract(epoch from next_run_at - clock_timestamp())::float8 as next_in from pull_sources where workspace_id = ${id}`;
    return row;
  }
}
