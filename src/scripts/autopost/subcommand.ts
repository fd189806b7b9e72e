import { z } from 'zod';
import { canonicalTag } from '../../autopost/ingest/normalise-post.ts';
import type { By } from '../../autopost/store/operators.ts';
import { channelPlatforms } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';

type CommandName = 'autopost' | 'shop-bot';

/** What the command does, as one row of its table. */
export type Subcommand = {
  /** `npm run …`: two commands share one socket into the bot. */
  command: CommandName;
  name: string;
  summary: string;
  /** It can be rehearsed, and it is kept who did it and why. */
  changes: boolean;
  /** The option that may be given without its name, as a list. */
  positional: string | null;
  options: Readonly<Record<string, Option>>;
  run(context: Context, values: Values): Promise<Outcome>;
};

export type Option<Schema extends z.ZodType = z.ZodType> = {
  /** What stands in its place in the usage; null: a switch. */
  hint: string | null;
  help: string;
  schema: Schema;
};

export type Values = Readonly<Record<string, unknown>>;
/** `rehearsal`: the database takes everything back, so nothing may be done outside of it. */
export type Context = { sql: Sql; sealing: Sealing; by: By; places: Places; rehearsal: boolean };

/** Where MAX is, and where this service is to be found: of the process that does what was asked for. */
export type Places = { maxUrl: string; publicUrl: string | undefined };

/** For people, and for programs. The command ends with 3 when what was asked for has to be said again later. */
export type Outcome = { text: string; data: unknown; exitCode?: 3 };

/** What was asked for cannot be done: the reason is said to the person, and the command ends with 1. */
export class NotDone extends Error {
  override readonly name: string = 'NotDone';
}

/** Nothing there under these names. */
export class NothingFound extends NotDone {
  override readonly name = 'NothingFound';
}

/** The command was not understood: it ends with 2. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments';
}

type Options = Readonly<Record<string, Option>>;
type ValuesOf<Given extends Options> = { [Name in keyof Given]: z.infer<Given[Name]['schema']> };

export function defineSubcommand<Given extends Options>(subcommand: {
  command?: CommandName;
  name: string;
  summary: string;
  changes?: boolean;
  positional?: keyof Given & string;
  options: Given;
  run(context: Context, values: ValuesOf<Given>): Promise<Outcome>;
}): Subcommand {
  const { command = 'autopost', changes = false, positional = null } = subcommand;
  // Values are read with the subcommand's own schemas before it is run: see readValues.
  return { ...subcommand, command, changes, positional, run: subcommand.run as Subcommand['run'] };
}

export const option = <Schema extends z.ZodType>(hint: string | null, help: string, schema: Schema) => ({
  hint,
  help,
  schema,
});

export const text = z.string().trim().min(1);
/** New names: such that a command with one in it can be copied from a message into a shell. */
export const identifier = z.string().regex(/^\w[\w.@-]{0,63}$/u, 'expected letters, digits, - _ . and @');
export const count = z.coerce.number().int().positive().max(1_000_000_000);
export const rate = z.coerce.number().nonnegative();
/** Up to a year; a longer pause means for ever. */
export const minutes = z.coerce.number().positive().max(525_600);
export const deliveryIds = z
  .array(z.uuid('expected the id of a delivery'))
  .min(1, 'expected at least one id');
export const platform = z.enum(channelPlatforms);
export const flag = z.boolean().default(false);
export const tags = z.string().transform((given) => given.split(',').map(canonicalTag).filter(Boolean));

export const workspace = option('id', 'the workspace', text);
export const channel = option('id', 'the channel', text);

export const isRequired = ({ schema }: Option): boolean => !schema.safeParse(undefined).success;

/** An option that was left out and one that is undefined are two things to the compiler. */
export const withoutUndefined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]-?: Exclude<Given[Name], undefined>;
  };
