import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Who really called. Every proxy adds the address it was called from at the right of `X-Forwarded-For`; what stands to
 * the left of our own proxies was written by the caller, who may claim anything.
 */
export function callerAddress({ headers, socket }: IncomingMessage, trustedHops: number): string | null {
  const nearest = plain(socket.remoteAddress ?? '');
  if (trustedHops === 0) return nearest;
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => plain(address.trim()))
    .filter((address) => address !== '');
  // Fewer entries than proxies: the caller bypassed them.
  if (forwarded.length < trustedHops) return forwarded.length === 0 ? nearest : null;
  return forwarded.at(-trustedHops) ?? null;
}

/** `10.0.0.0/8`, `2a02:5180::/32` or a single address. */
export function addressList(ranges: readonly string[]): (address: string | null) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    if (address === null) return false;
    if (isIPv4(address)) return list.check(address, 'ipv4');
    return isIPv6(address) && list.check(address, 'ipv6');
  };
}

/** An IPv4 address that came over IPv6 is the same address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/iu, '');
