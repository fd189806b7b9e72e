import { createHash } from 'node:crypto';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startFailure } from '../../src/compose/start-failure.ts';
import { openDatabase, type Sql } from '../../src/store/database.ts';
import { applySchema, parseSchema, readSchema, type Schema } from '../../src/store/schema.ts';
import { createSchemaWatch } from '../../src/store/schema-watch.ts';
import { catalog } from '../support/catalog.ts';
import { databaseKinds, freshDatabase, freshPostgresUrl } from '../support/stores.ts';
import { earlierSchemas, UNNUMBERED } from './schemas/earlier-schemas.ts';
import { allRows, fillDatabase } from './schemas/old-data.ts';

const earlier = await earlierSchemas();
const own = await readSchema();
/** The first four left no trace of themselves, and could not know that they were superseded. */
const FIRST_RECORDED = 5;

describe.runIf(inject('postgresUrl'))('a database of an earlier version', () => {
  it.each(earlier.map((text, i) => ({ text, version: i + 1 })))(
    'of version $version is brought to the present one with its data, and stays there',
    async ({ text, version }) => {
      const sql = await emptyDatabase();
      await startEarlier(sql, text, version);
      await fillDatabase(sql);
      const before = await allRows(sql);

      await applySchema(sql);
      expect(await differences(sql)).toEqual([]);
      const after = await allRows(sql);
      for (const [table, rows] of before) expect(after.get(table)).toMatchObject(rows);

      if (version < FIRST_RECORDED) return;
      const restarted = await startEarlier(sql, text, version).catch((error: Error) => error.message);
      if (version <= UNNUMBERED)
        expect(restarted).toMatch(/^The database is at schema version \d+, this program/u);
      expect(await differences(sql)).toEqual([]);
    },
  );
});

describe.each(databaseKinds)('on %s', (kind) => {
  const present = async () => {
    const database = await freshDatabase(kind);
    onTestFinished(() => database.close());
    return database.sql;
  };

  it('an older program that restarts leaves a newer schema as it is, also one that was never here', async () => {
    const sql = await present();
    await applySchema(
      sql,
      newer({ by: 2, adding: 'create or replace function positive_amount() returns int' }),
    );
    const before = await catalog(sql);
    await applySchema(sql, own);
    await applySchema(
      sql,
      newer({ by: 1, adding: 'create or replace function keyword_counts() returns int' }),
    );
    expect(await catalog(sql)).toEqual(before);
  });

  it('a change under the same number is applied once, and the text before it never again', async () => {
    const sql = await present();
    const edited = newer({ by: 0, adding: 'create or replace function edited() returns int' });
    await applySchema(sql, edited);
    const before = await catalog(sql);
    expect(before.join()).toContain('function edited()');
    await applySchema(sql, own);
    await sql`drop function edited()`;
    await applySchema(sql, edited);
    expect(before.filter((line) => !line.includes('edited()'))).toEqual(await catalog(sql));
  });

  it('a change that older programs cannot work with stops them with a sentence', async () => {
    const sql = await present();
    const { outdated, look } = createSchemaWatch(sql);
    await look();
    expect(outdated.aborted).toBe(false);
    await applySchema(sql, newer({ by: 1, oldestProcess: own.version + 1 }));
    const next = own.version + 1;
    const sentence =
      `The database is at schema version ${next}, which works with programs of version ${next} and newer; ` +
      `this one is at ${own.version}. Start the newer program.`;
    await look();
    expect(outdated.reason).toBe(sentence);
    const failure: unknown = await applySchema(sql, own).catch((error: unknown) => error);
    expect(startFailure(failure)).toBe(sentence);
  });

  it('a list that grew reaches a database that has the table already', async () => {
    const sql = await present();
    const log = () => sql`
      with person as (insert into users (id) values (1) on conflict do nothing),
        project as (insert into projects (user_id, name, company_name, specialization)
          values (1, 'a', 'b', 'c') returning id)
      insert into publication_logs (user_id, project_id, platform_type, status)
      select 1, id, 'wordpress', 'half_done' from project`;
    await expect(log()).rejects.toThrow('publications_status_known');
    await applySchema(
      sql,
      withText(own.text.replaceAll("'cancelled', 'unknown']", "'cancelled', 'unknown', 'half_done']"), 1),
    );
    await log();
  });
});

it('a schema without its numbers is refused before it touches anything', () => {
  expect(() => parseSchema('create table a ();')).toThrow(
    'Expected a line "-- version: <number>" in schema.sql',
  );
});

/** Of a new database. A list that did not change keeps its constraint, with or without "not valid". */
const presentCatalog = (async () => {
  if (!inject('postgresUrl')) return new Set<string>();
  const { sql, close } = await openDatabase({ url: await freshPostgresUrl(), dataDir: '', max: 1 });
  const lines = await catalogWithoutValidity(sql);
  await close();
  return lines;
})();

async function differences(sql: Sql): Promise<string[]> {
  const [there, wanted] = [await catalogWithoutValidity(sql), await presentCatalog];
  return [
    ...[...there].filter((line) => !wanted.has(line)).map((line) => `left over: ${line}`),
    ...[...wanted].filter((line) => !there.has(line)).map((line) => `missing: ${line}`),
  ];
}

async function catalogWithoutValidity(sql: Sql): Promise<Set<string>> {
  return new Set((await catalog(sql)).map((line) => line.replace(/ NOT VALID$/u, '')));
}

async function emptyDatabase(): Promise<Sql> {
  const { sql, close } = await openDatabase({
    url: await freshPostgresUrl('template1'),
    dataDir: '',
    max: 1,
  });
  onTestFinished(close);
  return sql;
}

/** What a program of that version does when it starts. */
async function startEarlier(sql: Sql, text: string, version: number): Promise<void> {
  if (version > UNNUMBERED) return applySchema(sql, parseSchema(text));
  const hash = createHash('sha256').update(text).digest('hex');
  await sql.begin(async (tx) => {
    await tx.unsafe(text);
    if (version < FIRST_RECORDED) return;
    await tx`insert into applied_schemas (hash) values (${hash})
      on conflict (hash) do update set applied_at = excluded.applied_at`;
  });
}

function newer({
  by,
  adding,
  oldestProcess,
}: {
  by: number;
  adding?: string;
  oldestProcess?: number;
}): Schema {
  const text = adding
    ? `${own.text}\n${adding} language sql as 'select 1';`
    : `${own.text}\n-- changed by ${by}\n`;
  return { ...withText(text, by), oldestProcess: oldestProcess ?? own.oldestProcess };
}

const withText = (text: string, by: number): Schema =>
  parseSchema(text.replace(`-- version: ${own.version}\n`, `-- version: ${own.version + by}\n`));
