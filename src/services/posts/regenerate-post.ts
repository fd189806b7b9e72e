import type { PostDraft, RegeneratePostInput } from '../../../machines/fragments/post-ports.ts';
import { freePostVersions } from '../../../machines/fragments/post-work.ts';
import { CategoryGone, DraftExpired } from '../../errors.ts';
import type { PostPlatform } from '../../platforms/platforms.ts';
import { prices, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import { lostIfAway } from '../../store/database-away.ts';
import type { PostContent, StoredPost } from '../../store/post-drafts.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { ComposePost, PostStage } from './compose-post.ts';
import { postNeeds } from './generate-post.ts';
import { toContent, toDraft, toImage } from './post-draft.ts';

type Deps = {
  findDraft(userId: number, draftId: number): Promise<StoredPost | null>;
  /** Also one that was published, cancelled or expired. */
  findEnded(userId: number, draftId: number): Promise<StoredPost | null>;
  briefOf(userId: number, categoryId: number, platform: PostPlatform): Promise<CategoryBrief | null>;
  purse(version: { key: string; userId: number; draftId: number; keyword: string; price: number }): Purse;
  limitedWork: LimitedWork;
  composePost: ComposePost;
  replace(draftId: number, key: string, content: PostContent): Promise<{ regenerations: number } | null>;
  /** Files of a superseded version. */
  discard(left: { pictures: string[]; telegraphPath: null }): Promise<void>;
};

/**
 * Another version of the same post, or the same one changed by words. The first ones are free; the next cost what the
 * first version came to, and a change by words, which draws nothing, the text alone. When one fails, its price comes back
 * and the text that was there stays (X18).
 */
export const makeRegeneratePost =
  ({ findDraft, findEnded, briefOf, purse, limitedWork, composePost, replace, discard }: Deps) =>
  async (
    { key, userId, draftId, wish }: RegeneratePostInput,
    signal: AbortSignal,
    report: (stage: PostStage) => void,
  ): Promise<PostDraft> => {
    const open = await findDraft(userId, draftId).catch(lostIfAway(key));
    // Ended meanwhile: there is nothing to write any more, but the version may have been paid for before.
    const old = open ?? (await findEnded(userId, draftId).catch(lostIfAway(key)));
    const isBegun = old?.details.paying === key || old?.details.version === key;
    if (!old || (!open && !isBegun)) throw new DraftExpired(draftId);
    const { keyword, details } = old;
    const { platform, place } = details;
    const images = wish === null ? details.imagesWanted : 0;
    // A version that was already kept under this key counted itself: the same one must be priced the same again.
    const before = old.regenerations - (details.version === key ? 1 : 0);
    const full = wish === null ? total(details.price) : details.price.text;
    const price = before < freePostVersions ? 0 : full;
    const ownPurse = purse({ key, userId, draftId, keyword, price });
    const call = { key, userId, request: { draftId, wish }, signal };

    // Free versions are few for every post, and posts are limited already.
    const needs = price > 0 ? postNeeds(images) : { slots: {} };
    return limitedWork(call, needs, ownPurse, async (stage, lease) => {
      // As it is before the new version takes its place: a restart must not clear up the new one instead.
      const replaced = await stage('replaced', async () => {
        const current = await findDraft(userId, draftId);
        if (!current) throw new DraftExpired(draftId);
        return { tokens: current.tokens, text: current.html, image: current.images[0] ?? null };
      });
      const brief = await stage('order', async () => {
        const found = await briefOf(userId, old.categoryId, platform);
        if (!found) throw new CategoryGone(old.categoryId);
        return found;
      });
      const earlier = { text: replaced.text, wish };
      const { post, picture } = await composePost(
        { brief, platform, keyword, images, earlier },
        { userId, stage, signal: lease, report },
      );
      const drawn = picture && toImage(picture, keyword, brief.company.name);
      // A picture that could not be drawn anew leaves the old one where it is.
      const content = toContent(post, drawn ?? replaced.image, {
        ...{ place, keyword, price: details.price, imagesWanted: details.imagesWanted },
      });
      const kept = await replace(draftId, key, content);
      if (!kept) throw new DraftExpired(draftId);
      if (drawn && replaced.image)
        await discard({ pictures: [replaced.image.storage_path], telegraphPath: null });
      const spent = price > 0 && images > 0 && !drawn ? Math.max(0, price - prices.image) : price;
      // An admin's draft has been charged nothing.
      const tokens = replaced.tokens === 0 && price === 0 ? 0 : Math.max(0, replaced.tokens - price + spent);
      const version = { ...content, details: { ...content.details, lost: details.lost ?? 0 } };
      return {
        result: toDraft({ ...version, id: draftId, ...kept, tokens }, { returned: price - spent }),
        spent,
      };
    });
  };
