import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { createGuardedFetch } from '../../src/clients/http/guarded-fetch.ts';
import { composeWriting } from '../../src/compose/writing.ts';
import { createLog } from '../../src/log.ts';
import { startOpenRouterStandIn } from '../../src/sandbox/openrouter/start.ts';
import { startTelegraphStandIn } from '../../src/sandbox/telegraph/start.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';
import { createPictureFolder } from '../../src/store/picture-folder.ts';
import { noKeys } from '../support/article-works.ts';

const { signal } = new AbortController();

/** The brain of the product over nothing but the suppliers that a test names. */
const writingWith = (differences: Partial<Parameters<typeof composeWriting>[0]>) =>
  composeWriting({
    suppliers: noKeys,
    publicUrl: undefined,
    fetch: createGuardedFetch({ allowPrivate: true }),
    cache: createMemoryKeyValueStore(),
    pictures: createPictureFolder({
      folder: tmpdir(),
      key: Buffer.alloc(32),
      baseUrl: 'http://pictures.test',
    }),
    activePrompt: () => Promise.reject(new Error('nothing is written here')),
    noteCost: async () => undefined,
    log: createLog('silent', false),
    ...differences,
  });

it('the health check asks the models with the key: a router that refuses strangers is not down', async () => {
  const apiKey = 'sk-or-v1-health';
  const router = await startOpenRouterStandIn({ apiKey });
  const writing = writingWith({ suppliers: { ...noKeys, openRouter: { baseUrl: router.url, apiKey } } });
  onTestFinished(() => Promise.all([writing.close(), router.close()]).then(() => undefined));

  await expect(writing.pingModels?.()).resolves.toMatchObject({ status: 200 });
});

it('a preview has no empty frames where no browser reaches the pictures', async () => {
  const telegraph = await startTelegraphStandIn();
  const suppliers = { ...noKeys, telegraph: { baseUrl: telegraph.url, accessToken: undefined } };
  const html =
    '<h1>Шторы</h1><p>Текст</p><figure><img src="http://localhost:3000/pictures/1.webp" alt="Шторы" /><figcaption>Шторы</figcaption></figure><p>Конец</p>';
  const pages: string[] = [];
  for (const showsPictures of [true, false]) {
    const writing = writingWith({ suppliers, showsPictures });
    onTestFinished(() => writing.close());
    const made = await writing.makePage({ title: 'Шторы', authorName: 'Ромашка', html }, signal);
    pages.push(await (await fetch(made!.url)).text());
  }
  onTestFinished(() => telegraph.close());

  expect(pages[0]).toContain('localhost:3000/pictures/1.webp');
  expect(pages[1]).not.toMatch(/<img|<figure|pictures/u);
  expect(pages[1]).toContain('Конец');
});
