import { createHash } from 'node:crypto';
import type { Sql } from '../../store/database.ts';

export type KnowsSecret = (secret: string) => Promise<boolean>;

type Options = { forMs?: number; most?: number; clock?: () => number };

/**
 * Whether a secret opens any entrance. Asked before a request is read, so that strangers cost no more than a look-up,
 * and remembered for a while, so that those who are known do not wait for it. Not the gate: a secret that was switched
 * off meanwhile is turned away there.
 */
export function makeKnowsSecret(sql: Sql, options: Options = {}): KnowsSecret {
  const { forMs = 60_000, most = 10_000, clock = Date.now } = options;
  const until = new Map<string, number>();
  return async (secret) => {
    const hash = createHash('sha256').update(secret).digest('hex');
    if ((until.get(hash) ?? 0) > clock()) return true;
    const rows = await sql`
      select from workspace_endpoints where kind = 'webhook_push' and secret_hash = ${hash} and enabled`;
    if (rows.length === 0) return false;
    if (until.size >= most) until.clear();
    until.set(hash, clock() + forMs);
    return true;
  };
}
