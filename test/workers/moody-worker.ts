/** A content thread that does to itself what the title of the article says. */
import { parentPort, threadId } from 'node:worker_threads';

const moods: Record<string, () => unknown> = {
  hang() {
    for (;;);
  },
  swell() {
    for (const kept: number[][] = []; ; ) kept.push(new Array(1_000_000).fill(0.5));
  },
  die: () => process.exit(3),
  complain: () => ({ error: new Error('a sentence without end') }),
  tell: () => ({ done: { html: String(threadId) } }),
};

parentPort?.on('message', ({ finish: { title } }: { finish: { title: string } }) => {
  const answer = moods[title]?.() ?? { done: { html: title } };
  parentPort?.postMessage(answer);
});
parentPort?.postMessage('ready');
