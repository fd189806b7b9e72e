import { runCommand } from './autopost/run-command.ts';
import { shopSubcommands } from './shop-bot/subcommands.ts';

process.exitCode = await runCommand(shopSubcommands, process.argv.slice(2));
