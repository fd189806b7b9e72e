import type { descriptionGenerateMachine } from '../../machines/description-generate.ts';
import type { DescriptionOffer, WrittenDescription } from '../../machines/fragments/description-work.ts';
import type { FlowSamples } from './flow-events.ts';
import { errors, refunded, refusals, start } from './sample-errors.ts';

const descriptionOffer: DescriptionOffer = {
  categoryId: 9,
  categoryName: 'Свадебные букеты <и & не только>',
  phrases: 48,
  goods: 12,
  reviews: 3,
  price: 20,
  balance: 1_500,
  isAdmin: false,
};
const written: WrittenDescription = {
  text: 'Букеты невесты <под платье>.\n\nСобираем утром.',
  words: 120,
  warnings: ['Возможно, выдуманная цена: 5 000 ₽.'],
  spent: 20,
  balance: 1_480,
};

/** The flows that fill a category. */
export const categoryToolSamples = {
  DescriptionGenerate: {
    inputs: {
      'from a category': { ...start, ...descriptionOffer },
      'by somebody who cannot pay, from a bare category': {
        ...start,
        ...descriptionOffer,
        ...{ phrases: 0, goods: 0, reviews: 0, balance: 0 },
      },
      'by an admin': { ...start, ...descriptionOffer, isAdmin: true },
    },
    texts: {},
    presses: [
      { type: 'cost.accepted' },
      { type: 'draft.approved' },
      { type: 'draft.declined' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      writeDescription: {
        outputs: [written, { ...written, warnings: [], spent: 0, balance: 10 }],
        errors: [...errors, ...refusals, refunded],
      },
      saveDescription: { outputs: [null], errors },
    },
    enough: ({ description }) => description.attempts > 3,
  } satisfies FlowSamples<typeof descriptionGenerateMachine>,
};
