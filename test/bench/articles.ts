import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ChildAnswer, ChildOrder } from './article-child.ts';
import { median, type Outcome, spread } from './outcome.ts';

const WORDS = 2_500;
const TARGET_MS = 60;
const ARTICLES = 1_000;
const TARGET_MB = 50;
const MEGABYTE = 1024 * 1024;

/** How long one article computes, once the process is warm. */
export async function articleContent(): Promise<Outcome> {
  const order = { articles: 100, warmUp: 50, words: WORDS };
  const { times } = await workedInChild({ ...order, work: 'content' });
  const everything = await workedInChild({ ...order, work: 'everything' });
  return {
    case: 'article-content',
    ours: Number(median(times).toFixed(1)),
    peer: null,
    ratio: null,
    unit: 'ms',
    notes:
      `render, sanitise, score of ${WORDS} words, median of ${times.length} different articles, ` +
      `${spread(times)} ms; with facts, validation and fingerprint ${median(everything.times).toFixed(1)} ms; ` +
      `target below ${TARGET_MS} ms`,
  };
}

/** What a process keeps of articles that are long finished. */
export async function articleMemory(): Promise<Outcome> {
  const { before, after } = await workedInChild({
    work: 'everything',
    articles: ARTICLES,
    warmUp: 100,
    words: WORDS,
  });
  const mb = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  return {
    case: 'article-memory',
    ours: Number(mb(after.rss - before.rss)),
    peer: null,
    ratio: null,
    unit: 'MB of RSS',
    notes:
      `growth over ${ARTICLES} articles of ${WORDS} words behind 100 that warmed up, after gc; heap ` +
      `${mb(before.heapUsed)} → ${mb(after.heapUsed)} MB, RSS ${mb(before.rss)} → ${mb(after.rss)} MB; ` +
      `target below ${TARGET_MB} MB`,
  };
}

async function workedInChild(order: ChildOrder): Promise<ChildAnswer> {
  const child = fork('test/bench/article-child.ts', { execArgv: ['--expose-gc', '--import', 'tsx/esm'] });
  child.send(order);
  const [answer] = (await once(child, 'message')) as [ChildAnswer];
  return answer;
}
