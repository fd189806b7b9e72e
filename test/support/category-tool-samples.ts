import type { descriptionGenerateMachine } from '../../machines/description-generate.ts';
import type { DescriptionOffer, WrittenDescription } from '../../machines/fragments/description-work.ts';
import type { KeywordsUploaded } from '../../machines/fragments/keyword-upload.ts';
import type { PricedCategory } from '../../machines/fragments/price-work.ts';
import type { keywordUploadMachine } from '../../machines/keyword-upload.ts';
import type { priceInputMachine } from '../../machines/price-input.ts';
import type { ReviewOffer, ReviewSet, reviewGenerationMachine } from '../../machines/review-generation.ts';
import type { SentFile } from '../../machines/sent-material.ts';
import type { FlowSamples } from './flow-events.ts';
import { errors, refunded, refusals, start } from './sample-errors.ts';

export const descriptionOffer: DescriptionOffer = {
  categoryId: 9,
  categoryName: 'Свадебные букеты <и & не только>',
  phrases: 48,
  goods: 12,
  reviews: 3,
  price: 20,
  balance: 1_500,
  isAdmin: false,
};
export const writtenDescription: WrittenDescription = {
  text: 'Букеты невесты <под платье>.\n\nСобираем утром.',
  words: 120,
  warnings: ['Возможно, выдуманная цена: 5 000 ₽.'],
  spent: 20,
  balance: 1_480,
};

export const priced: PricedCategory = {
  categoryId: 9,
  categoryName: 'Свадебные букеты <и & не только>',
  count: 12,
  first: ['Букет <невесты> — 5 000 ₽', 'Бутоньерка — 700 ₽'],
};
export const file: SentFile = { fileId: 'f1', name: 'Прайс.xlsx', mimeType: 'application/zip', size: 9_000 };
const badList = {
  code: 'PRICE_LIST_REFUSED',
  userMessage: 'Не понимаю строку 2: «Букет». Нужно так: Название — Цена.',
  retryable: false,
};
const tooLarge = { code: 'FILE_TOO_LARGE', userMessage: 'Файл слишком большой: можно до 5 МБ.' };

export const uploaded: KeywordsUploaded = {
  clusters: 7,
  phrases: 48,
  added: 40,
  source: 'data',
  grouping: 'model',
  market: 2804,
  spent: 0,
  returned: 0,
  encoding: 'utf-8',
};
const badPhrases = { code: 'PHRASES_REFUSED', userMessage: 'В списке нет ни одной фразы.' };

const reviewOffer: ReviewOffer = {
  categoryId: 9,
  categoryName: 'Свадебные букеты <и & не только>',
  pricePerReview: 10,
  balance: 1_500,
  isAdmin: false,
};
const reviewSet: ReviewSet = {
  reviews: Array.from({ length: 10 }, (_, i) => ({
    author: 'Марина <К.>',
    date: '2026-03-05',
    rating: 5 - (i % 3),
    text: 'Букет & лента. '.repeat(60),
    pros: 'свежие цветы',
    cons: i % 2 ? '' : 'ждали курьера',
    sample: true,
  })),
  missing: 0,
  warnings: [],
  spent: 100,
  balance: 1_400,
};

/** The flows that fill a category. */
export const categoryToolSamples = {
  KeywordUpload: {
    inputs: {
      'from a category': { ...start, categoryId: 9, categoryName: 'Свадебные букеты <и & не только>' },
    },
    texts: { file_upload: ['букет невесты', ''] },
    presses: [
      { type: 'file.received', file },
      { type: 'progress.made', stage: 'enriching' },
      { type: 'progress.made', stage: 'clustering' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      uploadKeywords: {
        outputs: [
          uploaded,
          { ...uploaded, clusters: 0, source: 'file', grouping: 'none', market: null },
          { ...uploaded, clusters: 1, grouping: 'category', encoding: 'windows-1251' },
        ],
        errors: [...errors, badPhrases, tooLarge, refusals[1]],
      },
    },
    enough: ({ upload }) => upload.attempts > 2,
  } satisfies FlowSamples<typeof keywordUploadMachine>,

  ReviewGeneration: {
    inputs: {
      'from a category': { ...start, ...reviewOffer },
      'by somebody who cannot pay': { ...start, ...reviewOffer, balance: 0 },
      'by an admin': { ...start, ...reviewOffer, isAdmin: true },
    },
    texts: {},
    presses: [
      { type: 'quantity.chosen', quantity: 3 },
      { type: 'quantity.chosen', quantity: 4 },
      { type: 'quantity.chosen', quantity: 10 },
      { type: 'quantity.reopened' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'cost.accepted' },
      { type: 'draft.approved' },
      { type: 'draft.declined' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      writeReviews: {
        outputs: [reviewSet, { ...reviewSet, reviews: reviewSet.reviews.slice(0, 2), missing: 1, spent: 20 }],
        errors: [...errors, ...refusals, refunded],
      },
      saveReviews: { outputs: [null], errors },
    },
    enough: ({ attempts }) => attempts > 3,
    alike: ({ quantity, attempts, writtenIn, regenerations, failure, written, late }) => [
      ...[quantity, attempts, writtenIn, regenerations, failure?.code, Boolean(written), late],
    ],
  } satisfies FlowSamples<typeof reviewGenerationMachine>,

  PriceInput: {
    inputs: {
      'by text, with a list to replace': { ...start, ...priced, method: 'text' },
      'by file, for the first time': { ...start, ...priced, count: 0, first: [], method: 'file' },
    },
    texts: { text_input: ['Букет — 5000', 'Букет'] },
    presses: [
      { type: 'text.chosen' },
      { type: 'file.chosen' },
      { type: 'method.reopened' },
      { type: 'file.received', file },
      { type: 'cancelled' },
    ],
    actors: {
      savePrices: {
        outputs: [
          { count: 12, skipped: 0 },
          { count: 1, skipped: 3 },
        ],
        errors: [...errors, badList, tooLarge],
      },
    },
    enough: ({ prices }) => prices.attempts > 2,
  } satisfies FlowSamples<typeof priceInputMachine>,

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
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'draft.approved' },
      { type: 'draft.declined' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      writeDescription: {
        outputs: [writtenDescription, { ...writtenDescription, warnings: [], spent: 0, balance: 10 }],
        errors: [...errors, ...refusals, refunded],
      },
      saveDescription: { outputs: [null], errors },
    },
    enough: ({ description }) => description.attempts > 3,
  } satisfies FlowSamples<typeof descriptionGenerateMachine>,
};
