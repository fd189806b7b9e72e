import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { BadArguments, type Operation, type Values } from './operation.ts';
import { overview, usageOf } from './usage.ts';

/** What was asked for, in words that can be sent to another process. Options are as they were typed. */
export const requestSchema = z.object({
  command: z.enum(['autopost', 'shop-bot']).default('autopost'),
  operation: z.string(),
  given: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]).optional()),
  dryRun: z.boolean(),
  operator: z.string(),
  reason: z.string(),
});

export type Request = z.infer<typeof requestSchema>;

export type Command = { request: Request; json: boolean } | { help: string };

export function parseCommand(operations: readonly Operation[], args: readonly string[]): Command {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help') return { help: overview(operations) };
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new BadArguments(`There is no operation "${name}".\n\n${overview(operations)}`);
  try {
    return commandOf(operation, rest);
  } catch (error) {
    if (error instanceof BadArguments) throw withUsage(error, operation);
    throw error;
  }
}

/** Whatever was wrong, the next line shows how it is done. */
export const withUsage = ({ message }: BadArguments, operation: Operation): BadArguments =>
  new BadArguments(`${message}\n\n${usageOf(operation)}`);

function commandOf(operation: Operation, args: readonly string[]): Command {
  const { values, positionals } = understood(operation, args);
  if (values.help) return { help: usageOf(operation) };
  const { json, operator, reason, help: _, 'dry-run': dryRun, ...given } = values;
  const { positional } = operation;
  const request = {
    command: operation.command,
    operation: operation.name,
    given: positional && positionals.length > 0 ? { ...given, [positional]: positionals } : given,
    dryRun: dryRun === true,
    operator: typeof operator === 'string' ? operator : userInfo().username,
    reason: typeof reason === 'string' ? reason : '',
  };
  readValues(operation, request.given);
  return { request, json: json === true };
}

/** The typed words as the operation wants them, or everything that is wrong with them at once. */
export function readValues(operation: Operation, given: Request['given']): Values {
  const shape = Object.fromEntries(
    Object.entries(operation.options).map(([key, { schema }]) => [key, schema]),
  );
  const read = z.strictObject(shape).safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path: [key, ...deeper], message }) => {
    const place = [`--${String(key)}`, ...deeper.map(String)].join('.');
    return `${place}: ${given[String(key)] === undefined ? 'is missing' : message}`;
  });
  throw new BadArguments(problems.join('\n'));
}

function understood(operation: Operation, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    ...(operation.changes && {
      'dry-run': { type: 'boolean' },
      operator: { type: 'string' },
      reason: { type: 'string' },
    }),
  };
  for (const [key, { hint }] of Object.entries(operation.options)) {
    if (key !== operation.positional) options[key] = { type: hint === null ? 'boolean' : 'string' };
  }
  try {
    return parseArgs({
      args: joinedNumbers(args),
      options,
      allowPositionals: operation.positional !== null,
      allowNegative: true,
    }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new BadArguments(error.message);
  }
}

/** Chats of both platforms have negative ids, which would be taken for options. */
function joinedNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1);
    if (/^-\d/u.test(arg) && last !== undefined && /^--[a-z-]+$/u.test(last))
      joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}
