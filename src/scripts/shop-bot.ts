import { runCommand } from './autopost/run-command.ts';
import { shopOperations } from './shop-bot/operations.ts';

process.exitCode = await runCommand(shopOperations, process.argv.slice(2));
