import { isRequired, type Option, type Subcommand } from './subcommand.ts';

type Row = readonly [left: string, help: string];

const ofEvery: readonly Row[] = [['--json', 'the answer as JSON']];
const ofChanges: readonly Row[] = [
  ['--dry-run', 'say what would change, and change nothing'],
  ['--operator …', 'who does it; without it, the user of this machine'],
  ['--reason …', 'why: it is kept with what was done'],
];

export function overview(subcommands: readonly Subcommand[]): string {
  const width = Math.max(...subcommands.map(({ name }) => name.length));
  const lines = subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `npm run ${subcommands[0]?.command} -- <subcommand> [options]`,
    '',
    ...lines,
    '',
    '<subcommand> --help tells its options.',
  ].join('\n');
}

export function usageOf({ command, name, summary, changes, positional, options }: Subcommand): string {
  const given = Object.entries(options).filter(([key]) => key !== positional);
  const call = [
    `npm run ${command} -- ${name}`,
    ...(positional ? [placeholder(positional, options[positional]!)] : []),
    ...given.map(([key, one]) => (isRequired(one) ? asGiven(key, one) : `[${asGiven(key, one)}]`)),
  ];
  const own = given.map(([key, one]): Row => [asGiven(key, one), one.help]);
  const rows = [...own, ...(changes ? ofChanges : []), ...ofEvery];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    call.join(' '),
    `  ${summary}`,
    '',
    ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`),
  ].join('\n');
}

const asGiven = (key: string, { hint }: Option): string => (hint === null ? `--${key}` : `--${key} ${hint}`);
const placeholder = (key: string, one: Option): string => (isRequired(one) ? `<${key}…>` : `[${key}…]`);
