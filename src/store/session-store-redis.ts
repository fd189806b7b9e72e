import type { Redis } from 'ioredis';
import {
  type Attention,
  type Hold,
  SEEN_UPDATES_TTL_SECONDS,
  type SessionStore,
  type Shown,
} from '../engine/session-store.ts';
import { namingOutages } from './redis-away.ts';
import { acquireScript, dueScript, postponeScript, releaseScript, saveScript } from './session-scripts.ts';

/**
 * Sessions in Redis. Every call is one script, so one round trip, and all of it or nothing.
 *
 * A person's keys carry the hash tag `{id}`; the attention index is one sorted set for everybody, written in
 * the same scripts. So a single node and primary with replicas are supported, a cluster is not.
 */
export function createRedisSessionStore(redis: Redis, { prefix = 'seo' } = {}): SessionStore {
  const client = withScripts(redis);
  const attentionKey = `${prefix}:attention`;
  return namingOutages({ acquire, save, release, hasSeen, due, postpone, peek, forget });

  async function acquire({ userId, ticket, order, updateId, throttlePerMinute, leaseMs }: Acquire) {
    const [outcome, ...record] = await client.sessionAcquire(
      keysOf(userId),
      ticket,
      leaseMs,
      order ?? 'inf',
      updateId ?? '',
      throttlePerMinute ?? '',
    );
    if (outcome === 'wait' || outcome === 'throttled') return { outcome };
    const [revision, session, shownRevision, shownMessageId, attentionAt, attentionOwner] = record;
    const hold: Hold = {
      userId,
      token: ticket,
      revision: Number(revision ?? 0),
      session: session ?? null,
      shown: shownOf(shownRevision, shownMessageId),
      attention:
        attentionAt && attentionOwner != null ? { at: Number(attentionAt), owner: attentionOwner } : null,
    };
    return { outcome, hold };
  }

  async function save(hold: Hold, { session, attention, updateId, ttlSeconds }: Save): Promise<Hold | null> {
    const saved = await client.sessionSave(
      keysOf(hold.userId),
      attentionKey,
      hold.revision,
      session,
      attention ? packed(attention) : '',
      Math.round(ttlSeconds * 1_000),
      updateId ?? '',
    );
    if (!saved) return null;
    return { ...hold, revision: hold.revision + 1, session, shown: shownOf(...saved), attention };
  }

  async function release(hold: Hold, { shown, attention, updateId, isUncounted }: Release) {
    await client.sessionRelease(
      keysOf(hold.userId),
      attentionKey,
      hold.token,
      hold.revision,
      shown ? `${shown.revision} ${shown.messageId}` : '',
      attention === undefined ? 'keep' : attention === null ? '' : packed(attention),
      updateId ?? '',
      isUncounted ? 1 : 0,
    );
  }

  async function hasSeen(userId: number, updateId: number) {
    const seenAt = await redis.zscore(`${keysOf(userId)}seen`, updateId);
    return seenAt !== null && Number(seenAt) > Date.now() - SEEN_UPDATES_TTL_SECONDS * 1_000;
  }

  async function due(now: number, limit: number) {
    const userIds = await client.sessionsDue(attentionKey, `${prefix}:{`, '}:session', now, limit);
    return userIds.map(Number);
  }

  async function postpone(userId: number, { at, owner }: Attention) {
    return (await client.sessionPostpone(keysOf(userId), attentionKey, userId, at, owner)) === 1;
  }

  async function peek(userId: number) {
    return redis.hget(`${keysOf(userId)}session`, 'd');
  }

  async function forget(userId: number) {
    await redis
      .multi()
      .del(`${keysOf(userId)}session`)
      .zrem(attentionKey, userId)
      .exec();
  }

  function keysOf(userId: number) {
    return `${prefix}:{${userId}}:`;
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
  sessionsDue(...args: Argument[]): Promise<string[]>;
  sessionPostpone(...args: Argument[]): Promise<number>;
};

/** ioredis sends EVALSHA and loads a script the first time a server does not know it. */
function withScripts(redis: Redis): Scripts {
  redis.defineCommand('sessionAcquire', { numberOfKeys: 1, lua: acquireScript });
  redis.defineCommand('sessionSave', { numberOfKeys: 2, lua: saveScript });
  redis.defineCommand('sessionRelease', { numberOfKeys: 2, lua: releaseScript });
  redis.defineCommand('sessionsDue', { numberOfKeys: 1, lua: dueScript });
  redis.defineCommand('sessionPostpone', { numberOfKeys: 2, lua: postponeScript });
  return redis as unknown as Scripts;
}

const packed = ({ at, owner }: Attention): string => `${at} ${owner}`;

function shownOf(revision: Answer, messageId: Answer): Shown | null {
  return revision && messageId ? { revision: Number(revision), messageId: Number(messageId) } : null;
}
