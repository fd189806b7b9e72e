import { runCommand } from './autopost/run-command.ts';
import { subcommands } from './autopost/subcommands.ts';

process.exitCode = await runCommand(subcommands, process.argv.slice(2));
