import { describe, expect, it } from 'vitest';
import { writeAnswer } from '../../../src/sandbox/openrouter/author/write-answer.ts';
import { workbench } from './workbench.ts';

const bench = workbench();

const sample = { author: 'Марина К.', rating: 5, date: '2026-03-05', pros: '', cons: '', sample: true };
const real = { author: 'Ольга П.', text: 'Кухню собрали за день, фасады сели ровно.', real: true };

/** What a category is filled with, by what of it the model is asked with and what of it stands in the text. */
const inputs = {
  prices: { value: 'Кухня «Осло» — 145 000 ₽', asked: 'Кухня «Осло» — 145 000 ₽', written: '145 000' },
  description: {
    value: 'Угловые кухни под старые квартиры с неровными стенами. Замер бесплатно.',
    asked: 'Угловые кухни под старые квартиры',
    written: 'Угловые кухни под старые квартиры с неровными стенами',
  },
  reviews: {
    value: JSON.stringify([real]),
    asked: 'Ольга П.: Кухню собрали за день, фасады сели ровно.',
    written: 'Кухню собрали за день, фасады сели ровно',
  },
} as const;
type Input = keyof typeof inputs;

describe.each(Object.keys(inputs) as Input[])('the %s of a category', (input) => {
  const { value, asked, written } = inputs[input];

  it('change what the model is asked for an article, and what is published', async () => {
    const [bare, filled] = [await published(), await published({ [input]: value })];
    expect(filled.asked).toContain(asked);
    expect(bare.asked).not.toContain(asked);
    expect(filled.html).toContain(written);
    expect(bare.html).not.toContain(written);
  });
});

it('samples that a model wrote reach no prompt', async () => {
  const reviews = JSON.stringify([{ ...sample, text: 'Выдуманный восторг про фасады.' }]);
  const { asked, html } = await published({ reviews });
  expect(asked + html).not.toContain('Выдуманный восторг');
});

describe('a post', () => {
  const tags =
    '<platform>telegram</platform><keyword>кухни на заказ</keyword><company_name>Кухни</company_name>';
  const post = (more: string) =>
    JSON.stringify(writeAnswer({ task: 'social_post', system: '', user: tags + more }));

  it.each([
    ['category_description', inputs.description.value, inputs.description.written],
    ['reviews_excerpt', inputs.reviews.asked, inputs.reviews.written],
    ['prices_excerpt', inputs.prices.value, inputs.prices.written],
  ])('says what it was told in %s', (tag, value, written) => {
    expect(post(`<${tag}>${value}</${tag}>`)).toContain(written);
    expect(post('')).not.toContain(written);
  });
});

async function published(material: Partial<Record<Input, string>> = {}) {
  const customer = await bench().aCustomer({ images: 0 });
  const { prices = '', description = '', reviews = '[]' } = material;
  await bench().sql`
    update categories set prices = ${prices}, description = ${description}, reviews = ${reviews}::text::jsonb
    where id = ${customer.categoryId}`;
  const before = bench().asked('article').length;
  const { draftId } = await customer.generate();
  await customer.publish(draftId);
  return {
    asked: JSON.stringify(bench().asked('article').slice(before)).replaceAll('\\"', '"'),
    html: JSON.stringify(bench().posts.at(-1)),
  };
}
