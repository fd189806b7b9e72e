import { atOnce } from '../../store/at-once.ts';
import type { Sql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';
import { shopOperations } from '../shop-bot/operations.ts';
import { BadArguments, NothingFound, type Operation, type Outcome } from './operation.ts';
import { operations } from './operations.ts';
import { type Request, readValues, withUsage } from './parse-command.ts';

/** What the command prints, and the code it ends with. */
export type Answer = { exitCode: 0 | 1 | 2 | 3; text: string; data: unknown };

export type RunOperation = (request: Request) => Promise<Answer>;

type Deps = {
  sql: Sql;
  sealing: Sealing;
  /** Something may be there to be sent: on the embedded database nobody else would say so. */
  onChanged?: () => void;
};

/** In the command's own process, or in the bot that holds the embedded database. */
export function makeRunOperation({ sql, sealing, onChanged }: Deps): RunOperation {
  return async (request) => {
    const operation = [...operations, ...shopOperations].find(
      ({ command, name }) => command === request.command && name === request.operation,
    );
    if (!operation) return refused(2, `There is no operation "${request.operation}".`);
    try {
      const outcome = await run(operation, request);
      if (operation.changes && !request.dryRun) onChanged?.();
      return { exitCode: 0, ...(request.dryRun ? rehearsed(outcome) : outcome) };
    } catch (error) {
      if (error instanceof NothingFound) return refused(1, error.message);
      if (error instanceof BadArguments) return refused(2, withUsage(error, operation).message);
      throw error;
    }
  };

  function run(operation: Operation, { given, dryRun, operator, reason }: Request): Promise<Outcome> {
    const values = readValues(operation, given);
    const work = (on: Sql) =>
      operation.run({ sql: on, sealing, by: { operator, reason }, rehearsal: dryRun }, values);
    return operation.changes ? atOnce(sql, work, { rehearsal: dryRun }) : work(sql);
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
