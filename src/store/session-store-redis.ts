import {
  type Attention,
  type DueRequest,
  type Hold,
  SEEN_UPDATES_TTL_SECONDS,
  type SessionStore,
  type Shown,
} from '../engine/session-store.ts';
import type { RedisClient } from './redis.ts';
import { namingOutages } from './redis-away.ts';
import { acquireScript, claimScript, postponeScript, releaseScript, saveScript } from './session-scripts.ts';

/**
 * People are spread over so many shards, each on one hash slot: a script changes a session together with the index of
 * its shard, also in a cluster. More would spread the load of a large cluster better, and every sweep asks them all.
 */
const SHARDS = 64;

/**
 * Sessions in Redis. Every call is one script, so one round trip, and all of it or nothing: on a single node, behind a
 * failover, and in a cluster. Which shard is whose is part of the stored data: with another number of shards, sessions
 * would not be found.
 */
export function createRedisSessionStore(redis: RedisClient, { prefix = 'seo' } = {}): SessionStore {
  const client = withScripts(redis);
  return namingOutages({ acquire, save, release, hasSeen, due, postpone, peek, forget });

  async function acquire(request: Acquire) {
    const { userId, ticket, order, updateId, asksOnce, throttlePerMinute, leaseMs } = request;
    const [outcome, ...record] = await client.sessionAcquire(
      keysOf(userId),
      ticket,
      leaseMs,
      order ?? 'inf',
      updateId ?? '',
      throttlePerMinute ?? '',
      asksOnce ? 1 : '',
    );
    if (outcome === 'wait' || outcome === 'throttled') return { outcome };
    const [revision, session, shownRevision, shownMessageId, attention] = record;
    const hold: Hold = {
      userId,
      token: ticket,
      revision: Number(revision ?? 0),
      session: session ?? null,
      shown: shownOf(shownRevision, shownMessageId),
      attention: unpacked(attention),
    };
    return { outcome, hold };
  }

  async function save(hold: Hold, { session, attention, updateId, ttlSeconds }: Save): Promise<Hold | null> {
    const saved = await client.sessionSave(
      keysOf(hold.userId),
      indexOf(hold.userId),
      hold.revision,
      session,
      packed(attention),
      Math.round(ttlSeconds * 1_000),
      updateId ?? '',
    );
    if (!saved) return null;
    return { ...hold, revision: hold.revision + 1, session, shown: shownOf(...saved), attention };
  }

  async function release(hold: Hold, { shown, attention, updateId, isUncounted }: Release) {
    await client.sessionRelease(
      keysOf(hold.userId),
      indexOf(hold.userId),
      hold.token,
      hold.revision,
      shown ? `${shown.revision} ${shown.messageId}` : '',
      attention === undefined ? 'keep' : packed(attention),
      updateId ?? '',
      isUncounted ? 1 : 0,
    );
  }

  async function hasSeen(userId: number, updateId: number) {
    const seenAt = await redis.zscore(`${keysOf(userId)}seen`, updateId);
    return seenAt !== null && Number(seenAt) > Date.now() - SEEN_UPDATES_TTL_SECONDS * 1_000;
  }

  /** Reads every shard first: usually nothing is due, and a claim then tells which of those found are still free. */
  async function due({ until, limit, claimUntil }: DueRequest) {
    const perShard = await Promise.all(
      everyShard.map((shard) =>
        redis.zrangebyscore(indexIn(shard), '-inf', until, 'WITHSCORES', 'LIMIT', 0, limit),
      ),
    );
    const oldest = perShard
      .flatMap(inPairs)
      .sort((a, b) => a.at - b.at)
      .slice(0, limit);
    const claimed = await Promise.all(
      everyShard.map((shard) => {
        const wanted = oldest.flatMap(({ userId }) => (shardOf(Number(userId)) === shard ? [userId] : []));
        if (wanted.length === 0) return [];
        const sessions = [`${prefix}:{${shard}}:`, ':session'];
        return client.sessionsClaim(indexIn(shard), ...sessions, until, claimUntil, ...wanted);
      }),
    );
    const mine = new Set(claimed.flat());
    return oldest.filter(({ userId }) => mine.has(userId)).map(({ userId }) => Number(userId));
  }

  async function postpone(userId: number, { of, at, owner }: Attention) {
    return (await client.sessionPostpone(keysOf(userId), indexOf(userId), of, at, owner)) === 1;
  }

  async function peek(userId: number) {
    return redis.hget(`${keysOf(userId)}session`, 'd');
  }

  async function forget(userId: number) {
    await redis
      .multi()
      .del(`${keysOf(userId)}session`)
      .zrem(indexOf(userId), userId)
      .exec();
  }

  function keysOf(userId: number) {
    return `${prefix}:{${shardOf(userId)}}:${userId}:`;
  }

  function indexOf(userId: number) {
    return indexIn(shardOf(userId));
  }

  function indexIn(shard: number) {
    return `${prefix}:{${shard}}:attention`;
  }
}

type Acquire = Parameters<SessionStore['acquire']>[0];
type Save = Parameters<SessionStore['save']>[1];
type Release = Parameters<SessionStore['release']>[1];

type Answer = string | null | undefined;
type Argument = string | number;
type Scripts = {
  sessionAcquire(
    ...args: Argument[]
  ): Promise<['wait'] | ['throttled'] | ['held' | 'repeat', ...record: Answer[]]>;
  sessionSave(...args: Argument[]): Promise<[Answer, Answer] | null>;
  sessionRelease(...args: Argument[]): Promise<null>;
  sessionsClaim(...args: Argument[]): Promise<string[]>;
  sessionPostpone(...args: Argument[]): Promise<number>;
};

/** ioredis sends EVALSHA and loads a script the first time a server does not know it. */
function withScripts(redis: RedisClient): Scripts {
  redis.defineCommand('sessionAcquire', { numberOfKeys: 1, lua: acquireScript });
  redis.defineCommand('sessionSave', { numberOfKeys: 2, lua: saveScript });
  redis.defineCommand('sessionRelease', { numberOfKeys: 2, lua: releaseScript });
  redis.defineCommand('sessionsClaim', { numberOfKeys: 1, lua: claimScript });
  redis.defineCommand('sessionPostpone', { numberOfKeys: 2, lua: postponeScript });
  return redis as unknown as Scripts;
}

const shardOf = (userId: number): number => Math.abs(userId) % SHARDS;
const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);

const packed = (attention: readonly Attention[]): string =>
  attention.map(({ of, at, owner }) => `${of} ${at} ${owner}`).join('\n');

function unpacked(lines: Answer): Attention[] {
  if (!lines) return [];
  return lines.split('\n').map((line) => {
    const [of = '', at, owner = ''] = line.split(' ');
    return { of, at: Number(at), owner };
  });
}

/** Redis answers a member and its score in turn. */
function inPairs(flat: string[]): { userId: string; at: number }[] {
  return Array.from({ length: flat.length / 2 }, (_, pair) => ({
    userId: flat[2 * pair]!,
    at: Number(flat[2 * pair + 1]),
  }));
}

function shownOf(revision: Answer, messageId: Answer): Shown | null {
  return revision && messageId ? { revision: Number(revision), messageId } : null;
}
