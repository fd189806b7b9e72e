import type {
  GeneratePostInput,
  PostDraft,
  PostDraftInput,
  PostOffer,
  PostOutcome,
  PublishPostInput,
} from '../../../machines/fragments/post-ports.ts';
import type { OfferedPost } from '../posts/offer-post.ts';
import type { Use } from '../quality/choose-cluster.ts';
import type { Desk } from './desk.ts';

type Deps = {
  offerPost(
    userId: number,
    categoryId: number,
    connectionId: number,
    isAdmin: boolean,
    wanted: string | null,
    held: readonly Use[],
  ): Promise<OfferedPost>;
  isAdmin(userId: number): Promise<boolean>;
  generate(input: GeneratePostInput, signal: AbortSignal, report: () => void): Promise<PostDraft>;
  publish(input: PublishPostInput, signal: AbortSignal): Promise<PostOutcome>;
  keep(userId: number, draftId: number): Promise<void>;
  cancel(draft: PostDraftInput): Promise<number | null>;
};

export const makePostDesk = ({ offerPost, isAdmin, generate, publish, keep, cancel }: Deps): Desk => ({
  async offer({ userId, categoryId, connectionId }, wanted, held) {
    const offered = await offerPost(userId, categoryId, connectionId, await isAdmin(userId), wanted, held);
    if ('blocked' in offered) return { blocked: 'no_keywords' };
    if ('missing' in offered) return offered;
    const { offer } = offered;
    const { phrase, text, pictures, balance, reused } = offer;
    return {
      offer: {
        ...{ phrase, balance, reused, few: false },
        price: text + pictures,
        isAdmin: offer.isAdmin,
        order: offer,
      },
    };
  },

  async write({ key, userId, signal }, order) {
    const offer = order as PostOffer;
    const draft = await generate({ key, userId, offer }, signal, () => undefined);
    const { draftId, spent, images, imagesWanted } = draft;
    return { draftId, title: offer.phrase, spent, images, imagesWanted };
  },

  async publish({ key, userId, signal }, { draftId }) {
    const published = await publish({ key, userId, draftId }, signal);
    if (published.outcome === 'unknown') return { outcome: 'unknown' };
    const { url, warnings, returned = 0 } = published;
    return { outcome: 'sent', url, warnings, returned };
  },

  keep,

  cancel: (userId, draftId) => cancel({ userId, draftId }),
});
