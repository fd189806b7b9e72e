import type { Redis } from 'ioredis';
import {
  type Attention,
  type Hold,
  SEEN_UPDATES_KEPT,
  SEEN_UPDATES_TTL_SECONDS,
  type SessionStore,
  type Shown,
  WAITER_TTL_MS,
} from '../engine/session-store.ts';
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
  return { acquire, save, release, due, postpone, peek, forget };

  async function acquire({ userId, ticket, order, updateId, throttlePerMinute, leaseMs }: Acquire) {
    const [outcome, ...record] = await client.sessionAcquire(
      key(userId, 'session'),
      key(userId, 'lock'),
      key(userId, 'waiters'),
      key(userId, 'seen'),
      key(userId, 'throttle'),
      ticket,
      order ?? 'inf',
      updateId ?? '',
      throttlePerMinute ?? '',
      leaseMs,
      WAITER_TTL_MS,
      SEEN_UPDATES_TTL_SECONDS,
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
      key(hold.userId, 'session'),
      key(hold.userId, 'seen'),
      attentionKey,
      hold.userId,
      hold.revision,
      session,
      attention?.at ?? '',
      attention?.owner ?? '',
      Math.round(ttlSeconds * 1_000),
      updateId ?? '',
      SEEN_UPDATES_KEPT,
      SEEN_UPDATES_TTL_SECONDS,
    );
    if (!saved) return null;
    return { ...hold, revision: hold.revision + 1, session, shown: shownOf(...saved), attention };
  }

  async function release(hold: Hold, { shown, attention, updateId }: Release) {
    await client.sessionRelease(
      key(hold.userId, 'session'),
      key(hold.userId, 'lock'),
      key(hold.userId, 'seen'),
      attentionKey,
      hold.userId,
      hold.token,
      hold.revision,
      shown?.revision ?? '',
      shown?.messageId ?? '',
      attention === undefined ? 'keep' : attention === null ? 'clear' : 'set',
      attention?.at ?? '',
      attention?.owner ?? '',
      updateId ?? '',
      SEEN_UPDATES_KEPT,
      SEEN_UPDATES_TTL_SECONDS,
    );
  }

  async function due(now: number, limit: number) {
    const userIds = await client.sessionsDue(attentionKey, `${prefix}:{`, '}:session', now, limit);
    return userIds.map(Number);
  }

  async function postpone(userId: number, { at, owner }: Attention) {
    return (await client.sessionPostpone(key(userId, 'session'), attentionKey, userId, at, owner)) === 1;
  }

  async function peek(userId: number) {
    return redis.hget(key(userId, 'session'), 'd');
  }

  async function forget(userId: number) {
    await redis.multi().del(key(userId, 'session')).zrem(attentionKey, userId).exec();
  }

  function key(userId: number, part: string) {
    return `${prefix}:{${userId}}:${part}`;
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
  redis.defineCommand('sessionAcquire', { numberOfKeys: 5, lua: acquireScript });
  redis.defineCommand('sessionSave', { numberOfKeys: 3, lua: saveScript });
  redis.defineCommand('sessionRelease', { numberOfKeys: 4, lua: releaseScript });
  redis.defineCommand('sessionsDue', { numberOfKeys: 1, lua: dueScript });
  redis.defineCommand('sessionPostpone', { numberOfKeys: 2, lua: postponeScript });
  return redis as unknown as Scripts;
}

function shownOf(revision: Answer, messageId: Answer): Shown | null {
  return revision && messageId ? { revision: Number(revision), messageId: Number(messageId) } : null;
}
