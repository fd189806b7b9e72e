import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { BadArguments, type Subcommand, type Values } from './subcommand.ts';
import { overview, usageOf } from './usage.ts';

/** What was asked for, in words that can be sent to another process. Options are as they were typed. */
export const requestSchema = z.object({
  command: z.enum(['autopost', 'shop-bot']).default('autopost'),
  subcommand: z.string(),
  given: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]).optional()),
  dryRun: z.boolean(),
  operator: z.string(),
  reason: z.string(),
});

export type Request = z.infer<typeof requestSchema>;

type Command = { request: Request; json: boolean } | { help: string };

/** `input` is read where an option says `-`: a secret on the command line is seen by everybody who lists the processes. */
export async function parseCommand(
  subcommands: readonly Subcommand[],
  args: readonly string[],
  input: () => Promise<string>,
): Promise<Command> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help') return { help: overview(subcommands) };
  const subcommand = subcommands.find((one) => one.name === name);
  if (!subcommand) throw new BadArguments(`There is no subcommand "${name}".\n\n${overview(subcommands)}`);
  try {
    return await commandOf(subcommand, rest, input);
  } catch (error) {
    if (error instanceof BadArguments) throw withUsage(error, subcommand);
    throw error;
  }
}

/** Whatever was wrong, the next line shows how it is done. */
export const withUsage = ({ message }: BadArguments, subcommand: Subcommand): BadArguments =>
  new BadArguments(`${message}\n\n${usageOf(subcommand)}`);

async function commandOf(
  subcommand: Subcommand,
  args: readonly string[],
  input: () => Promise<string>,
): Promise<Command> {
  const { values, positionals } = understood(subcommand, args);
  if (values.help) return { help: usageOf(subcommand) };
  const { json, operator, reason, help: _, 'dry-run': dryRun, ...given } = values;
  const { positional } = subcommand;
  const request = {
    command: subcommand.command,
    subcommand: subcommand.name,
    given: {
      ...(await completed(given, input)),
      ...(positional && positionals.length > 0 && { [positional]: positionals }),
    },
    dryRun: dryRun === true,
    operator: typeof operator === 'string' ? operator : userInfo().username,
    reason: typeof reason === 'string' ? reason : '',
  };
  readValues(subcommand, request.given);
  return { request, json: json === true };
}

async function completed(given: Request['given'], input: () => Promise<string>): Promise<Request['given']> {
  const open = Object.keys(given).filter((name) => given[name] === '-');
  if (open.length === 0) return given;
  const typed = (await input()).trim();
  return { ...given, ...Object.fromEntries(open.map((name) => [name, typed])) };
}

/** The typed words as the subcommand wants them, or everything that is wrong with them at once. */
export function readValues(subcommand: Subcommand, given: Request['given']): Values {
  const shape = Object.fromEntries(
    Object.entries(subcommand.options).map(([key, { schema }]) => [key, schema]),
  );
  const read = z.strictObject(shape).safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path: [key, ...deeper], message }) => {
    const place = [`--${String(key)}`, ...deeper.map(String)].join('.');
    return `${place}: ${given[String(key)] === undefined ? 'is missing' : message}`;
  });
  throw new BadArguments(problems.join('\n'));
}

function understood(subcommand: Subcommand, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    ...(subcommand.changes && {
      'dry-run': { type: 'boolean' },
      operator: { type: 'string' },
      reason: { type: 'string' },
    }),
  };
  for (const [key, { hint }] of Object.entries(subcommand.options)) {
    if (key !== subcommand.positional) options[key] = { type: hint === null ? 'boolean' : 'string' };
  }
  try {
    return parseArgs({
      args: joinedNumbers(args),
      options,
      allowPositionals: subcommand.positional !== null,
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
