import type { GeneratePostInput, PostDraft } from '../../../machines/fragments/post-ports.ts';
import { type AppError, CategoryGone, DraftExpired } from '../../errors.ts';
import { isPlatform, type PostPlatform, takesPosts } from '../../platforms/platforms.ts';
import { type Price, settled, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Connection } from '../../store/connections.ts';
import type { PostContent } from '../../store/post-drafts.ts';
import { notes } from '../article/article-notes.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Slots } from '../money/rate-limits.ts';
import { ChannelDisconnected } from './channel-disconnected.ts';
import type { ComposePost, PostStage } from './compose-post.ts';
import { toContent, toDraft, toImage } from './post-draft.ts';

type Deps = {
  briefOf(userId: number, categoryId: number, platform: PostPlatform): Promise<CategoryBrief | null>;
  findConnection(userId: number, connectionId: number): Promise<Connection | null>;
  purse(version: {
    key: string;
    userId: number;
    categoryId: number;
    connectionId: number | null;
    keyword: string;
    price: Price;
  }): Purse;
  limitedWork: LimitedWork;
  composePost: ComposePost;
  /** Null when the draft was ended meanwhile. */
  fill(key: string, content: PostContent): Promise<number | null>;
  isSimilarToEarlier(userId: number, contentHash: string): Promise<boolean>;
};

/** From the accepted price to a post that can be looked at; or the tokens back. */
export const makeGeneratePost =
  ({ briefOf, findConnection, purse, limitedWork, composePost, fill, isSimilarToEarlier }: Deps) =>
  (
    { key, userId, offer, kept }: GeneratePostInput,
    signal: AbortSignal,
    report: (stage: PostStage) => void,
  ): Promise<PostDraft> => {
    const { categoryId, connectionId, phrase: keyword, images } = offer;
    const platform = postPlatform(offer.platform);
    const price: Price = { text: offer.text, images: offer.pictures };
    const ownPurse = purse({ key, userId, categoryId, connectionId, keyword, price });
    // The balance shown beside the price is no part of what was ordered: it differs after a restart.
    const { balance: _, ...request } = offer;

    return limitedWork(
      { key, userId, request, signal },
      postNeeds(images),
      ownPurse,
      async (stage, lease) => {
        const order = await stage('order', async () => {
          const [brief, connection] = await Promise.all([
            briefOf(userId, categoryId, platform),
            findConnection(userId, connectionId),
          ]);
          if (!brief) throw new CategoryGone(categoryId);
          if (!connection) throw new ChannelDisconnected(`connection ${connectionId} is gone`);
          return { brief, place: connection.identifier };
        });
        const { brief, place } = order;
        const { post, picture } = await composePost(
          { brief, platform, keyword, images },
          { userId, stage, signal: lease, report },
        );
        const cost = settled(price, { words: post.words, images: picture ? 1 : 0 });
        const told = [
          offer.reused && notes.reused(keyword).text,
          (await isSimilarToEarlier(userId, post.contentHash)) && notes.similar.text,
          images > 0 && !picture && 'Картинку нарисовать не удалось, токены за неё вернулись.',
        ].filter((note) => note !== false);
        const content = toContent(post, picture && toImage(picture, keyword, brief.company.name), {
          ...{ place, keyword, price: cost, imagesWanted: images, notes: told },
          ...(kept && { kept }),
        });
        const id = await fill(key, content);
        if (id === null) throw await reasonOfTheEnd();
        const spent = total(cost);
        const paid = offer.isAdmin ? 0 : spent;
        const draft = { ...content, id, regenerations: 0, tokens: paid };
        return { result: toDraft(draft, { returned: offer.isAdmin ? 0 : total(price) - spent }), spent };
      },
    );

    /** Deleted with its category, or its day was over before it was written (X01). */
    async function reasonOfTheEnd(): Promise<AppError> {
      const brief = await briefOf(userId, categoryId, platform);
      return brief ? new DraftExpired(key) : new CategoryGone(categoryId);
    }
  };

/** Of the hour's limits. A picture that did not come does not count. Not asked for free versions. */
export function postNeeds(images: number) {
  const slots = (pictures: number): Slots => ({ text_generation: 1, image_generation: pictures });
  return { slots: slots(images), used: (draft: PostDraft) => slots(Math.min(images, draft.images)) };
}

function postPlatform(name: string): PostPlatform {
  if (!isPlatform(name) || !takesPosts(name))
    throw new TypeError(`Expected a platform of posts, got ${name}`);
  return name;
}
