import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Sql, TransactionSql } from './database.ts';

/** The schema that a program brings: the text of schema.sql and the two numbers in its head. */
export type Schema = {
  text: string;
  hash: string;
  version: number;
  /** Programs with a schema older than this one cannot work with the database any more. */
  oldestProcess: number;
};

export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
  constructor(own: Schema, newest: Applied) {
    super(
      `The database is at schema version ${newest.version}, which works with programs of version ` +
        `${newest.oldestProcess} and newer; this one is at ${own.version}. Start the newer program.`,
    );
  }
}

type Applied = { version: number; oldestProcess: number };

const schemaFile = new URL('../../schema.sql', import.meta.url);
const SCHEMA_LOCK = 0x5e0;
// A start that waits for a table makes everyone behind it wait as well: let them pass, then try again.
const LOCK_TIMEOUT_MS = 5000;
const ATTEMPTS = 5;

export async function readSchema(): Promise<Schema> {
  return parseSchema(await readFile(schemaFile, 'utf8'));
}

export function parseSchema(text: string): Schema {
  const numberAfter = (label: string) => {
    const [, digits] = new RegExp(`^-- ${label}: (\\d+)$`, 'mu').exec(text) ?? [];
    if (digits === undefined) throw new TypeError(`Expected a line "-- ${label}: <number>" in schema.sql`);
    return Number(digits);
  };
  return {
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    version: numberAfter('version'),
    oldestProcess: numberAfter('oldest process that can work with it'),
  };
}

/**
 * Brings the database up to schema.sql, never back: a database that is newer, or to which this very text was applied
 * before, stays as it is. Several instances may start at once: one works, the others wait.
 */
export async function applySchema(sql: Sql, schema?: Schema): Promise<void> {
  const own = schema ?? (await readSchema());
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin((tx) => applyIn(tx, own));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isLostRace(error)) throw error;
    }
  }
}

/** Throws when another process has meanwhile made a change that this one cannot work with. */
export async function assertNotOutdated(sql: Sql, own: Schema): Promise<void> {
  const [newest] = await newestOf(sql);
  if (newest && newest.oldestProcess > own.version) throw new DatabaseTooNew(own, newest);
}

async function applyIn(tx: TransactionSql, own: Schema): Promise<void> {
  await tx`select pg_advisory_xact_lock(${SCHEMA_LOCK})`;
  const [known] = await tx`select to_regclass('applied_schemas') as name`;
  if (known?.name) {
    const [newest] = await newestOf(tx);
    if (newest && newest.oldestProcess > own.version) throw new DatabaseTooNew(own, newest);
    const [applied] = await tx`select from applied_schemas where hash = ${own.hash}`;
    if (applied || (newest && newest.version > own.version)) return;
  }
  // Set behind the wait for the advisory lock, which may rightly last as long as another start does.
  await tx`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`;
  await tx.unsafe(own.text);
  await tx`insert into applied_schemas (hash, version, oldest_process)
    values (${own.hash}, ${own.version}, ${own.oldestProcess})`;
}

/** Through JSON, because databases from before version 29 have neither column. */
const newestOf = (sql: Sql | TransactionSql) => sql<Applied[]>`
  select coalesce((row ->> 'version')::integer, 0) as version,
    coalesce((row ->> 'oldest_process')::integer, 0) as "oldestProcess"
  from (select to_jsonb(a) as row from applied_schemas a) as applied
  order by 1 desc limit 1`;

/** A deadlock with, or a long wait for, a process that is serving people: nothing was changed. */
const isLostRace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '55P03');
