import { atOnce } from '../../store/at-once.ts';
import type { Sql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';
import { shopSubcommands } from '../shop-bot/subcommands.ts';
import { type Request, readValues, withUsage } from './parse-command.ts';
import { BadArguments, NotDone, type Outcome, type Places, type Subcommand } from './subcommand.ts';
import { subcommands } from './subcommands.ts';

/** What the command prints, and the code it ends with. */
export type Answer = { exitCode: 0 | 1 | 2 | 3; text: string; data: unknown };

type RunSubcommand = (request: Request) => Promise<Answer>;

type Deps = {
  sql: Sql;
  sealing: Sealing;
  places: Places;
  /** Something may be there to be sent: on the embedded database no other process would say so. */
  onChanged?: () => void;
};

/** In the command's own process, or in the bot that holds the embedded database. */
export function makeRunSubcommand({ sql, sealing, places, onChanged }: Deps): RunSubcommand {
  return async (request) => {
    const subcommand = [...subcommands, ...shopSubcommands].find(
      ({ command, name }) => command === request.command && name === request.subcommand,
    );
    if (!subcommand) return refused(2, `There is no subcommand "${request.subcommand}".`);
    try {
      const outcome = await run(subcommand, request);
      if (subcommand.changes && !request.dryRun) onChanged?.();
      return { exitCode: 0, ...(request.dryRun ? rehearsed(outcome) : outcome) };
    } catch (error) {
      if (error instanceof NotDone) return refused(1, error.message);
      if (error instanceof BadArguments) return refused(2, withUsage(error, subcommand).message);
      throw error;
    }
  };

  function run(subcommand: Subcommand, { given, dryRun, operator, reason }: Request): Promise<Outcome> {
    const values = readValues(subcommand, given);
    const work = (on: Sql) =>
      subcommand.run({ sql: on, sealing, places, by: { operator, reason }, rehearsal: dryRun }, values);
    return subcommand.changes ? atOnce(sql, work, { rehearsal: dryRun }) : work(sql);
  }
}

const refused = (exitCode: 1 | 2, message: string): Answer => ({
  exitCode,
  text: message,
  data: { error: message },
});

const rehearsed = ({ text, data, ...rest }: Outcome): Outcome => ({
  ...rest,
  text: `Dry run: nothing was changed. It would be:\n\n${text}`,
  data: { dryRun: true, would: data },
});
