import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';

// A stand-in in a process of its own, to be killed: its journal is the argument, its address the output.
const telegram = await startTelegramStandIn({ token: '123456:sandbox-token', journal: process.argv[2]! });
process.stdout.write(`${telegram.url}\n`);
