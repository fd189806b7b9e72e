import { createRequire } from 'node:module';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { textSettings } from '../../../src/content-settings.ts';
import { AiFailed, ContentRefused } from '../../../src/errors.ts';
import type { PostPlatform } from '../../../src/platforms/platforms.ts';
import type { PostAnswer } from '../../../src/services/ai/answers.ts';
import { makeWritePost } from '../../../src/services/posts/write-post.ts';
import { declaredVariables } from '../ai/declared-variables.ts';
import { fakeAsk } from '../ai/fake-ask.ts';
import { keptStages } from '../ai/kept-stages.ts';
import { brief, company } from './flower-shop.ts';

const written: PostAnswer = {
  text: '<b>Букет невесты</b> живёт дольше, если собрать его утром.\n\nБукет невесты стоит 5 000 ₽: +7 843 123-45-67.',
  hashtags: ['букет невесты', 'свадьба'],
  pin_title: '',
};

function writing(answers: (PostAnswer | Error)[]) {
  const { ask, questions } = fakeAsk({ social_post: answers });
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push(line) });
  const writePost = makeWritePost({ ask, log });
  const stages = keptStages();
  const write = (platform: PostPlatform = 'telegram', over = brief) =>
    writePost({
      brief: over,
      platform,
      keyword: 'букет невесты',
      settings: textSettings(platform, {}, null),
      userId: 7,
      stage: stages.run,
      signal: new AbortController().signal,
    });
  return { write, questions, logged, stages };
}

describe('a post', () => {
  it('is read without a browser’s DOM: loading one would hold up everybody else for seconds', async () => {
    const { cache } = createRequire(import.meta.url);
    const before = Object.entries(cache).filter(([path]) => path.includes('/jsdom/'));
    for (const [path] of before) delete cache[path]; // other tests of this thread may have loaded it
    const { write } = writing([written]);
    await write();
    expect(Object.keys(cache).filter((path) => path.includes('/jsdom/'))).toEqual([]);
    Object.assign(cache, Object.fromEntries(before));
  });

  it('is written from all that the person has told', async () => {
    const { write, questions } = writing([written]);
    await write();
    expect(questions).toMatchObject([
      {
        task: 'social_post',
        userId: 7,
        variables: {
          keyword: 'букет невесты',
          platform: 'telegram',
          text_style: 'Разговорный',
          words_min: 100,
          words_max: 300,
          company_name: 'Флора',
          specialization: 'Букеты с доставкой',
          company_city: 'Казань',
          company_phone: '+7 843 123-45-67',
          category_description: 'Букеты из своих теплиц',
          reviews_excerpt: 'Анна: Пионы стояли неделю.',
          prices_excerpt: 'Букет невесты — 5 000 ₽\nПионы, 15 шт — 3 500 руб.',
          website_url: 'https://flora.ru',
          social_link: 'https://t.me/flora',
          language: 'ru',
        },
      },
    ]);
    expect(Object.keys(questions[0]?.variables ?? {}).sort()).toEqual(declaredVariables('social_v4'));
  });

  it('comes ready to be sent, counted and different from earlier ones', async () => {
    const { write, logged } = writing([written]);
    const post = await write();
    expect(post).toEqual({
      platform: 'telegram',
      text: `${written.text}\n\n<a href="https://flora.ru/?utm_source=telegram&amp;utm_medium=social&amp;utm_campaign=bukety">flora.ru</a>\n\n#букетневесты #свадьба`,
      link: null,
      title: null,
      hashtags: ['#букетневесты', '#свадьба'],
      words: 21,
      contentHash: expect.stringMatching(/^-?\d+$/u),
      warnings: [],
      modelUsed: 'fake/model',
      promptVersion: 'social_post_v1',
      generationTimeMs: 1_200,
    });
    expect(logged).toEqual([]);
  });

  it('has a title when it is a pin', async () => {
    const { write } = writing([{ ...written, pin_title: 'Букет невесты: как сберечь' }]);
    expect((await write('pinterest')).title).toBe('Букет невесты: как сберечь');
  });

  it('is asked for once, however often its work is begun anew', async () => {
    const { write, questions } = writing([written]);
    expect(await write()).toEqual(await write());
    expect(questions).toHaveLength(1);
  });
});

describe('what a model invents', () => {
  it('is pointed out, the most serious first: a telephone, a price, an address', async () => {
    const text = 'Букет невесты за 900 руб. Звоните 8 900 000-00-00 или https://rival.ru/buy.';
    const { write } = writing([{ ...written, text }]);
    expect((await write()).warnings.map(({ code, value }) => [code, value])).toEqual([
      ['phone-not-of-company', '8 900 000-00-00'],
      ['price-not-listed', '900 руб'],
      ['link-not-of-company', 'https://rival.ru/buy'],
    ]);
  });

  it('is every sum when there is no price list', async () => {
    const { write } = writing([written]);
    const { warnings } = await write('vk', { ...brief, topic: { ...brief.topic, prices: '' } });
    expect(warnings).toMatchObject([{ code: 'price-not-listed', rubles: 5_000 }]);
  });
});

it('a first sentence without the key phrase is noted in the log and left as it is', async () => {
  const { write, logged } = writing([{ ...written, text: 'Утро. Букет невесты готов.' }]);
  expect((await write('vk')).text).toMatch(/^Утро\. Букет невесты готов\./u);
  expect(logged.join('')).toContain('the first sentence lacks the key phrase');
});

describe('a text that cannot go out', () => {
  it('is no text at all', async () => {
    const { write } = writing([{ ...written, text: '<b> </b>\n#букет' }]);
    await expect(write()).rejects.toMatchObject({ name: 'AiFailed', reason: 'unusable' });
  });

  it('has places left to fill in', async () => {
    const { write } = writing([{ ...written, text: 'Букет невесты: звоните [ваш телефон].' }]);
    await expect(write()).rejects.toBeInstanceOf(ContentRefused);
  });

  it('is not kept: the next try asks again', async () => {
    const { write, questions } = writing([{ ...written, text: 'TODO' }, written]);
    await expect(write()).rejects.toBeInstanceOf(ContentRefused);
    expect((await write()).words).toBe(21);
    expect(questions).toHaveLength(2);
  });

  it('is what a failed chain of models leaves', async () => {
    const { write } = writing([new AiFailed('unavailable', 'all models failed')]);
    await expect(write()).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('the company’s page', () => {
  it.each([
    ['telegram', 'https://t.me/flora'],
    ['vk', 'https://vk.com/flora_kazan'],
    ['pinterest', ''],
    ['max', 'https://t.me/flora'],
  ] as const)('on %s is %j', async (platform, link) => {
    const { write, questions } = writing([written]);
    await write(platform);
    expect(questions[0]?.variables.social_link).toBe(link);
  });

  it('on MAX is its site when it has no channel', async () => {
    const { write, questions } = writing([written]);
    await write('max', { ...brief, company: { ...company, telegram: '' } });
    expect(questions[0]?.variables.social_link).toBe('https://flora.ru');
  });
});
