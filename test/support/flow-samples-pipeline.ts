import type { articlePipelineMachine } from '../../machines/article-pipeline.ts';
import type { FlowInput } from '../../machines/flow-input.ts';
import type { ArticleStock } from '../../machines/fragments/article-stock.ts';
import type { ArticleOffer, ArticlePreview } from '../../machines/fragments/article-work.ts';
import type { KeywordOffer, KeywordsFound } from '../../machines/fragments/keyword-questions.ts';
import { cardFields, type SiteRead } from '../../machines/fragments/project-from-site.ts';
import type { ReachedSite } from '../../machines/fragments/wordpress-questions.ts';
import { descriptionOffer, file, priced, uploaded, writtenDescription } from './category-tool-samples.ts';
import type { FlowSamples } from './flow-events.ts';

type Ground = {
  start: FlowInput;
  errors: readonly unknown[];
  refusals: readonly unknown[];
  refunded: unknown;
  draftOver: unknown;
  notPublished: unknown;
  reachedSite: ReachedSite;
  articleOffer: ArticleOffer;
  articlePreview: ArticlePreview;
  keywordOffer: KeywordOffer;
  keywordsFound: KeywordsFound;
};

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

/** What is loaded beside an article. */
export const articleData = {
  preview: { isReadable: true },
  html_taken: { document: { name: 'buket.html', content: '<h1>Букет</h1>' } },
  reading_text: { article: { html: '<h1>Букет</h1>', pictures: [] } },
};

/** What may happen in the goal pipelines, on the ground that the flows of their fragments share. */
export function pipelineSamples(ground: Ground) {
  const { start, errors, refusals, refunded, draftOver, notPublished } = ground;
  const { reachedSite, articleOffer, articlePreview, keywordOffer, keywordsFound } = ground;
  const nothingChosen = {
    projectId: null,
    connectionId: null,
    previewOnly: false,
    categoryId: null,
    isAdmin: false,
    repeats: true,
  } as const;
  const emptyStock: ArticleStock = {
    counts: { projects: 0, sites: 0, categories: 0 },
    project: null,
    site: null,
    category: null,
    readiness: null,
    keywords: null,
    description: null,
    prices: null,
    offer: null,
    preview: null,
    gone: null,
  };
  const readyStock: ArticleStock = {
    ...emptyStock,
    counts: { projects: 1, sites: 1, categories: 1 },
    project: { id: 5, name: 'Ромашка & <Ко>', site: 'https://romashka.ru' },
    site: { id: 3, identifier: 'romashka.ru' },
    category: { id: 9, name: 'Свадебные букеты' },
    readiness: { phrases: 40, hasDescription: true, hasPrices: false, publications: 0 },
    keywords: keywordOffer,
    description: descriptionOffer,
    prices: priced,
    offer: { ...articleOffer, ownPhotos: 1, own: 1, knows: 'Зазор <до> 3 см' },
  };
  const stocks: [ArticleStock, ...ArticleStock[]] = [
    emptyStock,
    { ...emptyStock, counts: { projects: 2, sites: 0, categories: 0 }, gone: 'project' },
    {
      ...readyStock,
      site: null,
      offer: null,
      counts: { projects: 1, sites: 2, categories: 1 },
      gone: 'site',
    },
    { ...readyStock, site: null, offer: null, project: { id: 5, name: 'Ромашка', site: null } },
    { ...readyStock, category: null, offer: null, counts: { projects: 1, sites: 1, categories: 2 } },
    { ...readyStock, category: null, offer: null, counts: { projects: 1, sites: 1, categories: 0 } },
    {
      ...readyStock,
      offer: null,
      readiness: { phrases: 0, hasDescription: false, hasPrices: false, publications: 3 },
      keywords: { ...keywordOffer, city: null },
    },
    { ...readyStock, offer: null, readiness: { ...readyStock.readiness!, hasDescription: false } },
    { ...readyStock, readiness: { ...readyStock.readiness!, hasDescription: false, publications: 2 } },
    readyStock,
    { ...readyStock, preview: articlePreview },
    { ...readyStock, preview: articlePreview, project: { id: 5, name: 'Ромашка', site: null } },
    { ...readyStock, gone: 'draft' },
  ];

  /** More than a page of them. */
  const choices = Array.from({ length: 9 }, (_, i) => ({
    id: i + 1,
    name: `Букеты ${i + 1}`,
    isBroken: i === 0,
  }));

  return {
    ArticlePipeline: {
      inputs: {
        'from the menu': { ...start, ...nothingChosen },
      },
      texts: {
        create_project_name: ['Ромашка', 'Р', 'romashka.ru'],
        create_project_field: ['Букеты', '+7 843 200-10-20', '…'],
        create_project_company: ['ООО «Ромашка»', '…'],
        create_project_spec: ['Доставка цветов', 'цвет'],
        create_project_url: ['romashka.ru', 'ромашка'],
        connect_wp_url: ['romashka.ru', 'рома'],
        connect_wp_login: ['anna', 'я'.repeat(101)],
        create_category_name: ['Свадебные букеты', 'x'],
        readiness_keywords_products: ['Свадебные букеты', 'ты'],
        readiness_keywords_geo: ['Казань', 'К'],
        readiness_keywords_upload: ['букет невесты'],
        readiness_description: ['Букеты невесты под платье', 'букет'],
        readiness_description_review: ['Букеты невесты под платье', 'букет'],
        readiness_prices: ['Букет — 5000'],
        preview: ['Сделайте короче', 'ой'],
        own_knowledge: ['Букет стоит две недели', 'а'.repeat(601)],
        own_avoid: ['рассрочка', 'а'.repeat(601)],
      },
      presses: [
        { type: 'project.chosen', projectId: 5 },
        { type: 'project.added' },
        { type: 'project.reopened' },
        { type: 'site.chosen', connectionId: 3 },
        { type: 'site.added' },
        { type: 'site.reopened' },
        { type: 'preview.chosen' },
        { type: 'knowledge.opened' },
        { type: 'question.skipped' },
        { type: 'answer.erased' },
        { type: 'topic.chosen', categoryId: 9 },
        { type: 'topic.added' },
        { type: 'topic.reopened' },
        { type: 'page.turned', page: 2 },
        { type: 'website.skipped' },
        ...sitePresses,
        { type: 'site.taken' },
        { type: 'duplicate.accepted' },
        { type: 'access.granted' },
        { type: 'help.asked' },
        { type: 'secret.received', sealed: 'sealed', shape: 'aa0a aaaa 0aaa aa00 aaaa a0aa' },
        { type: 'secret.received', sealed: 'sealed', shape: 'aaaa000' },
        { type: 'phrases.automatic' },
        { type: 'phrases.described' },
        { type: 'phrases.retried' },
        { type: 'phrases.sent' },
        { type: 'file.received', file },
        { type: 'description.wanted' },
        { type: 'prices.opened' },
        { type: 'pictures.opened' },
        { type: 'category.chosen' },
        { type: 'city.chosen' },
        { type: 'place.chosen', place: 'Москва' },
        { type: 'answer.kept' },
        { type: 'quantity.chosen', quantity: 50 },
        { type: 'checklist.opened' },
        { type: 'checklist.passed' },
        { type: 'cost.accepted' },
        { type: 'pictures.set', count: 0 },
        { type: 'photos.set', count: 0 },
        { type: 'photos.set', count: 1 },
        { type: 'phrase.declined' },
        { type: 'phrases.declined' },
        { type: 'phrase.chosen', index: 0 },
        { type: 'back' },
        { type: 'price.accepted' },
        { type: 'draft.approved' },
        { type: 'site_draft.wanted' },
        { type: 'html.wanted' },
        { type: 'html.accepted' },
        { type: 'text.opened' },
        { type: 'draft.declined' },
        { type: 'progress.made', stage: 'writing' },
        { type: 'work.delayed' },
        { type: 'exit.declined' },
        { type: 'tokens.credited', balance: 900 },
        { type: 'resumed' },
        { type: 'retried' },
        { type: 'cancelled' },
      ],
      actors: {
        takeStock: { outputs: stocks, errors: [errors[0]] },
        readSite: { outputs: sitesRead, errors: [errors[0]] },
        saveProject: { outputs: [{ projectId: 5 }], errors: [errors[0]] },
        reachSite: {
          outputs: [
            reachedSite,
            { ...reachedSite, name: '', otherProject: 'Букеты' },
            { ...reachedSite, authorization: { link: 'https://romashka.ru/wp-admin/?a=b', nonce: 'n1' } },
          ],
          errors: [errors[0]],
        },
        takeGrant: { outputs: [{ login: 'anna', sealed: 'sealed' }], errors: [errors[0]] },
        connectWordPress: { outputs: [{ connectionId: 3 }], errors: [errors[0], refusals[1]] },
        saveCategory: { outputs: [{ categoryId: 9 }], errors: [errors[0]] },
        generateKeywords: { outputs: [keywordsFound], errors: [refusals[0], refunded] },
        uploadKeywords: { outputs: [uploaded], errors: [errors[0]] },
        writeDescription: { outputs: [writtenDescription], errors: [refusals[0], refunded] },
        saveDescription: { outputs: [null], errors: [errors[0]] },
        savePrices: { outputs: [{ count: 2, skipped: 1 }], errors: [errors[0]] },
        listPhrases: {
          outputs: [
            { page: 1, items: [{ phrase: 'букет из пионов', volume: null, used: true }], hasMore: true },
          ],
          errors: [errors[0]],
        },
        generateArticle: { outputs: [articlePreview], errors: [errors[0], refusals[0]] },
        regenerateArticle: {
          outputs: [{ ...articlePreview, regenerations: 2, nextPrice: 270 }],
          errors: [errors[0], refusals[0], draftOver],
        },
        publishArticle: {
          outputs: [{ publicationId: 11, url: 'https://romashka.ru/buket', warnings: [] }],
          errors: [draftOver, notPublished],
        },
        saveOwnAnswer: {
          outputs: [
            { field: 'knows', shown: 'Зазор <до> 3 см' },
            { field: 'avoid', shown: '' },
          ],
          errors: [errors[0]],
        },
        takeHtml: { outputs: [{ final: 290 }], errors: [errors[0], draftOver] },
        cancelDraft: { outputs: [{ returned: 290 }], errors: [errors[0]] },
      },
      enough: ({
        readings,
        attempts,
        round,
        wordpress,
        keywords,
        page,
        offerChanges,
        upload,
        description,
        prices,
      }) =>
        readings > 2 ||
        attempts > 2 ||
        upload.attempts > 1 ||
        description.attempts > 2 ||
        prices.attempts > 1 ||
        offerChanges > 1 ||
        round > 1 ||
        wordpress.attempts > 2 ||
        keywords.attempts > 2 ||
        page > 2,
      data: {
        ...{ select_project: { choices }, select_wp: { choices }, select_category: { choices } },
        ...articleData,
      },
      // Of a step, what its guards and its screen look at.
      alike: ({ wordpress, keywords, ...context }, state) => {
        // Texts differ from one try to the next, so the tries differ: each has a key of its own.
        const tries = context.description.attempts;
        const isSet = (...values: unknown[]) => [tries, ...values.map(Boolean)];
        const { failure, misfit, offer, preview, leaving, checking, counts, previewOnly, ownSite } = context;
        if (/create_project_/u.test(state))
          return [
            context.cardField,
            ...isSet(misfit, failure, counts.projects, context.answers.websiteUrl, context.siteCard?.phone),
          ];
        if (/_project|_category|project_|category_/u.test(state))
          return isSet(misfit, failure, counts.categories);
        if (/_wp/u.test(state))
          return isSet(
            wordpress.invalid,
            wordpress.site?.authorization,
            wordpress.sealed,
            ownSite,
            failure,
            preview,
          );
        if (/_upload|keywords_reading/u.test(state))
          return isSet(failure, context.upload.stage, context.late);
        if (/description/u.test(state))
          return isSet(failure, misfit, context.description.written, context.description.text, context.late);
        if (/prices/u.test(state)) return isSet(failure);
        if (/keywords_/u.test(state))
          return isSet(
            misfit,
            keywords.offer?.city,
            keywords.quantity,
            keywords.geography,
            keywords.products,
          );
        if (state === 'taking_stock')
          return [failure?.code, ...isSet(preview, previewOnly, keywords.quantity, keywords.geography)];
        if (state === 'readiness_check')
          return isSet(
            offer,
            failure?.retryable,
            leaving,
            checking,
            keywords.offer?.city,
            keywords.geography,
          );
        return [
          failure?.code,
          ...isSet(leaving, checking, offer?.site, ownSite, context.stage, context.late, preview?.final),
        ];
      },
    },
  } satisfies { ArticlePipeline: FlowSamples<typeof articlePipelineMachine> };
}
