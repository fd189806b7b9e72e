import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Workspaces } from '../store/workspaces.ts';

export type OpenToken = (
  workspaceId: string,
  authRef: string,
  platform: ChannelPlatform,
) => Promise<string | null>;

// A rotated credential holds within seconds; a thousand sends in a second open it once.
const KEPT_MS = 5_000;
const MOST_KEPT = 1_000;

/** The bot's token behind a credential; null: there is none. */
export function makeOpenToken({
  workspaces,
  keptMs = KEPT_MS,
}: {
  workspaces: Pick<Workspaces, 'credential'>;
  keptMs?: number;
}): OpenToken {
  const kept = new Map<string, { token: Promise<string | null>; until: number }>();

  return async (workspaceId, authRef, platform) => {
    const key = JSON.stringify([workspaceId, authRef, platform]);
    const known = kept.get(key);
    if (known && known.until > performance.now()) return known.token;
    if (kept.size >= MOST_KEPT) kept.clear();
    const token = workspaces.credential(workspaceId, authRef, platform).then(tokenIn);
    kept.set(key, { token, until: performance.now() + keptMs });
    try {
      return await token;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}

/** Kept as `{ token }`, or as the token itself. */
function tokenIn(secret: unknown): string | null {
  if (typeof secret === 'string') return secret;
  const { token } = (secret ?? {}) as { token?: unknown };
  return typeof token === 'string' ? token : null;
}
