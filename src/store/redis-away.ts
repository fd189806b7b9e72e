import { ReplyError } from 'ioredis';
import { StoreAway } from '../engine/not-applied.ts';

/** Replies of a Redis that cannot serve now: it is loading, full, cut off from its replicas or its cluster. */
const CANNOT_SERVE =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|NOREPLICAS|OOM|BUSY|UNBLOCKED)\b/u;

/** The port with its failures named: no reply, or one that says "not now", is `StoreAway`; other replies are our mistakes. */
export function namingOutages<Port extends Record<string, (...args: never[]) => Promise<unknown>>>(
  port: Port,
): Port {
  return Object.fromEntries(
    Object.entries(port).map(([name, call]) => [
      name,
      async (...args: never[]) => {
        try {
          return await call(...args);
        } catch (error) {
          throw isAway(error) ? new StoreAway('Redis is away', { cause: error }) : error;
        }
      },
    ]),
  ) as Port;
}

function isAway(error: unknown): boolean {
  if (error instanceof ReplyError) return CANNOT_SERVE.test((error as Error).message);
  return !(error instanceof TypeError);
}
