import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ApiRefused } from '../../clients/http/api-refused.ts';
import type { KeyValueStore } from '../../engine/key-value-store.ts';
import { DeliveryFailed } from '../../errors.ts';
import { channelRefused } from '../failure-table.ts';
import { type Pause, pause as pauseFor } from '../pause.ts';
import type { Pinterest, PinterestTokens } from './client.ts';
import { asPinterestFailure, pinterestReport } from './failures.ts';

const stored = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at: z.string(),
  board_id: z.string(),
});
type Stored = z.infer<typeof stored>;

export type PinterestAccess = { token: string; boardId: string };

type Deps = {
  pinterest: Pick<Pinterest, 'refresh'>;
  locks: Pick<KeyValueStore, 'get' | 'setIfAbsent' | 'delete'>;
  connections: {
    credentials(userId: number, connectionId: number): Promise<unknown>;
    renew(userId: number, connectionId: number, change: { were: unknown; are: object }): Promise<boolean>;
  };
  now?: () => number;
  pause?: Pause;
};

/** A token that lives less is renewed before it is used. */
const FRESH_MS = 24 * 3_600_000;
/** Longer than a refresh takes, and short enough that a dead holder does not block others for long. */
const LOCK_SECONDS = 60;
const LOOK_AGAIN_MS = 250;

/** As it is sealed with a connection. */
export const storedTokens = ({ accessToken, refreshToken, expiresAt }: PinterestTokens) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_at: new Date(expiresAt).toISOString(),
});

/**
 * The token of a connection, renewed when it is about to expire. A refresh makes the old refresh token useless, so
 * that of two processes only one may ask for it: the holder of the lock refreshes, the others wait for what it stores.
 */
export function makePinterestAccess({
  pinterest,
  locks,
  connections,
  now = Date.now,
  pause = pauseFor,
}: Deps) {
  return async function access(
    { userId, connectionId }: { userId: number; connectionId: number },
    signal?: AbortSignal,
  ): Promise<PinterestAccess> {
    for (;;) {
      const known = await read(userId, connectionId);
      if (Date.parse(known.expires_at) - now() > FRESH_MS) return accessOf(known);
      const mine = randomUUID();
      const key = `pinterest-refresh:${connectionId}`;
      if (await locks.setIfAbsent(key, mine, LOCK_SECONDS)) {
        try {
          return await refreshed(userId, connectionId, signal);
        } finally {
          if ((await locks.get(key)) === mine) await locks.delete(key);
        }
      }
      await pause(LOOK_AGAIN_MS, signal);
    }
  };

  async function read(userId: number, connectionId: number): Promise<Stored> {
    const known = await connections.credentials(userId, connectionId);
    if (known === null)
      throw channelRefused('connection_gone', 'Этого подключения больше нет. Подключите доску заново.');
    return stored.parse(known);
  }

  async function refreshed(
    userId: number,
    connectionId: number,
    signal: AbortSignal | undefined,
  ): Promise<PinterestAccess> {
    // Read again under the lock: another process may have refreshed between our look and our lock.
    const were = await read(userId, connectionId);
    if (Date.parse(were.expires_at) - now() > FRESH_MS) return accessOf(were);
    try {
      const are = { ...were, ...storedTokens(await pinterest.refresh(were.refresh_token, signal)) };
      await connections.renew(userId, connectionId, { were, are });
      return accessOf(are);
    } catch (error) {
      if (error instanceof ApiRefused && error.status < 500 && error.status !== 429)
        throw mustReconnect(error);
      // It may pass, and the old token still opens for a while.
      if (pinterestReport(error) && Date.parse(were.expires_at) > now()) return accessOf(were);
      throw asPinterestFailure(error);
    }
  }
}

const accessOf = ({ access_token, board_id }: Stored): PinterestAccess => ({
  token: access_token,
  boardId: board_id,
});

const mustReconnect = (cause: ApiRefused): DeliveryFailed =>
  new DeliveryFailed(
    {
      ...{ category: 'PERMANENT', scope: 'channel', code: 'refresh_refused', message: cause.message },
      userMessage: 'Доступ к Pinterest истёк, и продлить его не получилось. Подключите доску заново.',
    },
    cause,
  );
