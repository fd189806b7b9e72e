import { describe, expect, it } from 'vitest';
import { imageSettings, textSettings } from '../../../src/content-settings.ts';
import { renewed } from '../../../src/platforms/wordpress/renew.ts';
import { finishArticle } from '../../../src/services/article/finish-article.ts';
import { makePaidWork } from '../../../src/services/money/paid-work.ts';
import { words } from '../../../src/services/quality/russian-text.ts';
import { makeProposeRefresh } from '../../../src/services/refresh/propose-refresh.ts';
import type { RefreshedArticle } from '../../../src/store/article-refreshes.ts';
import type { CategoryBrief } from '../../../src/store/briefs.ts';
import { writtenArticle } from '../../support/written-article.ts';
import { keptStages } from '../ai/kept-stages.ts';
import { company } from '../article/company.ts';

const PRICE = 270;
const text = writtenArticle(3, 1_600);
const links = 'Смотрите [каталог букетов](https://kuhni-plus.example/katalog/svadebnye-bukety-2026).';
const standing = `${text.markdown}\n\n${links}\n\n- роза\n- пион`;

describe('a new version of an article', () => {
  it('that changes no paragraph is refused, and all its tokens come back', async () => {
    const { proposal, money } = proposed(standing);
    await expect(proposal).rejects.toMatchObject({
      code: 'REFRESH_IMPOSSIBLE',
      userMessage: expect.stringMatching(/все абзацы/u),
      refunded: PRICE,
    });
    expect(money).toEqual([-PRICE, PRICE]);
  });

  it('that only writes its lists another way changes nothing', async () => {
    const { proposal } = proposed(standing.replace('- роза\n- пион', '* роза\n\n* пион'));
    await expect(proposal).rejects.toMatchObject({ refunded: PRICE });
  });

  it('is as much longer as what was added, though the old one was read with its addresses', async () => {
    const fresh = 'Букет хранят в прохладе и каждый день меняют ему воду.';
    const { proposal, money } = proposed(`${standing}\n\n${fresh}`);
    const { added, removed, words: count, spent } = await proposal;
    expect({ added, removed }).toEqual({ added: [fresh], removed: [] });
    expect(count.after - count.before).toBe(words(fresh).length);
    expect(money).toEqual([-PRICE, PRICE - spent]);
  });

  it('is signed once', async () => {
    const { proposal, kept } = proposed(`${standing}\n\nНовый абзац о букетах.`);
    await proposal;
    expect(kept[0]).toContain('Новый абзац');
    expect(kept[0]!.match(/Автор: Анна/gu)).toHaveLength(1);
  });
});

/** Stands with a signature, which the model returns as it does every other paragraph. */
function proposed(markdown: string) {
  const signature = '*Автор: Анна, Кухни Плюс*';
  const money: number[] = [];
  const kept: string[] = [];
  const own = { ...company, specialization: 'Свадебная флористика', author: 'Анна' };
  const page = finishArticle({
    ...{ ...text, markdown: standing, author: own.name, person: 'Анна' },
    places: { ...own, phones: [], mails: [], pages: [], sources: [] },
  });
  const post = { id: 5, link: 'https://kuhni-plus.example/buket', excerpt: 'Описание', title: text.title };
  const content = renewed({ ...post, content: '' }, { ...post, html: page.html }).content;
  const answer = {
    ...{ title: text.title, seo_title: text.title, meta_description: text.metaDescription },
    ...{
      content_markdown: `${markdown}\n\n${signature}`,
      faq_schema: [],
      images_meta: [],
      changes_summary: '',
    },
  };
  const propose = makeProposeRefresh({
    refreshes: {
      article: async () => article,
      propose: async ({ after }) => kept.push(after.content),
    },
    briefOf: async () => ({ ...brief, company: own }),
    findPost: async () => ({ ...post, content }),
    renewed,
    gatherSources: async () => sources,
    ask: (async () => ({ content: answer })) as never,
    finish: async (written) => finishArticle(written),
    makePage: async () => null,
    purse: ({ parts }) => {
      const charged = parts.text_generation!;
      const moves = async (amount: number) => money.push(amount);
      return {
        charge: async () => void (await moves(-charged)),
        settle: async (spent) => void (await moves(charged - spent)),
        refund: async () => moves(charged).then(() => charged),
      };
    },
    limitedWork: (call, _, purse, work) => paidWork(call, purse, work),
  });
  const proposal = propose(
    { key: 'run:1', userId: 7, publicationId: 3, price: PRICE },
    new AbortController().signal,
  );
  return { proposal, money, kept };
}

const paidWork = makePaidWork({
  withStages: (_, work) => work(keptStages().run, new AbortController().signal, () => undefined),
});

const article: RefreshedArticle = {
  ...{ publicationId: 3, categoryId: 2, connectionId: 1, keyword: text.mainPhrase },
  ...{ url: 'https://kuhni-plus.example/buket', words: 1_600, publishedAt: new Date('2026-05-01') },
  ...{ results: null, balance: 1_500, timezone: 'Europe/Moscow' },
  ...{ refreshId: null, restsUntil: null, waiting: null },
};

const brief: CategoryBrief = {
  company,
  topic: { name: 'Букеты', description: 'Свадебные букеты.', prices: '', reviews: [] },
  ...{ projectId: 1, categoryId: 2, keywords: [], photos: [], colors: {} },
  text: textSettings('wordpress', null, null),
  images: imageSettings('wordpress', null, null),
};

const sources = {
  ...{ questions: [], related: [], competitorAnalysis: '', competitorGaps: [], competitorWords: [] },
  ...{ research: null, internalLinks: [], missing: [] },
};
