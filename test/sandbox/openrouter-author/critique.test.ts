import { describe, expect, it } from 'vitest';
import type { ArticleAnswer } from '../../../src/services/ai/answers.ts';
import { ask } from './asking.ts';
import { judged } from './judged.ts';

const phrase = 'пластиковые окна';
const brief = { main_phrase: phrase, specialization: 'окна', words_min: 1_500, words_max: 2_000 };

const poor: ArticleAnswer = {
  title: 'Окна',
  seo_title: '',
  meta_description: '',
  content_markdown: [
    'Как известно, данный товар является популярным. Осуществляем монтаж в кратчайшие сроки, у нас индивидуальный подход и широкий спектр услуг, и мы работаем без выходных, и наша команда профессионалов знает всё про окна, а доступные цены порадуют каждого.',
    '## О товаре',
    'Стекло пропускает свет. Рама держит стекло.',
    '![Окно в комнате]({{IMAGE_1}} "Светлая комната")',
    'Смотрите [каталог](https://okna.example/katalog).',
  ].join('\n\n'),
  faq_schema: [],
  images_meta: [],
};

async function corrected(article: ArticleAnswer) {
  const before = judged(article, phrase);
  const rewrite = await ask('article_critique', {
    ...brief,
    current_markdown: `# ${article.title}\n\n${article.content_markdown}`,
    quality_issues: before.score.failed,
  });
  return { before, rewrite, after: judged(rewrite, phrase) };
}

describe('a critique of the sandbox', () => {
  it('turns a poor text into one that passes', async () => {
    const { before, rewrite, after } = await corrected(poor);
    expect(before.score.total).toBeLessThan(60);
    expect(after.score.total, after.score.failed.join('\n')).toBeGreaterThanOrEqual(80);
    expect(after.words).toBeGreaterThanOrEqual(1_500);
    expect(after.words).toBeLessThanOrEqual(2_000);
    expect(after.repeated).toEqual([]);
    expect(rewrite.changes_summary).toMatch(/штамп[\s\S]*вопрос/iu);
  });

  it('keeps pictures, links and what was said', async () => {
    const { rewrite } = await corrected(poor);
    expect(rewrite.content_markdown).toContain('![Окно в комнате]({{IMAGE_1}} "Светлая комната")');
    expect(rewrite.content_markdown).toContain('(https://okna.example/katalog)');
    expect(rewrite.content_markdown).toContain('Рама держит стекло.');
    expect(rewrite.images_meta).toEqual([
      { alt: 'Окно в комнате', filename: 'okno-v-komnate-1', figcaption: 'Светлая комната' },
    ]);
    expect(rewrite.content_markdown).not.toMatch(/^# /mu);
  });

  it('leaves a good text as good as it was, with its title', async () => {
    const good = await ask('article', { ...brief, images_count: 4, current_date: '2026-11-16' });
    const { before, rewrite, after } = await corrected(good);
    expect(after.score.total).toBeGreaterThanOrEqual(before.score.total);
    expect(rewrite.title).toBe(good.title);
    expect(rewrite.content_markdown).toBe(good.content_markdown);
    expect(rewrite.faq_schema).toEqual(good.faq_schema);
  });

  it('brings in the secondary phrases that were missed', async () => {
    const good = await ask('article', { ...brief, images_count: 0, current_date: '2026-11-16' });
    const rewrite = await ask('article_critique', {
      ...brief,
      secondary_phrases: ['окна для дачи (90/мес)', 'зимний монтаж (10/мес)'],
      current_markdown: good.content_markdown,
      quality_issues: ['Не раскрыты фразы: окна для дачи, зимний монтаж.'],
    });
    expect(rewrite.content_markdown.toLowerCase()).toContain('окна для дачи');
    expect(rewrite.content_markdown.toLowerCase()).toContain('зимний монтаж');
    expect(rewrite.changes_summary).toContain('дополнительные фразы');
  });
});
