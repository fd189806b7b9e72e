import { AppError } from '../errors.ts';

/** Of the driver, of the network, and of PostgreSQL itself while it starts, stops, fails over or is full. */
const AWAY =
  /^(?:CONNECTION_\w+|CONNECT_TIMEOUT|E(?:CONN\w+|PIPE|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|TIMEDOUT)|08\w{3}|53\w{3}|57P\d\d|25006|40001|40P01)$/u;

/** Nothing is wrong with the question: asked again in a while, it will be answered. Our own codes may sound alike. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof AppError) &&
  'code' in error &&
  typeof error.code === 'string' &&
  AWAY.test(error.code);
