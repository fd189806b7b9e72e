import type { articlePipelineMachine } from '../../machines/article-pipeline.ts';
import type { ArticleOffer } from '../../machines/fragments/article-order.ts';
import type { ArticlePreview } from '../../machines/fragments/article-ports.ts';
import type { ArticleStock } from '../../machines/fragments/article-stock.ts';
import type { KeywordOffer, KeywordsFound } from '../../machines/fragments/keyword-questions.ts';
import type { ReachedSite } from '../../machines/fragments/wordpress-questions.ts';
import { descriptionOffer, priced } from './category-tool-samples.ts';
import type { FlowSamples } from './flow-events.ts';
import { alikeInSteps, commonPresses, stepActors, stepPresses, stepTexts } from './flow-samples-steps.ts';
import { errors, refusals, start } from './sample-errors.ts';

type Ground = {
  draftOver: unknown;
  notPublished: unknown;
  articleOffer: ArticleOffer;
  articlePreview: ArticlePreview;
  keywordOffer: KeywordOffer;
  keywordsFound: KeywordsFound;
};

const reachedSite: ReachedSite = {
  identifier: 'romashka.ru',
  name: 'Ромашка & <Ко>',
  url: 'https://romashka.ru/',
  authorization: null,
  otherProject: null,
};
export const reachedSites: [ReachedSite, ...ReachedSite[]] = [
  reachedSite,
  { ...reachedSite, name: '', otherProject: 'Букеты' },
  { ...reachedSite, authorization: { link: 'https://romashka.ru/wp-admin/?a=b', nonce: 'n1' } },
];

export const wordPressPresses = [
  { type: 'site.taken' },
  { type: 'duplicate.accepted' },
  { type: 'address.reopened' },
  { type: 'login.reopened' },
  { type: 'access.granted' },
  { type: 'help.asked' },
  { type: 'secret.received', sealed: 'sealed', shape: 'aa0a aaaa 0aaa aa00 aaaa a0aa' },
  { type: 'secret.received', sealed: 'sealed', shape: 'aaaa000' },
] as const;

/** What is loaded beside an article. */
export const articleData = {
  preview: { isReadable: true },
  html_taken: { document: { name: 'buket.html', content: '<h1>Букет</h1>' } },
  reading_text: { article: { html: '<h1>Букет</h1>', pictures: [] } },
};

/** What may happen in the goal pipelines, on the ground that the flows of their fragments share. */
export function pipelineSamples(ground: Ground) {
  const { draftOver, notPublished, articleOffer, articlePreview, keywordOffer, keywordsFound } = ground;
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
        ...stepTexts,
        connect_wp_url: ['romashka.ru', 'рома'],
        connect_wp_login: ['anna', 'я'.repeat(101)],
        readiness_prices: ['Букет — 5000'],
        preview: ['Сделайте короче', 'ой'],
        own_knowledge: ['Букет стоит две недели', 'а'.repeat(601)],
        own_avoid: ['рассрочка', 'а'.repeat(601)],
      },
      presses: [
        ...stepPresses,
        { type: 'site.chosen', connectionId: 3 },
        { type: 'site.added' },
        { type: 'site.reopened' },
        { type: 'preview.chosen' },
        { type: 'knowledge.opened' },
        { type: 'question.skipped' },
        { type: 'answer.erased' },
        ...wordPressPresses,
        { type: 'prices.opened' },
        { type: 'pictures.opened' },
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
        ...commonPresses,
      ],
      actors: {
        takeStock: { outputs: stocks, errors: [errors[0]] },
        ...stepActors(keywordsFound),
        reachSite: { outputs: reachedSites, errors: [errors[0]] },
        takeGrant: { outputs: [{ login: 'anna', sealed: 'sealed' }], errors: [errors[0]] },
        connectWordPress: { outputs: [{ connectionId: 3 }], errors: [errors[0], refusals[1]] },
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
      alike: (context, state) => {
        // Texts differ from one try to the next, so the tries differ: each has a key of its own.
        const tries = [context.description.attempts];
        const isSet = (...values: unknown[]) => [...tries, ...values.map(Boolean)];
        const { wordpress, keywords, failure, offer, preview, previewOnly, ownSite } = context;
        const inSteps = alikeInSteps(context, state, { tries, offer });
        if (inSteps) return inSteps;
        if (/_wp/u.test(state))
          return isSet(
            wordpress.invalid,
            wordpress.site?.authorization,
            wordpress.sealed,
            ownSite,
            failure,
            preview,
          );
        if (/prices/u.test(state)) return isSet(failure);
        if (state === 'taking_stock')
          return [failure?.code, ...isSet(preview, previewOnly, keywords.quantity, keywords.geography)];
        return [
          failure?.code,
          ...isSet(
            context.leaving,
            context.checking,
            offer?.site,
            ownSite,
            context.stage,
            context.late,
            preview?.final,
          ),
        ];
      },
    },
  } satisfies { ArticlePipeline: FlowSamples<typeof articlePipelineMachine> };
}
