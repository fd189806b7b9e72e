import { OperationLost } from '../errors.ts';

/** Of the driver, and of PostgreSQL itself while it starts, stops, fails over or is full. */
const AWAY =
  /^(?:CONNECTION_(?:CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|08\w{3}|53\w{3}|57P\d\d|25006|40001|40P01)$/u;
const NETWORK = /^E(?:CONN\w+|PIPE|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|TIMEDOUT)$/u;

/** Nothing is wrong with the question: asked again in a while, it will be answered. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  // The network fails suppliers with the same words. The driver notes the query that was lost.
  (AWAY.test(error.code) || ('query' in error && NETWORK.test(error.code)));

/** While the database is away the outcome of an operation is unknown; the process that resumes it will know. */
export const lostIfAway =
  (key: string) =>
  (error: unknown): never => {
    throw isDatabaseAway(error) ? new OperationLost(key, { cause: error }) : error;
  };
