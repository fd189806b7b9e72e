import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Problem } from '../ingest/read-post-body.ts';
import { MediaUnavailable } from '../media/media-unavailable.ts';
import type { makeEnqueue } from '../store/enqueue.ts';
import type { IngestRuns } from '../store/ingest-runs.ts';
import {
  type HeldSource,
  type PullCursor,
  type PullError,
  type PullKind,
  type PullSources,
  SourceLost,
} from '../store/pull-sources.ts';
import { noteRejectedItem } from '../store/rejected-items.ts';
import type { PrepareItem } from './prepare-item.ts';
import { atTheEnd, behind, keyOf, whatIsNew } from './pull-cursor.ts';
import { moveOverlap } from './pull-overlap.ts';
import { type PulledItem, type ReadSource, readPullConfig } from './pull-source.ts';

export type PullRunDeps = {
  sources: Omit<PullSources, 'save' | 'claimDue'>;
  runs: Pick<IngestRuns, 'begin' | 'finish'>;
  readers: { readonly [Kind in PullKind]: ReadSource<Kind> };
  prepareItem: PrepareItem;
  enqueue: ReturnType<typeof makeEnqueue>;
  onEnqueued(): void;
  log: Log;
  /** A third of a source's lease. */
  renewEveryMs?: number;
  longestBackoffMs?: number;
};

type RunSource = (source: HeldSource, signal: AbortSignal) => Promise<void>;

/** How often a file that may come is waited for. */
const MOST_TRIES = 3;

/** One look at one source. Whatever goes wrong with it is written down and tried again later, ever less often. */
export function makePullRun(deps: PullRunDeps): RunSource {
  const { sources, runs, readers, prepareItem, enqueue, onEnqueued, log } = deps;
  const { longestBackoffMs = 3_600_000, renewEveryMs = 20_000 } = deps;
  return async (source, signal) => {
    const { workspaceId, sourceId } = source;
    const run = {
      runId: await runs.begin(workspaceId, sourceId),
      cursor: source.cursor,
      stats: { found: 0, accepted: 0, queued: 0, suppressed: 0, rejected: 0, invalid: 0, without_media: 0 },
    };
    const heartbeat = setInterval(() => {
      // Where it was lost, the next item finds out and stops.
      sources
        .renew(source)
        .catch((error) => log.warn({ err: error, source: sourceId }, 'a lease was not renewed'));
    }, renewEveryMs);
    const outcome = await look(source, run, signal)
      .catch((error: unknown) => ended(source, run, error, signal))
      .finally(() => clearInterval(heartbeat));
    await runs.finish(workspaceId, run.runId, { ...run.stats, ...outcome });
  };

  async function look(source: HeldSource, run: Run, signal: AbortSignal): Promise<Outcome> {
    const config = readPullConfig(source.kind, source.config);
    const read = readers[source.kind] as ReadSource<PullKind>; // the same kind on both sides
    const secret = await sources.secretOf(source);
    const readAt = Date.now();
    const pulled = await read(config, { secret, cursor: run.cursor, signal });
    const everyMs = config.every_seconds * 1_000;
    if (pulled === null) {
      await sources.finish(source, run.cursor, everyMs);
      return { not_modified: true };
    }
    const { cursor, fresh } = whatIsNew(run.cursor, pulled.items, config.first_items);
    run.cursor = cursor;
    run.stats.found = fresh.length;
    for (const item of fresh.slice(0, config.max_items)) await take(source, run, item, signal);
    if (source.kind === 'db') run.cursor = moveOverlap(run.cursor, readAt);
    if (fresh.length > config.max_items) await sources.finish(source, run.cursor, 0);
    else await sources.finish(source, atTheEnd(run.cursor, pulled.items, pulled.marks), everyMs);
    return {};
  }

  async function take(source: HeldSource, run: Run, item: PulledItem, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { workspaceId, sourceId, kind } = source;
    const key = keyOf(item);
    const tries = run.cursor.waiting?.key === key ? run.cursor.waiting.tries : 0;
    // In case it comes to nothing.
    run.cursor = { ...run.cursor, waiting: { key, tries: tries + 1 } };
    const mayWait = tries + 1 < MOST_TRIES;
    const prepared = await prepareItem(workspaceId, item, { mayWait, signal });
    run.stats.without_media += prepared.withoutMedia;
    const origin = { workspaceId, endpointId: null, kind: 'pull' as const };
    const words = { source: { source_id: sourceId, kind }, traceId: randomUUID(), ingestRunId: run.runId };
    const cursor = behind(run.cursor, item);
    const about = { source, itemId: item.id, runId: run.runId };
    const enqueued = await sources.advance(source, cursor, async (tx) => {
      if (prepared.message === null) {
        await noteRejectedItem(tx, { ...about, error: unpostable(prepared.problems) });
        return null;
      }
      const result = await enqueue(origin, { ...prepared.message, ...words }, tx);
      if (result.rejected > 0 && result.queued + result.suppressed === 0)
        await noteRejectedItem(tx, { ...about, error: SUITS_NOBODY });
      return result;
    });
    run.cursor = cursor;
    if (enqueued === null) {
      run.stats.invalid += 1;
      return;
    }
    run.stats.accepted += 1;
    run.stats.queued += enqueued.queued;
    run.stats.suppressed += enqueued.suppressed;
    run.stats.rejected += enqueued.rejected;
    if (enqueued.queued > 0) onEnqueued();
  }

  async function ended(source: HeldSource, run: Run, error: unknown, signal: AbortSignal): Promise<Outcome> {
    const about = { err: error, workspace: source.workspaceId, source: source.sourceId };
    if (error instanceof SourceLost) {
      log.warn(about, 'a source was taken over while it was read');
      return { lost: true };
    }
    if (signal.aborted) {
      await sources.giveBack(source);
      return { stopped: true };
    }
    log.warn(about, 'a source could not be read');
    const report: PullError = {
      code: error instanceof AppError ? error.code : 'PULL_FAILED',
      message: error instanceof Error ? error.message : String(error),
    };
    const { waiting: _, ...place } = run.cursor;
    const cursor = error instanceof MediaUnavailable ? run.cursor : place;
    await sources.fail(source, cursor, { error: report, nextInMs: backoffMs(source), runId: run.runId });
    return { error: report.code };
  }

  /** A source whose settings cannot be read has no pace of its own. */
  function backoffMs({ config, failures }: HeldSource): number {
    const seconds = (config as { every_seconds?: unknown } | null)?.every_seconds;
    const everyMs = typeof seconds === 'number' ? seconds * 1_000 : 300_000;
    return Math.max(everyMs, Math.min(everyMs * 2 ** failures, longestBackoffMs));
  }
}

const SUITS_NOBODY = { code: 'suits_no_channel', message: 'no channel takes it as it is' };

const unpostable = (problems: readonly Problem[]) => ({
  code: 'unpostable',
  message: problems.map(({ field, problem }) => (field ? `${field}: ${problem}` : problem)).join('; '),
});

type Run = {
  runId: string;
  /** Moves along with what was taken. */
  cursor: PullCursor;
  stats: Record<
    'found' | 'accepted' | 'queued' | 'suppressed' | 'rejected' | 'invalid' | 'without_media',
    number
  >;
};
type Outcome = Readonly<Record<string, string | boolean>>;
