import type { Connection } from '../../store/connections.ts';

/** A connection as its owner knows it, and where they can look at it. */
export type Place = { name: string; url: string | null };

/** What the dialogues that connect a platform have learned of the place. */
export function placeOf({ identifier, metadata }: Pick<Connection, 'identifier' | 'metadata'>): Place {
  const { title, url } = metadata;
  const isAddress = typeof url === 'string' && /^https?:/u.test(url);
  return {
    name: typeof title === 'string' && title !== '' ? title : identifier,
    url: isAddress ? url : null,
  };
}
