import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Logger;

/** Wherever a secret could hide in a log line. Cut by path, once, here. */
const secrets = [
  'token',
  'password',
  'secret',
  'authorization',
  'credentials',
  'app_password',
  'access_token',
];

/** grammY puts the bot's token into the addresses of failed requests. */
const tokenInText = /\d{5,}:[\w-]{20,}/gu;

const context = new AsyncLocalStorage<object>();

/** Everything logged inside carries these fields, across awaits: the correlation id of an update, for one. */
export const withLogContext = <Result>(fields: object, run: () => Result): Result =>
  context.run({ ...context.getStore(), ...fields }, run);

/** Readable in a terminal, JSON elsewhere. */
export function createLog(level = 'info', terminal = process.stdout.isTTY === true): Log {
  return pino({
    level,
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    mixin: () => context.getStore() ?? {},
    redact: { paths: secrets.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]), censor: '[cut]' },
    hooks: { streamWrite: (line) => line.replace(tokenInText, '[cut]') },
    ...(terminal && {
      transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', singleLine: true } },
    }),
  });
}
