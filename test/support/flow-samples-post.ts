import type { PostDraft, PostOffer } from '../../machines/fragments/post-ports.ts';
import type { socialPostPublishMachine } from '../../machines/social-post-publish.ts';
import type { FlowSamples } from './flow-events.ts';
import { errors, refunded, refusals, start } from './sample-errors.ts';

export const draftOver = { code: 'DRAFT_EXPIRED', userMessage: 'Предпросмотр устарел.', retryable: false };
export const postOffer: PostOffer = {
  categoryId: 9,
  categoryName: 'Свадебные букеты',
  projectId: 5,
  projectName: 'Ромашка',
  connectionId: 4,
  platform: 'telegram',
  place: '@romashka',
  placeUrl: 'https://t.me/romashka',
  phrase: 'букет невесты',
  images: 1,
  text: 10,
  pictures: 30,
  balance: 1_500,
  isAdmin: false,
  reused: false,
};
export const postDraft: PostDraft = {
  draftId: 42,
  images: 1,
  imagesWanted: 1,
  spent: 40,
  returned: 0,
  regenerations: 0,
  nextPrice: 0,
  nextTextPrice: 0,
  lost: 0,
  warnings: ['Возможно, выдуманная цена: 5 000 ₽.'],
};
export const paidDraft: PostDraft = { ...postDraft, regenerations: 2, nextPrice: 40, nextTextPrice: 10 };
const pinOffer: PostOffer = {
  ...postOffer,
  ...{ platform: 'pinterest', place: 'Букеты', placeUrl: null, isAdmin: true, reused: true, balance: 5 },
};
const pinDraft: PostDraft = { ...postDraft, images: 0 };
export const channelRefused = { code: 'PUBLISH_CHANNEL', userMessage: 'Ключ отозван.', retryable: false };

/** How the services behind a post answer. */
export const postActors = {
  generatePost: { outputs: [postDraft], errors: [refusals[0], refunded] },
  regeneratePost: { outputs: [paidDraft], errors: [refusals[0], draftOver] },
  savePostText: { outputs: [postDraft], errors: [errors[1], draftOver] },
  publishPost: {
    outputs: [
      { outcome: 'sent', publicationId: 11, url: 'https://t.me/romashka/7', warnings: [] },
      { outcome: 'sent', publicationId: 12, url: null, warnings: ['VK не принял картинку.'] },
      { outcome: 'unknown', lost: 1, message: 'Telegram не подтвердил публикацию.' },
    ],
    errors: [draftOver, channelRefused],
  },
  confirmPost: {
    outputs: [{ publicationId: 11, url: null, warnings: [] }],
    errors: [errors[0], draftOver],
  },
  cancelPost: { outputs: [{ returned: 40 }, { returned: 0 }], errors: [errors[2]] },
} satisfies FlowSamples<typeof socialPostPublishMachine>['actors'];

export const postSamples: { SocialPostPublish: FlowSamples<typeof socialPostPublishMachine> } = {
  SocialPostPublish: {
    inputs: {
      'from a category': { ...start, offer: postOffer, draft: null, after: 'review' },
      'by somebody who cannot pay': {
        ...start,
        offer: { ...postOffer, balance: 0, images: 0, pictures: 0 },
        draft: null,
        after: 'review',
      },
      'with a post that waits': { ...start, offer: postOffer, draft: postDraft, after: 'review' },
      'with a pin whose next version costs': {
        ...start,
        offer: { ...pinOffer, isAdmin: false },
        draft: { ...pinDraft, nextPrice: 40, nextTextPrice: 10 },
        after: 'review',
      },
      'with a post whose answer was lost': {
        ...start,
        offer: postOffer,
        draft: { ...postDraft, lost: 1 },
        after: 'lost-answer',
      },
      'with a post that is not in the channel': {
        ...start,
        offer: postOffer,
        draft: { ...postDraft, lost: 1 },
        after: 'resend',
      },
    },
    texts: {
      review: ['короче, без эмодзи', 'к'],
      review_text: ['Букеты собираем утром.'],
    },
    presses: [
      { type: 'cost.accepted' },
      { type: 'draft.approved' },
      { type: 'draft.declined' },
      { type: 'text.wanted' },
      { type: 'review.resumed' },
      { type: 'post.seen' },
      { type: 'post.missed' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'progress.made', stage: 'images' },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: postActors,
    enough: ({ post }) => post.attempts > 1,
  },
};
