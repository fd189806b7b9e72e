import { parseCommand } from '../../src/scripts/autopost/parse-command.ts';
import { makeRunSubcommand } from '../../src/scripts/autopost/run-subcommand.ts';
import { subcommands } from '../../src/scripts/autopost/subcommands.ts';
import type { Sql } from '../../src/store/database.ts';
import type { Sealing } from '../../src/store/sealing.ts';
import { sealing as usual } from '../autopost/store/a-workspace.ts';

/** Of a process that knows no address of its own; MAX is not there either. */
export const places = { maxUrl: 'http://127.0.0.1:9', publicUrl: undefined };

/** A line of the command, done in this process as the command itself would do it. Quoted words stay together. */
export async function operate(sql: Sql, line: string, sealing: Sealing = usual) {
  const words = [...line.matchAll(/'([^']*)'|\S+/gu)].map(([word, quoted]) => quoted ?? word);
  const command = await parseCommand(subcommands, words, async () => '');
  if ('help' in command) throw new Error('that asks for help');
  const answer = await makeRunSubcommand({ sql, sealing, places })(command.request);
  return { ...answer, data: JSON.parse(JSON.stringify(answer.data)) };
}

/** Everything that is kept, to be compared. */
export async function everythingIn(sql: Sql): Promise<Record<string, string>> {
  const kept: Record<string, string> = {};
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  for (const { name } of tables) {
    const [row] = await sql<[{ rows: string }]>`
      select coalesce(string_agg(t::text, chr(10) order by t::text), '') as rows from ${sql(name)} t`;
    kept[name] = row.rows;
  }
  return kept;
}
