import { connectionName } from '../../connection-name.ts';
import type { Connection } from '../../store/connections.ts';

/** A connection as its owner knows it, and where they can look at it. */
export type Place = { name: string; url: string | null };

/** What the dialogues that connect a platform have learned of the place. */
export function placeOf(connection: Pick<Connection, 'identifier' | 'metadata'>): Place {
  const { url } = connection.metadata;
  const isAddress = typeof url === 'string' && /^https?:/u.test(url);
  return { name: connectionName(connection), url: isAddress ? url : null };
}

/** VK takes no pictures from the key of a community: that is known since it was connected. */
export const takesPictures = ({ metadata }: Pick<Connection, 'metadata'>): boolean =>
  metadata.photos !== false;
