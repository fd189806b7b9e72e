import { beforeAll, describe, expect, it } from 'vitest';
import type { ArticleAnswer } from '../../../src/services/ai/answers.ts';
import { ask } from './asking.ts';

const brief = { main_phrase: 'пластиковые окна', specialization: 'окна', words_min: 1_500, words_max: 2_000 };

describe('an article of the sandbox, changed by words', () => {
  let article: ArticleAnswer;
  beforeAll(async () => {
    article = await ask('article', { ...brief, images_count: 4, current_date: '2026-11-16' });
  });

  const changed = (wish: string) =>
    ask('article_revision', {
      ...brief,
      wish,
      current_markdown: `# ${article.title}\n\n${article.content_markdown}`,
    });
  const opening = ({ content_markdown }: ArticleAnswer) => content_markdown.split('\n## ')[0]!;

  it('does every part of the example that the preview gives', async () => {
    const answer = await changed('короче вступление, добавьте про доставку');
    expect(opening(answer).length).toBeLessThan(opening(article).length);
    expect(answer.content_markdown).toMatch(/^Про доставку .+\.$/mu);
    expect(answer.changes_summary).toMatch(/вступление[\s\S]*про доставку/iu);
  });

  it('becomes shorter in every section, and keeps its pictures', async () => {
    const answer = await changed('Сделайте короче');
    expect(answer.content_markdown.length).toBeLessThan(article.content_markdown.length);
    expect(answer.content_markdown.match(/\{\{IMAGE_\d\}\}/gu)).toHaveLength(4);
    expect(answer.changes_summary).toMatch(/^Разделы стали короче/u);
  });

  it('takes over what its owner tells as a sentence of its own, not the order to write it', async () => {
    const answer = await changed('добавьте, что замер бесплатный');
    expect(answer.content_markdown).toContain('\n\nЗамер бесплатный.\n\n');
    expect(answer.content_markdown).not.toMatch(/добавьте/iu);
    expect(answer.changes_summary).toContain('замер бесплатный');
  });

  it('stays as it is where the wish is beyond the stand-in, and says so', async () => {
    const answer = await changed('сделайте тон более дерзким');
    expect(answer.content_markdown).not.toMatch(/дерзким/u);
    expect(answer.changes_summary).toMatch(/не сделано: «сделайте тон более дерзким»/iu);
  });
});
