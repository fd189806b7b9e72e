import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AddressRefused } from './fetch-errors.ts';

/** All addresses of a host. */
export type ResolveName = (hostname: string) => Promise<string[]>;

export const askNameServer: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * The address to connect to; null: the name has none. One closed address among open ones is somebody's trick or
 * mistake: neither deserves a request.
 */
export async function checkedAddress(
  hostname: string,
  { resolve, allows }: { resolve: ResolveName; allows: (address: string) => boolean },
): Promise<string | null> {
  const bare = hostname.replace(/^\[|\]$/gu, '');
  const addresses = isIP(bare) ? [bare] : await resolve(bare);
  const refused = addresses.find((address) => !allows(address));
  if (refused !== undefined) throw new AddressRefused(hostname, refused);
  return addresses[0] ?? null;
}
