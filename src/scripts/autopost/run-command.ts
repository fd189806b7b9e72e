import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { BadConfig, loadConfig } from '../../config.ts';
import { DataDirInUse } from '../../store/data-dir-lock.ts';
import { parseCommand, type Request } from './parse-command.ts';
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
    const known = [BadArguments, BadConfig, DataDirInUse].some((kind) => error instanceof kind);
    console.error(known && error instanceof Error ? error.message : error);
    return error instanceof BadArguments ? 2 : 1;
  }
}

async function main(subcommands: readonly Subcommand[], args: readonly string[]): Promise<number> {
  const command = parseCommand(subcommands, args);
  if ('help' in command) {
    console.log(command.help);
    return 0;
  }
  if (existsSync('.env')) process.loadEnvFile();
  const {
    exitCode,
    text: told,
    data,
  } = await reachDatabase(loadConfig(process.env), await complete(command.request));
  if (command.json) console.log(JSON.stringify(data, null, 2));
  else if (exitCode === 0) console.log(told);
  else console.error(told);
  return exitCode;
}

/** `--token -`: a secret on the command line is read by everybody who lists the processes. */
async function complete(request: Request): Promise<Request> {
  const open = Object.keys(request.given).filter((name) => request.given[name] === '-');
  if (open.length === 0) return request;
  const typed = (await text(process.stdin)).trim();
  return {
    ...request,
    given: { ...request.given, ...Object.fromEntries(open.map((name) => [name, typed])) },
  };
}
