import { createGuardedFetch } from '../../src/clients/http/guarded-fetch.ts';
import { composeWriting } from '../../src/compose/writing.ts';
import type { SupplierSettings } from '../../src/config.ts';
import { imageSettings, textSettings } from '../../src/content-settings.ts';
import { createLog } from '../../src/log.ts';
import { createPicturesInMemory } from '../../src/scripts/pictures-in-memory.ts';
import { filePrompts } from '../../src/services/ai/prompts.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';
import { type LoopDelay, withLoopDelay } from './loop-delay.ts';

export type WritingOrder = { suppliers: SupplierSettings; articles: number };
export type WritingAnswer = { delay: LoopDelay; seconds: number; words: number };

process.once('message', async ({ suppliers, articles }: WritingOrder) => {
  const writing = composeWriting({
    suppliers,
    publicUrl: undefined,
    fetch: createGuardedFetch({ allowPrivate: true }),
    cache: createMemoryKeyValueStore(),
    pictures: createPicturesInMemory(),
    activePrompt: await filePrompts(),
    noteCost: async () => undefined,
    log: createLog('silent', false),
  });
  const { signal } = new AbortController();
  await write('разминка перед измерением');

  const started = performance.now();
  const { result, delay } = await withLoopDelay(() =>
    Promise.all(Array.from({ length: articles }, (_, i) => write(`остекление балкона, вариант ${i + 1}`))),
  );
  const seconds = (performance.now() - started) / 1_000;
  process.send!({
    delay,
    seconds,
    words: result.reduce((sum, words) => sum + words, 0),
  } satisfies WritingAnswer);
  await writing.close();

  async function write(mainPhrase: string): Promise<number> {
    const company = {
      name: 'Окна Плюс',
      specialization: 'пластиковые окна',
      description: '',
      experience: '',
      advantages: '',
      city: 'Казань',
      phone: '',
      websiteUrl: '',
      telegram: '',
      vk: '',
      pinterest: '',
    };
    const article = await writing.writeArticle(
      {
        company,
        topic: { name: mainPhrase, description: '', prices: '', reviews: [] },
        projectId: 1,
        mainPhrase,
        cluster: null,
        text: textSettings('wordpress', {}, null),
        images: imageSettings('wordpress', {}, null),
        colors: {},
      },
      { userId: 1, stage: (_, work) => work(), signal, report: () => undefined },
    );
    await writing.makePage({ title: article.title, html: article.html, authorName: company.name }, signal);
    return article.words;
  }
});
