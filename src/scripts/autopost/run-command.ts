import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { startFailure } from '../../compose/start-failure.ts';
import { loadConfig } from '../../config.ts';
import { parseCommand } from './parse-command.ts';
import { reachDatabase } from './reach.ts';
import { BadArguments, type Subcommand } from './subcommand.ts';

/** A command with these subcommands, as its script runs it: the exit code says how it went. */
export async function runCommand(
  subcommands: readonly Subcommand[],
  args: readonly string[],
): Promise<number> {
  try {
    return await main(subcommands, args);
  } catch (error) {
    console.error(error instanceof BadArguments ? error.message : startFailure(error));
    return error instanceof BadArguments ? 2 : 1;
  }
}

async function main(subcommands: readonly Subcommand[], args: readonly string[]): Promise<number> {
  const command = await parseCommand(subcommands, args, () => text(process.stdin));
  if ('help' in command) {
    console.log(command.help);
    return 0;
  }
  if (existsSync('.env')) process.loadEnvFile();
  const { exitCode, text: told, data } = await reachDatabase(loadConfig(process.env), command.request);
  if (command.json) console.log(JSON.stringify(data, null, 2));
  else if (exitCode === 0) console.log(told);
  else console.error(told);
  return exitCode;
}
