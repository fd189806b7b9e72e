import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ContentRefused } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { finishArticle } from '../../src/services/article/finish-article.ts';
import { toTelegraph } from '../../src/services/content/to-telegraph.ts';
import { type ContentDesk, createContentDesk } from '../../src/workers/content-desk.ts';
import { writtenArticle } from '../support/written-article.ts';

const log = createLog('silent');

describe('a content desk', () => {
  // One for all: its two threads take seconds to start.
  const desk = createContentDesk({ log, workers: 2 });
  afterAll(() => desk.close());

  it('finishes an article as the function does', async () => {
    const article = writtenArticle(1);
    expect(await desk.finish(article)).toEqual(finishArticle(article));
  });

  it('lays a preview page out as the function does', async () => {
    const { html } = finishArticle(writtenArticle(1));
    expect(await desk.layOut(html)).toEqual(toTelegraph(html));
  });

  it('gives everybody their own article when many come at once', async () => {
    const titles = Array.from({ length: 8 }, (_, n) => `Букет № ${n}`);
    const finished = await Promise.all(
      titles.map((title) => desk.finish({ ...writtenArticle(0), title, markdown: 'Розы.' })),
    );
    titles.forEach((title, n) => {
      expect(finished[n]?.html).toContain(`<h1>${title}</h1>`);
    });
  });

  it('finishes texts that were made to be hard, and the honest one behind them', async () => {
    const honest = writtenArticle(1);
    const hard = [
      '['.repeat(5_000),
      '> '.repeat(5_000),
      '*a_'.repeat(5_000),
      '![a]({{IMAGE_1}}'.repeat(3_000),
      `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|b'.repeat(500)}|`,
      'Роза. '.repeat(20_000),
    ];
    const finished = await Promise.all(
      [...hard.map((markdown) => ({ ...honest, markdown })), honest].map((article) => desk.finish(article)),
    );
    expect(finished.at(-1)).toEqual(finishArticle(honest));
  });
});

describe('a content desk whose thread is in a mood', () => {
  const program = new URL('./moody-worker.ts', import.meta.url);
  let desk: ContentDesk;
  afterEach(() => desk.close());

  const open = (options: Partial<Parameters<typeof createContentDesk>[0]> = {}) => {
    desk = createContentDesk({ log, program, ...options });
  };
  const asked = (title: string) => ({ ...writtenArticle(0), title });
  const finish = (title: string, signal?: AbortSignal) =>
    desk.finish(asked(title), signal && { signal }).then(({ html }) => html);

  it.each([
    ['hang', { jobLimitMs: 1_000 }, 'took over 1000 ms'],
    ['swell', { memoryLimitMb: 32 }, 'its thread failed'],
    ['die', {}, 'its thread ended with code 3'],
    ['complain', {}, 'what came could not be read'],
  ])('loses one article that makes it %s, and no other', async (mood, limits, why) => {
    open(limits);
    const [before, poison, after] = await Promise.allSettled([
      finish('before'),
      finish(mood),
      finish('after'),
    ]);
    expect(poison).toEqual({ status: 'rejected', reason: new ContentRefused(why) });
    expect([before, after]).toMatchObject([{ value: 'before' }, { value: 'after' }]);
  });

  it('keeps its thread for the next article, and lets it go when none comes', async () => {
    open();
    expect(await finish('tell')).toBe(await finish('tell'));
    await desk.close();
    open({ idleMs: 1 });
    const first = await finish('tell');
    await vi.waitFor(async () => expect(await finish('tell')).not.toBe(first));
  });

  it('stops for a caller who has left, and goes on for the next', async () => {
    open();
    const caller = new AbortController();
    const left = finish('hang', caller.signal);
    const waiting = finish('never begun', caller.signal);
    const next = finish('next');
    caller.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(waiting).rejects.toThrow('left');
    expect(await next).toBe('next');
  });

  it('refuses what is running, waiting or new once it is closed', async () => {
    open();
    const running = finish('hang');
    const waiting = finish('waiting');
    const refused = Promise.allSettled([running, waiting]);
    await desk.close();
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(finish('new')).rejects.toThrow('closed');
  });
});
