import type {
  AnyStateMachine,
  ContextFrom,
  EventFromLogic,
  InputFrom,
  OutputFrom,
  StateValueFrom,
} from 'xstate';
import type { CaseTerms, DialogueProgress } from '../../machines/ai-chat.ts';
import type { ArticleOffer } from '../../machines/fragments/article-order.ts';
import type { ArticlePreview } from '../../machines/fragments/article-ports.ts';
import type { KeywordOffer, KeywordsFound } from '../../machines/fragments/keyword-questions.ts';
import { type ProjectField, projectFields } from '../../machines/project-fields.ts';
import type { FlowId, registry } from '../../machines/registry.ts';
import type { ActorOf } from '../../src/engine/ports.ts';
import { projectFieldTexts } from '../../src/screens/kit/project-field-labels.ts';
import { categoryToolSamples } from './category-tool-samples.ts';
import { articleData, pipelineSamples, reachedSites, wordPressPresses } from './flow-samples-pipeline.ts';
import { postSamples } from './flow-samples-post.ts';
import { refreshFlowSamples } from './flow-samples-refresh.ts';
import { scheduleSamples } from './flow-samples-schedules.ts';
import { siteFlowSamples } from './flow-samples-site.ts';
import { socialSamples } from './flow-samples-social.ts';
import { sitePresses, sitesRead } from './flow-samples-steps.ts';
import { errors, refunded, refusals, start } from './sample-errors.ts';

/** Everything that may happen in a flow, by example: what `every-flow.test.ts` walks with. */
export type FlowSamples<Machine extends AnyStateMachine> = {
  /** Ways to enter the flow, each by a name that a failing test can say. */
  inputs: Readonly<Record<string, InputFrom<Machine>>>;
  /** What people write in a state, good and bad; everywhere else they write `anyText`. */
  texts: Partial<Record<StateValueFrom<Machine> & string, readonly string[]>>;
  /** Buttons and commands. Every one is tried in every state that knows it. */
  presses: readonly Exclude<EventFromLogic<Machine>, { type: 'text.received' }>[];
  /** How the services answer: at least one output and one error each. */
  actors: {
    readonly [Actor in ActorOf<Machine> as Actor['src']]: {
      outputs: NonEmpty<OutputFrom<Actor['logic']>>;
      errors: NonEmpty<unknown>;
    };
  };
  /** Where a walk does not go: a flow that counts would have no end. */
  enough?: (context: ContextFrom<Machine>) => boolean;
  /**
   * What tells two contexts apart, for a flow with more of them than can be walked: of those that are alike in this, the
   * walk takes one.
   */
  alike?: (context: ContextFrom<Machine>, state: string) => unknown;
  /** What the flow's loader would bring for a state's screen. */
  data?: Partial<Record<StateValueFrom<Machine> & string, unknown>>;
};

type NonEmpty<T> = readonly [T, ...T[]];
export const anyText = 'Здравствуйте!';

const draftOver = { code: 'DRAFT_EXPIRED', userMessage: 'Предпросмотр устарел.', retryable: false };
const noSite = { code: 'CONNECTION_GONE', userMessage: 'Подключение удалено.', retryable: false };
const notPublished = { code: 'PUBLISH', userMessage: 'Сайт не ответил.', retryable: true, refunded: 0 };

const inProject = { ...start, projectId: 5, projectName: 'Ромашка' };
const taken = { code: 'TARGET_TAKEN', userMessage: 'Канал уже подключён другим.', retryable: false };
const badToken = { code: 'BOT_TOKEN_REFUSED', userMessage: 'Токен невалиден.', retryable: false };
const connecting = { ...start, projectId: 5, projectName: 'Ромашка', ownSite: null, reconnect: null };

export const articleOffer: ArticleOffer = {
  categoryId: 9,
  categoryName: 'Свадебные букеты',
  projectId: 5,
  projectName: 'Ромашка',
  connectionId: 3,
  site: 'romashka.ru',
  phrase: 'букет невесты',
  volume: 2_400,
  clusters: 7,
  images: 4,
  text: 200,
  pictures: 120,
  picturePrice: 30,
  balance: 1_500,
  isAdmin: false,
  reused: false,
};
const articlePreview: ArticlePreview = {
  draftId: 41,
  title: 'Букет невесты: как выбрать <и не ошибиться>',
  words: 1_810,
  images: 4,
  imagesWanted: 4,
  sections: 5,
  phrase: 'букет невесты',
  spent: 290,
  returned: 30,
  telegraphUrl: 'https://telegra.ph/buket',
  excerpt: 'Букет невесты выбирают под платье.',
  regenerations: 0,
  nextPrice: 0,
  warnings: ['Возможно, выдуманная цена: 5 000 ₽.'],
};

const keywordOffer: KeywordOffer = {
  categoryId: 9,
  categoryName: 'Свадебные букеты',
  city: 'Казань',
  pricePerPhrase: 1,
  balance: 1_500,
  isAdmin: false,
};
const keywordsFound: KeywordsFound = {
  clusters: 15,
  phrases: 48,
  added: 40,
  source: 'data',
  grouping: 'model',
  market: 2804,
  spent: 48,
  returned: 2,
};

const caseTerms: CaseTerms = {
  case_id: 'fbpeer',
  components: ['behavior', 'result', 'attitude', 'question', 'agreements'],
  turns: 2,
};
const leftDialogue: DialogueProgress = {
  session: 'run-0:1',
  turn_count: 1,
  dialogue_entries: [{ turn: 1, achieved: ['behavior'] }],
  total_provd_achieved: ['behavior'],
};
const caseGone = { code: 'CASE_GONE', userMessage: 'Этого случая больше нет.', retryable: false };

export const flowSamples = {
  ...categoryToolSamples,

  ProjectCreate: {
    inputs: {
      'from the beginning': start,
    },
    texts: {
      name: ['Ромашка', 'Р', '<b>Ромашка</b>', 'romashka.ru'],
      company_name: ['ООО «Ромашка»', '…'],
      specialization: ['Доставка цветов', 'цвет'],
      website_url: ['romashka.ru', 'ромашка'],
      card_field: ['Букеты', '+7 843 200-10-20', '…'],
    },
    presses: [{ type: 'website.skipped' }, ...sitePresses, { type: 'retried' }, { type: 'cancelled' }],
    actors: {
      readSite: { outputs: sitesRead, errors: [errors[0]] },
      saveProject: { outputs: [{ projectId: 5 }], errors },
    },
    enough: ({ readings }) => readings > 2,
  },

  ProjectEdit: {
    inputs: Object.fromEntries(
      projectFields.flatMap((field) => [
        [`${field}, empty so far`, editing(field, null)],
        [`${field}, filled`, editing(field, projectFieldTexts[field].example)],
      ]),
    ),
    texts: {
      field_value: [
        'Цветы на Ленина',
        'https://romashka.ru',
        '+7 843 123-45-67',
        'info@romashka.ru',
        '…',
        '',
      ],
    },
    presses: [
      ...projectFields.map((field) => ({ type: 'value.cleared', projectId: 5, field }) as const),
      { type: 'value.cleared', projectId: 6, field: 'website_url' },
      { type: 'retried' },
      { type: 'cancelled' },
    ],
    actors: { saveProjectField: { outputs: [null], errors } },
  },

  CategoryCreate: {
    inputs: {
      'from a project': { ...start, projectId: 5, projectName: 'Ромашка' },
      'from a project whose name looks like markup': { ...start, projectId: 5, projectName: '<b>&lt;' },
    },
    texts: { name: ['Свадебные букеты', 'x', ''] },
    presses: [{ type: 'retried' }, { type: 'cancelled' }],
    actors: { saveCategory: { outputs: [{ categoryId: 9 }], errors } },
  },

  KeywordGeneration: {
    inputs: {
      'from a category': { ...start, ...keywordOffer },
      'without a city, by somebody who cannot pay': { ...start, ...keywordOffer, city: null, balance: 0 },
      'by an admin in Moscow': { ...start, ...keywordOffer, city: 'Москва', balance: 0, isAdmin: true },
    },
    texts: {
      products: ['Свадебные букеты', 'ты', '…'.repeat(3)],
      geography: ['Казань', 'К', 'К'.repeat(201)],
    },
    presses: [
      { type: 'category.chosen' },
      { type: 'city.chosen' },
      { type: 'place.chosen', place: 'Москва' },
      { type: 'answer.kept' },
      { type: 'quantity.chosen', quantity: 50 },
      { type: 'quantity.chosen', quantity: 51 },
      { type: 'answers.reopened' },
      { type: 'cost.accepted' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'progress.made', stage: 'fetching' },
      { type: 'progress.made', stage: 'clustering' },
      { type: 'progress.made', stage: 'enriching' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      generateKeywords: {
        outputs: [
          keywordsFound,
          { ...keywordsFound, clusters: 0, source: 'ai', grouping: 'none', market: null },
          { ...keywordsFound, grouping: 'words', market: 1 },
        ],
        errors: [...errors, ...refusals, refunded],
      },
    },
    enough: ({ keywords }) => keywords.attempts > 2,
  },

  ConnectWordPress: {
    inputs: {
      'from a project without a site': connecting,
      'from a project with one': {
        ...connecting,
        ownSite: `https://www.romashka.ru/${'bukety/'.repeat(20)}`,
      },
      'again, for a connection that is known': {
        ...connecting,
        ownSite: 'https://romashka.ru/',
        reconnect: { connectionId: 3, url: 'https://romashka.ru/' },
      },
    },
    texts: { url: ['romashka.ru', 'https://romashka.ru/blog', 'рома', ''], login: ['anna', 'я'.repeat(101)] },
    presses: [...wordPressPresses, { type: 'retried' }, { type: 'cancelled' }],
    actors: {
      reachSite: { outputs: reachedSites, errors },
      takeGrant: { outputs: [{ login: 'anna', sealed: 'sealed' }], errors },
      connectWordPress: { outputs: [{ connectionId: 3 }], errors: [...errors, refusals[1]] },
    },
    enough: ({ wordpress }) => wordpress.attempts > 2,
  },

  ConnectTelegram: {
    inputs: {
      'a channel of Telegram': { ...inProject, platform: 'telegram', reconnect: null },
      'a chat of MAX': { ...inProject, platform: 'max', reconnect: null },
      'again, with a bot of the person’s own': {
        ...{ ...inProject, platform: 'telegram' },
        reconnect: { connectionId: 3, target: '-1001', title: '@cvety', own: false },
      },
      'again, with our own bot': {
        ...{ ...inProject, platform: 'telegram' },
        reconnect: { connectionId: 3, target: '-1001', title: '@cvety', own: true },
      },
    },
    texts: { channel: ['@cvety', '-70000000000001', 'max.ru/join/abc', 'что?', ''] },
    presses: [
      { type: 'chat.shared', chat: { requestId: 1, chatId: '-1001', title: 'Цветы <3', username: null } },
      { type: 'chat.shared', chat: { requestId: 9, chatId: '-1001', title: null, username: 'cvety' } },
      { type: 'chat.unknown' },
      { type: 'channel.changed' },
      { type: 'secret.received', sealed: 'sealed', shape: `000000:${'a0'.repeat(18)}` },
      { type: 'secret.received', sealed: 'sealed', shape: 'aaaa000' },
      { type: 'retried' },
      { type: 'cancelled' },
    ],
    actors: {
      awaitChat: { outputs: [{ target: '-70000000000001', title: 'Чат' }], errors },
      connectChannel: { outputs: [{ connectionId: 3 }], errors: [...errors, refusals[1], taken, badToken] },
    },
    enough: ({ messenger }) => messenger.attempts > 2,
  },

  ConnectVK: {
    inputs: { 'from a project': inProject },
    texts: {},
    presses: [
      { type: 'secret.received', sealed: 'sealed', shape: `aa0.a.${'a0'.repeat(20)}` },
      { type: 'secret.received', sealed: 'sealed', shape: 'aaaa 000' },
      { type: 'help.asked' },
      { type: 'group.chosen', index: 0 },
      { type: 'group.chosen', index: 99 },
      { type: 'page.turned', page: 2 },
      { type: 'key.changed' },
      { type: 'retried' },
      { type: 'cancelled' },
    ],
    actors: {
      readVkKey: {
        outputs: [
          { kind: 'community', groups: [{ id: 7, name: 'Мебель <&>', members: 21 }] },
          {
            kind: 'person',
            groups: Array.from({ length: 9 }, (_, at) => ({
              id: at + 1,
              name: `Группа ${at}`,
              members: null,
            })),
          },
        ],
        errors,
      },
      connectVk: { outputs: [{ connectionId: 3 }], errors: [...errors, refusals[1], taken] },
    },
    enough: ({ vk }) => vk.attempts > 1,
  },

  ConnectPinterest: {
    inputs: { 'from a project': inProject },
    texts: {},
    presses: [
      { type: 'access.granted', nonce: 'n1' },
      { type: 'access.granted', nonce: 'of another' },
      { type: 'access.refused', nonce: 'n1', reason: 'Вы не дали доступ.' },
      { type: 'board.chosen', index: 0 },
      { type: 'board.chosen', index: 99 },
      { type: 'page.turned', page: 2 },
      { type: 'retried' },
      { type: 'cancelled' },
    ],
    actors: {
      offerConsent: { outputs: [{ link: 'https://bot.example/api/auth/pinterest', nonce: 'n1' }], errors },
      takeConsent: {
        outputs: [
          { sealed: 'sealed', boards: [] },
          {
            sealed: 'sealed',
            boards: Array.from({ length: 9 }, (_, at) => ({ id: `${at}`, name: `Доска <${at}>` })),
          },
        ],
        errors: [...errors, { code: 'CONSENT_OVER', userMessage: 'Поздно.', retryable: false }],
      },
      connectPinterest: { outputs: [{ connectionId: 3 }], errors: [...errors, refusals[1], taken] },
    },
    enough: ({ pinterest }) => pinterest.attempts > 1,
  },

  ArticlePublish: {
    inputs: {
      'from a category': { ...start, offer: articleOffer, preview: null },
      'by an admin, without pictures, about a phrase that comes again': {
        ...start,
        offer: { ...articleOffer, isAdmin: true, reused: true, images: 0, pictures: 0, volume: null },
        preview: null,
      },
      'with photos of their own, about a question that was answered before': {
        ...start,
        offer: {
          ...articleOffer,
          ownPhotos: 1,
          knows: 'Зазор <до> 3 см',
          avoid: 'рассрочка',
          clash: { title: 'Букет <невесты>', url: 'https://romashka.ru/buket', state: 'published' },
        },
        preview: null,
      },
      'with a draft that waits': { ...start, offer: articleOffer, preview: articlePreview },
      'with a draft whose next version costs': {
        ...start,
        offer: articleOffer,
        preview: { ...articlePreview, regenerations: 2, nextPrice: 270 },
      },
      'with a draft that may stand on another site': {
        ...start,
        offer: { ...articleOffer, mayBeOn: ['blog.ru'] },
        preview: articlePreview,
      },
    },
    texts: {
      own_knowledge: ['Зазор доходит до 3 см', 'а'.repeat(601)],
      own_avoid: ['рассрочка', 'а'.repeat(601)],
      preview: ['Сделайте короче', 'ой'],
    },
    presses: [
      { type: 'cost.accepted' },
      { type: 'photos.set', count: 0 },
      { type: 'photos.set', count: 1 },
      { type: 'photos.set', count: 99 },
      { type: 'pictures.set', count: 0 },
      { type: 'pictures.set', count: 11 },
      { type: 'phrase.declined' },
      { type: 'phrases.declined' },
      { type: 'phrase.chosen', index: 0 },
      { type: 'phrase.chosen', index: 10 },
      { type: 'knowledge.opened' },
      { type: 'question.skipped' },
      { type: 'answer.erased' },
      { type: 'back' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'draft.approved' },
      { type: 'site_draft.wanted' },
      { type: 'html.wanted' },
      { type: 'html.accepted' },
      { type: 'text.opened' },
      { type: 'draft.declined' },
      { type: 'price.accepted' },
      { type: 'progress.made', stage: 'writing' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      listPhrases: {
        outputs: [
          {
            page: 1,
            items: [
              { phrase: 'букет невесты', volume: 1_200, used: false },
              { phrase: 'букет из пионов', volume: null, used: true },
            ],
            hasMore: true,
          },
          { page: 1, items: [], hasMore: false },
        ],
        errors,
      },
      saveOwnAnswer: {
        outputs: [
          { field: 'knows', shown: 'Зазор <до> 3 см' },
          { field: 'avoid', shown: '' },
        ],
        errors,
      },
      generateArticle: {
        outputs: [articlePreview, { ...articlePreview, telegraphUrl: null, images: 1, returned: 90 }],
        errors: [...errors, ...refusals],
      },
      regenerateArticle: {
        outputs: [{ ...articlePreview, regenerations: 2, nextPrice: 270 }],
        errors: [...errors, ...refusals, draftOver],
      },
      publishArticle: {
        outputs: [
          { publicationId: 11, url: 'https://romashka.ru/buket', warnings: [] },
          { publicationId: null, url: 'https://romashka.ru/buket', warnings: [] },
          { publicationId: 12, url: null, warnings: ['SEO-поля не сохранились.'] },
        ],
        errors: [...errors, draftOver, notPublished, noSite],
      },
      takeHtml: { outputs: [{ final: 290 }], errors: [errors[0], draftOver] },
      cancelDraft: { outputs: [{ returned: 290 }, { returned: 0 }], errors },
    },
    data: articleData,
    enough: ({ attempts, offerChanges }) => attempts > 1 || offerChanges > 1,
    // Of a state, what its screen and its guards look at: the progress where the person waits, the last failure where they
    // decide, the order until there is an article.
    alike: ({ attempts, offerChanges, failure, preview, offer, ...context }, state) => [
      ...[attempts, offerChanges, preview?.regenerations, preview?.final, Boolean(context.published)],
      ...(/ing(?:_|$)/u.test(state) ? [context.stage, context.late].map(Boolean) : [failure?.code]),
      ...(preview ? [] : [offer?.pictures, Boolean(context.phrases)]),
    ],
  },

  ...siteFlowSamples,
  ...scheduleSamples,
  ...postSamples,
  ...pipelineSamples({
    ...{ draftOver, notPublished },
    ...{ articleOffer, articlePreview, keywordOffer, keywordsFound },
  }),
  ...socialSamples({ keywordOffer, keywordsFound }),

  AIChat: {
    inputs: {
      'by its command': { ...start, ...caseTerms, resumed: null },
      'with a dialogue that was left': { ...start, ...caseTerms, resumed: leftDialogue },
      'with a dialogue in which everything was reached': {
        ...start,
        ...caseTerms,
        resumed: { ...leftDialogue, total_provd_achieved: caseTerms.components },
      },
    },
    texts: {
      waiting_user: ['Вчера на показе ты трижды меня перебила.', '👍', 'я'.repeat(2_001)],
      review_complete: ['Давай ещё раз.', ''],
    },
    presses: [
      { type: 'theory.opened' },
      { type: 'theory.closed' },
      { type: 'dialogue.started' },
      { type: 'dialogue.restarted' },
      { type: 'dialogue.continued' },
      { type: 'analysis.requested' },
      { type: 'case.changed' },
      { type: 'cancelled' },
    ],
    actors: {
      startDialogue: { outputs: [caseTerms], errors: [errors[0], caseGone] },
      answerTurn: {
        outputs: [{ achieved: ['behavior'] }, { achieved: caseTerms.components }],
        errors: [refusals[1], caseGone],
      },
      reviewDialogue: { outputs: [null], errors: [errors[0], caseGone] },
      endDialogues: { outputs: [null], errors: [errors[2]] },
    },
    enough: ({ attempts, starts }) => attempts > 1 || starts > 1,
  },
  ...refreshFlowSamples,
} satisfies { [Id in FlowId]: FlowSamples<(typeof registry)[Id]['machine']> };

function editing(field: ProjectField, current: string | null) {
  return { ...start, projectId: 5, field, current };
}
