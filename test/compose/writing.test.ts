import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { createGuardedFetch } from '../../src/clients/http/guarded-fetch.ts';
import { composeWriting } from '../../src/compose/writing.ts';
import { createLog } from '../../src/log.ts';
import { startOpenRouterStandIn } from '../../src/sandbox/openrouter/start.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';
import { createPictureFolder } from '../../src/store/picture-folder.ts';
import { noKeys } from '../support/article-works.ts';

it('the health check asks the models with the key: a router that refuses strangers is not down', async () => {
  const apiKey = 'sk-or-v1-health';
  const router = await startOpenRouterStandIn({ apiKey });
  const writing = composeWriting({
    suppliers: { ...noKeys, openRouter: { baseUrl: router.url, apiKey } },
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
  });
  onTestFinished(() => Promise.all([writing.close(), router.close()]).then(() => undefined));

  await expect(writing.pingModels?.()).resolves.toMatchObject({ status: 200 });
});
