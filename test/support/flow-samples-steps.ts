import type { KeywordsFound } from '../../machines/fragments/keyword-questions.ts';
import type { MaterialSlice } from '../../machines/fragments/pipeline-material.ts';
import type { StepsSlice } from '../../machines/fragments/pipeline-steps.ts';
import { cardFields, type SiteRead } from '../../machines/fragments/project-from-site.ts';
import { file, uploaded, writtenDescription } from './category-tool-samples.ts';
import { errors, refunded, refusals } from './sample-errors.ts';

/** A site as it can be at its fullest, and at its emptiest. */
export const sitesRead: [SiteRead, ...SiteRead[]] = [
  {
    name: 'Ромашка',
    companyName: 'ООО «Ромашка»',
    specialization: 'Доставка букетов & <b>оформление</b> свадеб',
    city: 'Казань',
    phone: '+7 843 200-10-20',
    accent: '#e07a5f',
    topics: [{ name: 'Свадебные букеты', phrases: 6, kept: true }],
    isForeign: false,
  },
  {
    name: 'Linen',
    companyName: 'Linen',
    specialization: 'Кухни на заказ',
    city: null,
    phone: null,
    accent: null,
    topics: [{ name: 'Кухни', phrases: 1, kept: true }],
    isForeign: true,
  },
];

export const sitePresses = [
  { type: 'card.saved' },
  { type: 'card.declined' },
  ...cardFields.map((field) => ({ type: 'card.field_opened', field }) as const),
  { type: 'card.field_cleared' },
  { type: 'card.resumed' },
  { type: 'card.topic_set', index: 0, kept: false },
  { type: 'card.topic_set', index: 0, kept: true },
  { type: 'card.topic_set', index: 5, kept: true },
  { type: 'reading.retried' },
] as const;

/** What people write and press at the steps that both pipelines have: project, topic, phrases, description. */
export const stepTexts = {
  create_project_name: ['Ромашка', 'Р', 'romashka.ru'],
  create_project_field: ['Букеты', '+7 843 200-10-20', '…'],
  create_project_company: ['ООО «Ромашка»', '…'],
  create_project_spec: ['Доставка цветов', 'цвет'],
  create_project_url: ['romashka.ru', 'ромашка'],
  create_category_name: ['Свадебные букеты', 'x'],
  readiness_keywords_products: ['Свадебные букеты', 'ты'],
  readiness_keywords_geo: ['Казань', 'К'],
  readiness_keywords_upload: ['букет невесты'],
  readiness_description: ['Букеты невесты под платье', 'букет'],
  readiness_description_review: ['Букеты невесты под платье', 'букет'],
};

export const stepPresses = [
  { type: 'project.chosen', projectId: 5 },
  { type: 'project.added' },
  { type: 'project.reopened' },
  { type: 'topic.chosen', categoryId: 9 },
  { type: 'topic.added' },
  { type: 'topic.reopened' },
  { type: 'page.turned', page: 2 },
  { type: 'website.skipped' },
  ...sitePresses,
  { type: 'phrases.automatic' },
  { type: 'phrases.described' },
  { type: 'phrases.retried' },
  { type: 'phrases.sent' },
  { type: 'file.received', file },
  { type: 'description.wanted' },
  { type: 'category.chosen' },
  { type: 'city.chosen' },
  { type: 'place.chosen', place: 'Москва' },
  { type: 'answer.kept' },
  { type: 'quantity.chosen', quantity: 50 },
  { type: 'checklist.opened' },
  { type: 'checklist.passed' },
  { type: 'cost.accepted' },
] as const;

/** Known in many states, and tried last. */
export const commonPresses = [
  { type: 'progress.made', stage: 'writing' },
  { type: 'work.delayed' },
  { type: 'exit.declined' },
  { type: 'tokens.credited', balance: 900 },
  { type: 'resumed' },
  { type: 'retried' },
  { type: 'cancelled' },
] as const;

export const stepActors = (keywordsFound: KeywordsFound) =>
  ({
    readSite: { outputs: sitesRead, errors: [errors[0]] },
    saveProject: { outputs: [{ projectId: 5 }], errors: [errors[0]] },
    saveCategory: { outputs: [{ categoryId: 9 }], errors: [errors[0]] },
    generateKeywords: { outputs: [keywordsFound], errors: [refusals[0], refunded] },
    uploadKeywords: { outputs: [uploaded], errors: [errors[0]] },
    writeDescription: { outputs: [writtenDescription], errors: [refusals[0], refunded] },
    saveDescription: { outputs: [null], errors: [errors[0]] },
  }) as const;

/**
 * Of a step, what its guards and its screen look at; null: the state is the host's own. `tries`: numbers of tries, each of
 * which is part of a key. `more`: what else the host's screens of project and topic look at.
 */
export function alikeInSteps(
  context: StepsSlice & MaterialSlice,
  state: string,
  { tries, offer, more = [] }: { tries: readonly number[]; offer: unknown; more?: readonly unknown[] },
): unknown[] | null {
  const isSet = (...values: unknown[]) => [...tries, ...values.map(Boolean)];
  const { failure, misfit, counts, keywords, description, late } = context;
  if (/create_project_/u.test(state))
    return [
      context.cardField,
      ...isSet(misfit, failure, counts.projects, context.answers.websiteUrl, context.siteCard?.phone),
    ];
  if (/_project|_category|project_|category_/u.test(state))
    return isSet(misfit, failure, counts.categories, ...more);
  if (/_upload|keywords_reading/u.test(state)) return isSet(failure, context.upload.stage, late);
  if (/description/u.test(state)) return isSet(failure, misfit, description.written, description.text, late);
  if (/keywords_/u.test(state))
    return isSet(misfit, keywords.offer?.city, keywords.quantity, keywords.geography, keywords.products);
  if (state === 'readiness_check') {
    const { leaving, checking } = context;
    return isSet(offer, failure?.retryable, leaving, checking, keywords.offer?.city, keywords.geography);
  }
  return null;
}
