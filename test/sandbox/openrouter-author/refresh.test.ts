import { describe, expect, it } from 'vitest';
import { textDifferences } from '../../../src/services/refresh/text-differences.ts';
import { blocksOf } from '../../../src/services/refresh/to-markdown.ts';
import { ask } from './asking.ts';

const asked = { main_phrase: 'пластиковые окна', specialization: 'окна', current_date: '2026-11-16' };
const brief = { ...asked, words_min: 1_500, words_max: 2_000 };

describe('an article that the sandbox refreshes', () => {
  it.each([
    ['no question was asked', []],
    [
      'its questions are answered',
      ['сколько стоит окно', 'как выбрать окно', 'какой профиль лучше', 'когда менять окно'],
    ],
  ])('has something new, and all that it had, where %s', async (_, asked_questions) => {
    const article = await ask('article', { ...brief, asked_questions, images_count: 2 });
    const again = await refreshed(article, asked_questions);
    const differences = textDifferences(blocksOf(article.content_markdown), blocksOf(again.content_markdown));
    const of = (kind: string) => differences.filter((each) => each.kind === kind).map(({ text }) => text);
    expect(of('removed')).toEqual([]);
    expect(of('added').length).toBeGreaterThan(0);
    expect(again.faq_schema.length).toBeGreaterThan(article.faq_schema.length);
    expect(new Set(again.faq_schema.map(({ answer }) => answer)).size).toBe(again.faq_schema.length);
    expect(again.changes_summary).toMatch(/[12]\.$/u);
  });

  it('has its answers under their heading, also where it had none', async () => {
    const bare = {
      title: 'Пластиковые окна',
      content_markdown: 'Окна меняют.\n\n## Замер\n\nМеряют дважды.',
    };
    const { content_markdown } = await refreshed(bare, []);
    expect(content_markdown).toMatch(/Меряют дважды\.\n\n## Частые вопросы\n\n### /u);
  });

  const refreshed = (article: { title: string; content_markdown: string }, asked_questions: string[]) =>
    ask('article_refresh', {
      ...{ ...brief, asked_questions, search_changes: ['Выдача почти та же.'] },
      current_markdown: `# ${article.title}\n\n${article.content_markdown}`,
    });
});
