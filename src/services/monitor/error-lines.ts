import { z } from 'zod';

export type ErrorEntry = {
  at: Date;
  level: 'warn' | 'error';
  message: string;
  code: string | null;
  userId: number | null;
  correlation: string | null;
  stack: string | null;
};

const LONGEST_MESSAGE = 1_000;
const LONGEST_STACK = 2_000;
/** More than these between two writes is a flood: the first ones say what happened. */
const MOST_WAITING = 500;
const ERROR = 50;

const line = z.object({
  level: z.number(),
  time: z.string(),
  msg: z.string().default(''),
  user: z.number().optional(),
  correlation: z.string().optional(),
  err: z
    .object({
      message: z.string().optional(),
      code: z.union([z.string(), z.number()]).optional(),
      stack: z.string().optional(),
    })
    .optional(),
});

/** A line of the log, secrets cut, as the owner reads it; null for one that is not of our form. */
export function readErrorLine(text: string): ErrorEntry | null {
  const parsed = line.safeParse(fromJson(text));
  if (!parsed.success) return null;
  const { level, time, msg, user, correlation, err } = parsed.data;
  const message = [msg, err?.message].filter(Boolean).join(': ');
  return {
    at: new Date(time),
    level: level >= ERROR ? 'error' : 'warn',
    message: short(message, LONGEST_MESSAGE),
    code: err?.code === undefined ? null : String(err.code),
    userId: user ?? null,
    correlation: correlation ?? null,
    stack: err?.stack ? short(err.stack, LONGEST_STACK) : null,
  };
}

/** Keeps lines until they are written. While the database is away they wait, as many as the buffer holds. */
export function createErrorBuffer(write: (entries: ErrorEntry[]) => Promise<void>) {
  let waiting: ErrorEntry[] = [];
  let dropped = 0;
  return { take, flush };

  function take(text: string): void {
    const entry = readErrorLine(text);
    if (!entry) return;
    if (waiting.length < MOST_WAITING) waiting.push(entry);
    else dropped += 1;
  }

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const batch = waiting;
    const more = dropped;
    waiting = [];
    dropped = 0;
    const last = batch.at(-1)!;
    const flood: ErrorEntry[] =
      more > 0 ? [{ ...last, message: `and ${more} more in the same seconds`, code: null, stack: null }] : [];
    try {
      await write([...batch, ...flood]);
    } catch {
      // Not logged: the line about it would come back here. The checks of the stores tell of the outage.
      waiting = [...batch, ...waiting].slice(0, MOST_WAITING);
      dropped += more;
    }
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a line that the log did not make
  }
}

const short = (text: string, limit: number): string =>
  text.replaceAll('\u0000', '').slice(0, limit).toWellFormed();
