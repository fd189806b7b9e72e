import { fork } from 'node:child_process';
import { once } from 'node:events';

type Report = { arrival: 'expected'; before: number } | { arrival: 'first' | 'last'; at: string };

/** Stands for Telegram, in a process of its own, and says when messages came. */
export async function startSink() {
  const child = fork('test/bench/bot-api-sink.ts', { execArgv: ['--import', 'tsx'] });
  const [port] = (await once(child, 'message')) as [number];
  return { apiRoot: `http://127.0.0.1:${port}`, expect, count, close: () => child.disconnect() };

  /** From here on it counts anew, up to so many. */
  async function expect(messages: number) {
    const moments = { first: moment('first'), last: moment('last') };
    await countAnew(messages);
    return moments;
  }

  /** How many came since it was told to expect some. */
  function count(): Promise<number> {
    return countAnew(0);
  }

  async function countAnew(expected: number): Promise<number> {
    const counted = told('expected');
    child.send({ expect: expected });
    return (await counted).before;
  }

  async function moment(arrival: 'first' | 'last'): Promise<bigint> {
    return BigInt((await told(arrival)).at);
  }

  function told<Arrival extends Report['arrival']>(arrival: Arrival) {
    return new Promise<Extract<Report, { arrival: Arrival }>>((resolve) => {
      child.on('message', listen);
      function listen(report: Report) {
        if (report.arrival !== arrival) return;
        child.off('message', listen);
        resolve(report as Extract<Report, { arrival: Arrival }>);
      }
    });
  }
}
