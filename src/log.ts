import { destination, type Logger, type LoggerOptions, pino, stdSerializers, stdTimeFunctions } from 'pino';

/**
 * What belongs together carries a child of it: an update its correlation id, a person's turn their id. (Node's
 * AsyncLocalStorage would save handing it on, and costs a fifth of an update: on Node 20 it hooks every promise.)
 */
export type Log = Logger;

/** Names under which a secret could hide in a log line, at any depth. Cut here, once. */
const secrets = new Set([
  'token',
  'password',
  'secret',
  'authorization',
  'credentials',
  'app_password',
  'access_token',
  'args', // of the command that an error of ioredis names: the password, or a person's whole session
]);
// Deeper than anything we log.
const DEEPEST = 4;

/** grammY puts the bot's token into the addresses of failed requests. */
const tokenInText = /\d{5,}:[\w-]{20,}/gu;

/** Lines of a tenth of a second, or 12 kB, share a write: one for each would cost as much as making them all. */
const together = { sync: false, minLength: 12_288, periodicFlush: 100 };

type Listener = (line: string) => void;
/** Of every log that was made here, who hears its warnings and errors. */
const listeners = new WeakMap<Log, Set<Listener>>();
/** pino writes the level first: 40 is a warning, 50 an error, 60 the end. */
const grave = /^\{"level":[456]0,/u;

/** Hands every warning and error of the log on as the line that is written, secrets cut. Returns how to end it. */
export function tapErrors(log: Log, listener: Listener): () => void {
  const its = listeners.get(log);
  its?.add(listener);
  return () => its?.delete(listener);
}

/** Readable in a terminal, JSON elsewhere. */
export function createLog(level = 'info', terminal = process.stdout.isTTY === true): Log {
  const heard = new Set<Listener>();
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    // Not pino's own redaction: with wildcards it costs five times as much as the rest of the line.
    formatters: { log: (fields) => withoutSecrets(fields, DEEPEST) },
    serializers: { err: (error: Error) => withoutSecrets(stdSerializers.err(error), DEEPEST) },
    hooks: {
      streamWrite(line) {
        const safe = line.replace(tokenInText, '[cut]');
        if (grave.test(safe)) for (const listener of heard) listener(safe);
        return safe;
      },
    },
  };
  const pretty = { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', singleLine: true } };
  const log = terminal ? pino({ ...options, transport: pretty }) : pino(options, destination(together));
  listeners.set(log, heard);
  return log;
}

function withoutSecrets<Fields extends object>(fields: Fields, depth: number): Fields {
  if (isPlain(fields)) return fields;
  const entries = Object.entries(fields).map(([name, value]) => [name, cut(name, value, depth)]);
  return Object.fromEntries(entries) as Fields;
}

/** Most lines: nothing in them to be looked into, and nothing to be copied. */
function isPlain(fields: object): boolean {
  for (const [name, value] of Object.entries(fields)) {
    if (secrets.has(name) || (typeof value === 'object' && value !== null)) return false;
  }
  return true;
}

function cut(name: string, value: unknown, depth: number): unknown {
  if (secrets.has(name)) return '[cut]';
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => cut('', item, depth - 1));
  return Object.getPrototypeOf(value) === Object.prototype ? withoutSecrets(value, depth - 1) : value;
}
