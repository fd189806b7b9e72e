import type { CrossPlan } from '../../machines/fragments/cross-post.ts';
import type { KeywordOffer, KeywordsFound } from '../../machines/fragments/keyword-questions.ts';
import type { PostStock } from '../../machines/fragments/post-stock.ts';
import type { socialPipelineMachine } from '../../machines/social-pipeline.ts';
import { descriptionOffer } from './category-tool-samples.ts';
import type { FlowSamples } from './flow-events.ts';
import { paidDraft, postActors, postDraft, postOffer } from './flow-samples-post.ts';
import { alikeInSteps, commonPresses, stepActors, stepPresses, stepTexts } from './flow-samples-steps.ts';
import { errors, refunded, refusals, start } from './sample-errors.ts';

const taken = { code: 'TARGET_TAKEN', userMessage: 'Канал уже подключён другим.', retryable: false };
const consentOver = { code: 'CONSENT_OVER', userMessage: 'Поздно.', retryable: false };

/** What may happen on the way to a post, on the ground that the flows of its fragments share. */
export function socialSamples({
  keywordOffer,
  keywordsFound,
}: {
  keywordOffer: KeywordOffer;
  keywordsFound: KeywordsFound;
}) {
  const emptyStock: PostStock = {
    counts: { projects: 0, channels: 0, categories: 0 },
    project: null,
    channel: null,
    category: null,
    readiness: null,
    keywords: null,
    description: null,
    offer: null,
    draft: null,
    waits: null,
    gone: null,
  };
  const readyStock: PostStock = {
    ...emptyStock,
    counts: { projects: 1, channels: 1, categories: 1 },
    project: { id: 5, name: 'Ромашка & <Ко>', site: null },
    channel: { id: 4, name: '@romashka' },
    category: { id: 9, name: 'Свадебные букеты' },
    readiness: { phrases: 40, hasDescription: true, hasPrices: false, publications: 0 },
    keywords: keywordOffer,
    description: descriptionOffer,
    offer: postOffer,
  };
  const stocks: [PostStock, ...PostStock[]] = [
    emptyStock,
    { ...emptyStock, counts: { projects: 2, channels: 0, categories: 0 }, gone: 'project' },
    { ...readyStock, channel: null, offer: null, counts: { projects: 1, channels: 0, categories: 1 } },
    {
      ...readyStock,
      ...{ channel: null, offer: null, gone: 'channel' },
      counts: { projects: 1, channels: 9, categories: 1 },
    },
    { ...readyStock, category: null, offer: null, counts: { projects: 1, channels: 1, categories: 2 } },
    { ...readyStock, category: null, offer: null, counts: { projects: 1, channels: 1, categories: 0 } },
    {
      ...readyStock,
      offer: null,
      readiness: { phrases: 0, hasDescription: false, hasPrices: false, publications: 3 },
      keywords: { ...keywordOffer, city: null },
    },
    { ...readyStock, offer: null, readiness: { ...readyStock.readiness!, hasDescription: false } },
    { ...readyStock, readiness: { ...readyStock.readiness!, hasDescription: false } },
    readyStock,
    { ...readyStock, draft: postDraft, waits: 'review' },
    { ...readyStock, draft: paidDraft, waits: 'review' },
    { ...readyStock, offer: null, waits: 'review', gone: 'channel' },
    { ...readyStock, draft: { ...postDraft, lost: 1 }, waits: 'answer' },
  ];

  const plan: CrossPlan = {
    targets: [
      { connectionId: 6, platform: 'vk', place: 'Ромашка', placeUrl: 'https://vk.com/romashka' },
      { connectionId: 7, platform: 'max', place: 'Чат <Ромашки>', placeUrl: null },
    ],
    price: 10,
    balance: 1_500,
  };

  /** More than a page of them. */
  const choices = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, name: `Букеты ${i + 1}` }));
  const channels = choices.map((choice, i) => ({ ...choice, platform: 'telegram', isBroken: i === 0 }));

  return {
    SocialPipeline: {
      inputs: {
        'from the menu': {
          ...{ ...start, projectId: null, connectionId: null, categoryId: null },
          ...{ isAdmin: false, repeats: true },
        },
        'with a post that is out': {
          ...{ ...start, projectId: null, connectionId: null, categoryId: null },
          ...{ isAdmin: false, repeats: false, publicationId: 11 },
        },
      },
      texts: {
        ...stepTexts,
        connect_tg_channel: ['@cvety', '-70000000000001', 'max.ru/join/abc', 'что?'],
        review: ['короче, без эмодзи', 'к'],
        review_text: ['Букеты собираем утром.'],
      },
      presses: [
        ...stepPresses,
        { type: 'channel.chosen', connectionId: 4 },
        { type: 'channel.reopened' },
        { type: 'messenger.added', platform: 'telegram' },
        { type: 'messenger.added', platform: 'max' },
        { type: 'vk.added' },
        { type: 'pinterest.added' },
        { type: 'chat.shared', chat: { requestId: 1, chatId: '-1001', title: 'Цветы <3', username: null } },
        { type: 'chat.unknown' },
        { type: 'channel.changed' },
        { type: 'secret.received', sealed: 'sealed', shape: `000000:${'a0'.repeat(18)}` },
        { type: 'secret.received', sealed: 'sealed', shape: `aa0.a.${'a0'.repeat(20)}` },
        { type: 'secret.received', sealed: 'sealed', shape: 'aaaa 000' },
        { type: 'help.asked' },
        { type: 'group.chosen', index: 0 },
        { type: 'key.changed' },
        { type: 'access.granted', nonce: 'n1' },
        { type: 'access.refused', nonce: 'n1', reason: 'Вы не дали доступ.' },
        { type: 'board.chosen', index: 0 },
        { type: 'draft.approved' },
        { type: 'draft.declined' },
        { type: 'text.wanted' },
        { type: 'review.resumed' },
        { type: 'post.seen' },
        { type: 'post.missed' },
        { type: 'target.marked', connectionId: 7, wanted: false },
        { type: 'target.marked', connectionId: 7, wanted: true },
        { type: 'target.marked', connectionId: 6, wanted: false },
        { type: 'targets.accepted' },
        { type: 'target.skipped' },
        ...commonPresses,
      ],
      actors: {
        takePostStock: { outputs: stocks, errors: [errors[0]] },
        ...stepActors(keywordsFound),
        awaitChat: { outputs: [{ target: '-70000000000001', title: 'Чат' }], errors: [errors[0]] },
        connectChannel: { outputs: [{ connectionId: 4 }], errors: [errors[0], taken] },
        readVkKey: {
          outputs: [
            { kind: 'community', groups: [{ id: 7, name: 'Мебель <&>', members: 21 }] },
            { kind: 'person', groups: choices.map(({ id, name }) => ({ id, name, members: null })) },
          ],
          errors: [errors[0]],
        },
        connectVk: { outputs: [{ connectionId: 4 }], errors: [errors[0], taken] },
        offerConsent: {
          outputs: [{ link: 'https://bot.example/api/auth/pinterest', nonce: 'n1' }],
          errors: [errors[0]],
        },
        takeConsent: {
          outputs: [
            { sealed: 'sealed', boards: [] },
            { sealed: 'sealed', boards: choices.map(({ id, name }) => ({ id: `${id}`, name })) },
          ],
          errors: [errors[0], consentOver],
        },
        connectPinterest: { outputs: [{ connectionId: 4 }], errors: [errors[0], taken] },
        ...postActors,
        planCrossPost: { outputs: [plan, { ...plan, balance: 5 }], errors: [errors[0]] },
        adaptPost: { outputs: [postDraft], errors: [refusals[0], refunded] },
      },
      // A walk tries one thing: one kind of channel, one text. Tries of two kinds have nothing to do with each other.
      enough: ({ readings, round, keywords, upload, page, cross, ...context }) => {
        const tries = triedIn(context);
        const { vk, pinterest, post } = context;
        const isTooMuch =
          tries.some((each) => each > 2) || [vk, pinterest, post].some(({ attempts }) => attempts > 1);
        const kinds = tries.filter((each) => each > 0).length;
        return (
          isTooMuch ||
          kinds > 1 ||
          upload.attempts > 1 ||
          round > 1 ||
          keywords.attempts > 2 ||
          readings > 2 ||
          cross.attempts > 1 ||
          page > 2
        );
      },
      data: {
        select_project: { choices },
        select_connection: { channels, offered: ['telegram', 'vk', 'pinterest', 'max'] },
        select_category: { choices },
      },
      // Of a step, what its guards and its screen look at; and every number of a try, because it is part of a key.
      alike: (context, state) => {
        const tries = triedIn(context);
        const isSet = (...values: unknown[]) => [...tries, ...values.map(Boolean)];
        const { messenger, vk, pinterest, post, keywords, failure, leaving, checking, counts, keys } =
          context;
        if (/^cross_/u.test(state)) {
          const { chosen, outcomes, attempts, draft, ending } = context.cross;
          const ends = outcomes.map(({ outcome }) => outcome);
          return [chosen, ends, attempts, draft?.lost, ending, failure?.code, context.late];
        }
        const more = [keys === 'returning'];
        const inSteps = alikeInSteps(context, state, { tries, offer: post.offer, more });
        if (inSteps) return inSteps;
        if (/_tg_/u.test(state))
          return [
            ...[messenger.platform, messenger.target],
            ...isSet(messenger.invalid, messenger.own, messenger.sealed, failure),
          ];
        if (/vk/u.test(state))
          return [
            ...[vk.known?.kind, vk.page, vk.groupId],
            ...isSet(vk.invalid, vk.helpWanted, vk.sealed, failure),
          ];
        if (/pinterest/u.test(state))
          return [pinterest.page, pinterest.grant?.boards.length, ...isSet(pinterest.consent, failure)];
        if (state === 'select_connection') return [context.page, ...isSet(failure, counts.channels, keys)];
        if (state === 'taking_stock')
          return [failure?.code, ...isSet(post.draft, keywords.quantity, keywords.geography)];
        if (/^(confirm_cost|generating|stock_unknown)$/u.test(state))
          return [failure?.code, ...isSet(leaving, checking, post.stage, post.draft, context.late)];
        // A post that is written leads back to no step before it.
        return [
          ...[post.attempts, failure?.code, post.draft?.nextPrice, post.draft?.lost],
          ...[post.wish, post.misfit, post.stage, post.published?.url, context.late].map(Boolean),
        ];
      },
    },
  } satisfies { SocialPipeline: FlowSamples<typeof socialPipelineMachine> };
}

/** Every number of a try is part of a key. */
const triedIn = ({ messenger, vk, pinterest, post, description }: Tried): number[] =>
  [messenger, vk, pinterest, post, description].map(({ attempts }) => attempts);
type Tried = Record<'messenger' | 'vk' | 'pinterest' | 'post' | 'description', { attempts: number }>;
