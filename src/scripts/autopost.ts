import { operations } from './autopost/operations.ts';
import { runCommand } from './autopost/run-command.ts';

process.exitCode = await runCommand(operations, process.argv.slice(2));
