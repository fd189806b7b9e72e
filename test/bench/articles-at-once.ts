import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadConfig } from '../../src/config.ts';
import { startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import type { WritingAnswer, WritingOrder } from './articles-at-once-child.ts';
import type { Outcome } from './outcome.ts';

const ARTICLES = 20;
const TARGET_MS = 50;

/** Whether the bot could answer anybody while it writes for twenty people. The suppliers run in a process of their own. */
export async function articlesAtOnce(): Promise<Outcome> {
  const standIns = await startSupplierStandIns(loadConfig({}).suppliers, { modelThinksMs: 200 });
  const writer = fork('test/bench/articles-at-once-child.ts', { execArgv: ['--import', 'tsx'] });
  try {
    writer.send({ suppliers: standIns.suppliers, articles: ARTICLES } satisfies WritingOrder);
    const [{ delay, seconds, words }] = (await once(writer, 'message')) as [WritingAnswer];
    return {
      case: 'articles-at-once',
      ours: Number(delay.p99.toFixed(1)),
      peer: null,
      ratio: null,
      unit: 'ms of event-loop delay, p99',
      notes:
        `${ARTICLES} articles with four pictures and a preview page each, ${words} words, in ${seconds.toFixed(1)} s; ` +
        `p50 ${delay.p50.toFixed(1)} ms, longest ${delay.max.toFixed(1)} ms; target below ${TARGET_MS} ms`,
    };
  } finally {
    writer.disconnect();
    await standIns.close();
  }
}
