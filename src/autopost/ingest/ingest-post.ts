import { randomUUID } from 'node:crypto';
import type { MediaShelf } from '../media/media-shelf.ts';
import { MediaUnavailable } from '../media/media-unavailable.ts';
import { keepItems } from '../pull/keep-items.ts';
import { faultInWords } from '../queue/fault-in-words.ts';
import type { Enqueued } from '../store/enqueue.ts';
import { type Refused, refused } from '../store/gate-refusal.ts';
import type { IngestRuns } from '../store/ingest-runs.ts';
import type { KnowsSecret } from '../store/known-secrets.ts';
import type { Push, Pushed, PushRequest, Rejection } from '../store/push.ts';
import { type NormalPost, normalisePost } from './normalise-post.ts';
import { type Problem, type ReadBody, readPostBody } from './read-post-body.ts';
import { toMessage } from './to-message.ts';

type IngestRequest = {
  secret: string;
  bytes: number;
  /** Null: longer than the limit, and not read. */
  json: string | null;
};

export type Ingested =
  | ({ outcome: 'accepted'; rejections: Rejection[] } & Pick<
      Enqueued,
      'messageId' | 'queued' | 'suppressed' | 'rejected'
    >)
  | Refused
  | { outcome: 'invalid'; problems: Problem[] }
  | { outcome: 'media-unavailable'; url: string; message: string; retryable: boolean };

export type IngestPost = (request: IngestRequest) => Promise<Ingested & { traceId: string }>;

type Deps = {
  knows: KnowsSecret;
  push: Push;
  runs: Pick<IngestRuns, 'countPush'>;
  shelf: Pick<MediaShelf, 'keep'>;
  onEnqueued(): void;
  /** For all files of a post together. */
  mediaWithinMs?: number;
};

/**
 * A pushed post. What can be said of it without the database is said first, so that a post without files takes one
 * question: it is admitted and enqueued, or neither. A post with files passes the gate first, and leaves its receipt
 * only when the files are here. Of a stranger nothing is read at all.
 */
export function makeIngestPost(deps: Deps): IngestPost {
  const { knows, push, runs, shelf, onEnqueued, mediaWithinMs = 60_000 } = deps;
  return async (request) => {
    const traceId = randomUUID();
    return { ...(await ingest(request, traceId)), traceId };
  };

  async function ingest({ secret, bytes, json }: IngestRequest, traceId: string): Promise<Ingested> {
    if (!(await knows(secret))) return { outcome: 'unauthorised' };
    const read = readJson(json);
    if (!read.ok) {
      const gate = await push({ secret, bytes, content: '', sourceRef: null, step: 'invalid' });
      return gate.outcome === 'accepted' ? { outcome: 'invalid', problems: read.problems } : refused(gate);
    }
    const post = normalisePost(read.body);
    const knock = { secret, bytes, content: JSON.stringify(read.body), sourceRef: post.sourceRef };
    if (post.shown.media.length > 0) return ingestWithMedia(knock, post, traceId);
    const message = { ...toMessage(post, []), traceId };
    return settled(await push({ ...knock, step: 'whole', message }));
  }

  async function ingestWithMedia(
    knock: Omit<PushRequest, 'step'>,
    post: NormalPost,
    traceId: string,
  ): Promise<Ingested> {
    const gate = await push({ ...knock, step: 'gate' });
    if (gate.outcome !== 'accepted') return refused(gate);
    try {
      const items = await keepItems(shelf, gate.workspaceId, post, { withinMs: mediaWithinMs });
      const message = { ...toMessage(post, items), traceId };
      return settled(await push({ ...knock, step: 'receipt', message }));
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) throw error;
      await runs.countPush(gate.workspaceId, gate.endpointId, 'media_unavailable');
      const { url, userMessage: message, retryable } = error;
      return { outcome: 'media-unavailable', url, message, retryable };
    }
  }

  function settled(pushed: Pushed): Ingested {
    if (pushed.outcome !== 'accepted') return refused(pushed);
    const { messageId, queued, suppressed, rejected, rejections } = pushed;
    if (queued > 0) onEnqueued();
    const inWords = (rejections ?? []).map((one) => ({ ...one, reason: faultInWords(one.reason) }));
    return { outcome: 'accepted', messageId, queued, suppressed, rejected, rejections: inWords };
  }
}

function readJson(json: string | null): ReadBody {
  try {
    return readPostBody(JSON.parse(json ?? ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problems: [{ field: '', problem: 'это не JSON' }] };
  }
}
