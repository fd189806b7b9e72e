import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answers } from '../../../src/services/ai/answers.ts';
import { readAnswer, UnusableAnswer } from '../../../src/services/ai/read-answer.ts';
import { article, post, reviews } from './tiny-author.ts';

const read = (raw: string) => readAnswer(raw, answers.article);
const json = JSON.stringify(article);

describe('an answer is read', () => {
  it.each([
    ['as it is', json],
    ['with room around it', `\n ${JSON.stringify(article, null, 2)} \n`],
    ['out of a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['out of a fence without a name', `\`\`\`\n${json}\n\`\`\`\n`],
    ['out of talk', `Вот статья:\n\n${json}\n\nЕсли нужно, перепишу короче.`],
    ['out of talk that has brackets of its own', `Ответ [JSON], как {просили}:\n${json}`],
    ['out of a list of one', `[${json}]`],
    ['with lines that were not escaped', json.replaceAll('\\n', '\n').replace(': "', ':\t"')],
    ['with a comma too many', json.replace(/\]\}$/u, '],}').replace('"}]', '"},]')],
    ['without its last bracket', json.slice(0, -1)],
    ['without its last brackets', json.slice(0, -2)],
    ['out of a fence that holds half of it', `\`\`\`json\n${json.slice(0, -1)}\n\`\`\``],
  ])('%s', (_, raw) => expect(read(raw)).toEqual(article));

  it('with its last text closed, when the text was the end of it', () => {
    const raw = '{"text":"Шкафы","hashtags":[],"pin_title":"Шкаф \\"купе\\"';
    expect(readAnswer(raw, answers.social_post).pin_title).toBe('Шкаф "купе"');
  });

  it('as a list under the one key that is a list', () => {
    expect(readAnswer(JSON.stringify(reviews.reviews), answers.review)).toEqual(reviews);
  });

  it('as a list of items where no single key stands out', () => {
    const shape = z.object({ items: z.array(z.number()).optional() });
    expect(readAnswer('[1, 2]', shape)).toEqual({ items: [1, 2] });
    expect(() => readAnswer('[{"title":"Шкафы"}]', answers.article)).toThrow(UnusableAnswer);
  });

  it('without fields that were not asked for', () => {
    expect(readAnswer(JSON.stringify({ ...post, mood: 'fine' }), answers.social_post)).toEqual(post);
  });
});

describe('an answer is of no use', () => {
  it.each([
    ['when it is empty', ''],
    ['when it is talk', 'Я не могу помочь с этой просьбой.'],
    ['when it is a bare text', '"Шкафы"'],
    ['when brackets cross', '{"title":["Шкафы"}]'],
    ['when a key is missing', JSON.stringify({ ...article, title: undefined })],
    ['when a key is empty that must not be', JSON.stringify({ ...article, title: '' })],
    ['when a value is of another kind', JSON.stringify({ ...article, faq_schema: 'нет' })],
    ['when its names have no quotes', '{title: "Шкафы"}'],
  ])('%s', (_, raw) => expect(() => read(raw)).toThrow(UnusableAnswer));

  it('and says what is wrong, so that it can be put right', () => {
    expect(() => readAnswer('{"text":"a","hashtags":[]}', answers.social_post)).toThrow(/pin_title/u);
  });
});

describe('whatever a model says', () => {
  const anything = z.object({ value: z.unknown() });

  it('is an answer or unusable, and nothing else', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '```',
      'json',
      '\n',
      ' ',
      'a',
      '1',
    );
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((marks) => marks.join('')),
    );
    fc.assert(
      fc.property(noise, (raw) => {
        try {
          readAnswer(raw, anything);
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableAnswer);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('comes through fences, talk, commas and lost brackets unchanged', () => {
    const commaBeforeEnd = (text: string) => text.replace(/\}$/u, ' ,\n}');
    const damages = fc.constantFrom<(text: string) => string>(
      (text) => `\`\`\`json\n${text}\n\`\`\``,
      (text) => `Готово: ${text} — вот так.`,
      commaBeforeEnd,
      (text) => text.replace(/[}\]]+$/u, ''),
      (text) => `\`\`\`json\n${commaBeforeEnd(text)}\n\`\`\``,
    );
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), damages, (value, damage) => {
        const whole = JSON.parse(JSON.stringify({ value }));
        expect(readAnswer(damage(JSON.stringify(whole)), anything)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('is read in one go however long it is', () => {
    const value = 'слово "в кавычках" \\ и {скобках}\n'.repeat(60_000);
    expect(readAnswer(`Вот: ${JSON.stringify({ value }).slice(0, -1)}`, anything)).toEqual({ value });
  });
});
