import { describe, expect, it } from 'vitest';
import { ContentRefused } from '../../../src/errors.ts';
import { makeWriteDescription } from '../../../src/services/category/write-description.ts';
import { words } from '../../../src/services/quality/russian-text.ts';
import { declaredVariables } from '../ai/declared-variables.ts';
import { fakeAsk } from '../ai/fake-ask.ts';
import { keptStages } from '../ai/kept-stages.ts';
import { brief } from '../posts/flower-shop.ts';

const sentence = 'Букеты мы собираем утром из цветов, которые выросли в наших теплицах. ';

function describing(...answers: string[]) {
  const { ask, questions } = fakeAsk({ description: answers });
  const writeDescription = makeWriteDescription({ ask });
  const stages = keptStages();
  const write = () =>
    writeDescription({
      brief,
      keywords: Array.from({ length: 12 }, (_, i) => `букет ${i + 1}`),
      userId: 7,
      stage: stages.run,
      signal: new AbortController().signal,
    });
  return { write, questions };
}

describe('the description of a category', () => {
  it('is written from its phrases, prices and reviews', async () => {
    const { write, questions } = describing(sentence.repeat(12));
    await write();
    expect(questions).toMatchObject([
      {
        task: 'description',
        variables: {
          category_name: 'Букеты',
          company_name: 'Флора',
          city: 'Казань',
          prices_excerpt: brief.topic.prices,
          reviews_excerpt: 'Анна: Пионы стояли неделю.',
        },
      },
    ]);
    expect(Object.keys(questions[0]?.variables ?? {}).sort()).toEqual(declaredVariables('description_v2'));
    expect(String(questions[0]?.variables.keywords_sample).split('\n')).toHaveLength(10);
  });

  it('is plain text', async () => {
    const { write } = describing(
      `## Букеты\n\n**Свежие** цветы &mdash; <i>каждый</i> день.\n\n${sentence.repeat(12)}`,
    );
    expect(await write()).toMatchObject({
      text: `Букеты\n\nСвежие цветы — каждый день.\n\n${sentence.repeat(12).trim()}`,
      words: 137,
      warnings: [],
      promptVersion: 'description_v1',
    });
  });

  it('ends with a whole sentence when the model could not stop', async () => {
    const { write } = describing(sentence.repeat(60));
    const { text, words: count } = await write();
    expect(text.endsWith('теплицах.')).toBe(true);
    expect(count).toBe(words(text).length);
    expect(count).toBeLessThanOrEqual(300);
    expect(count).toBeGreaterThan(250);
  });

  it('is not a remark of one sentence', async () => {
    const { write } = describing(sentence);
    await expect(write()).rejects.toMatchObject({ name: 'AiFailed', reason: 'unusable' });
  });

  it('has no places left to fill in', async () => {
    const { write } = describing(`${sentence.repeat(12)} Звоните: [ваш телефон].`);
    await expect(write()).rejects.toBeInstanceOf(ContentRefused);
  });

  it('is warned about when it names a price that is not on the list', async () => {
    const { write } = describing(`${sentence.repeat(12)} Розы по 90 руб. за штуку.`);
    expect((await write()).warnings).toMatchObject([{ code: 'price-not-listed', rubles: 90 }]);
  });
});
