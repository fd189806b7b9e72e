import { spawn } from 'node:child_process';
import { once } from 'node:events';

export const SEALING_KEY = Buffer.alloc(32, 'K').toString('base64url'); // visibly no secret

export type DispatcherProcess = ReturnType<typeof startDispatcherProcess>;

/** `npm run dispatcher` as a process of its own, which a test may stop, freeze or kill. */
export function startDispatcherProcess(settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/scripts/dispatcher.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ENCRYPTION_KEY: SEALING_KEY, LOG_LEVEL: 'info', ...settings },
  });
  let output = '';
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const started = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('"dispatching"')) resolve();
      });
    void exited.then(() => reject(new Error(`the dispatcher did not start:\n${output}`)));
  });
  started.catch(() => undefined); // one that is killed while it starts is not a failure

  return {
    started,
    exited,
    output: () => output,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    signal: (name: NodeJS.Signals) => child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
