import type { ArticlePreview, RegenerateArticleInput } from '../../../machines/fragments/article-ports.ts';
import { freeRegenerations } from '../../../machines/fragments/article-work.ts';
import { CategoryGone, DraftExpired } from '../../errors.ts';
import { prices, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import { lostIfAway } from '../../store/database-away.ts';
import type { Draft } from '../../store/draft.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import { type KeepDraft, toContent, toPreview } from './draft-preview.ts';
import { articleNeeds, toOrder } from './generate-article.ts';
import { DraftNotEditable, type ReviseArticle } from './revise-article.ts';
import type { ArticleOrder, ArticleStage, WriteArticle } from './write-article.ts';

type Deps = {
  findDraft(userId: number, draftId: number): Promise<Draft | null>;
  /** Also one that was published, cancelled or expired. */
  findEnded(userId: number, draftId: number): Promise<Draft | null>;
  /** Gives the tokens of a draft back whose day is over. */
  expireNow(draftId: number): Promise<void>;
  briefOf(userId: number, categoryId: number): Promise<CategoryBrief | null>;
  siteOf(
    userId: number,
    connectionId: number,
    phrase: string,
    signal: AbortSignal,
  ): Promise<Pick<ArticleOrder, 'ownLinks' | 'schemaType'>>;
  purse(version: { key: string; userId: number; draftId: number; keyword: string; price: number }): Purse;
  limitedWork: LimitedWork;
  writeArticle: WriteArticle;
  reviseArticle: ReviseArticle;
  keep: KeepDraft;
};

/**
 * Another version of the same article, or the same one changed by words. The first ones are free, the next cost what the
 * first version came to, and a change by words, which draws nothing, the text alone. When one fails, its price comes back and the text that was there stays (X18).
 */
export const makeRegenerateArticle =
  ({
    findDraft,
    findEnded,
    expireNow,
    briefOf,
    siteOf,
    purse,
    limitedWork,
    writeArticle,
    reviseArticle,
    keep,
  }: Deps) =>
  async (
    { key, userId, draftId, wish }: RegenerateArticleInput,
    signal: AbortSignal,
    report: (stage: ArticleStage) => void,
  ): Promise<ArticlePreview> => {
    const open = await findDraft(userId, draftId).catch(lostIfAway(key));
    if (!open) await expireNow(draftId);
    // Ended meanwhile: there is nothing to write any more, but the version may have been paid for before.
    const old = open ?? (await findEnded(userId, draftId).catch(lostIfAway(key)));
    const isBegun = old?.details.paying === key || old?.details.version === key;
    if (!old || (!open && !isBegun)) throw new DraftExpired(draftId);
    const { keyword, details } = old;
    const { final } = details;
    const own = details.ownPhotos ?? 0;
    const wanted = details.imagesWanted - own;
    // A version that was already kept under this key counted itself: the same one must be priced the same again.
    const before = old.regenerations - (details.version === key ? 1 : 0);
    const full = wish === undefined ? total(details.price) : details.price.text;
    const price = before < freeRegenerations ? 0 : full;
    const ownPurse = purse({ key, userId, draftId, keyword, price });
    const call = { key, userId, request: { draftId, ...(wish !== undefined && { wish }) }, signal };

    // Free versions are few for every article, and articles are limited already.
    const needs = price > 0 ? articleNeeds(wish === undefined ? wanted : 0, own) : { slots: {} };
    return limitedWork(call, needs, ownPurse, async (stage, lease) => {
      // As it is before the new version takes its place: a restart must not clear up the new one instead.
      const replaced = await stage('replaced', async () => {
        const current = await findDraft(userId, draftId);
        if (!current) throw new DraftExpired(draftId);
        if (wish !== undefined && !current.details.answer) throw new DraftNotEditable(`draft ${draftId}`);
        return {
          tokens: current.tokens,
          // A change by words keeps the pictures where they are.
          pictures: wish === undefined ? current.images.map(({ storage_path }) => storage_path) : [],
          ...(wish !== undefined && {
            revision: {
              wish,
              answer: current.details.answer!,
              pictures: [...current.images],
              imagesWanted: current.details.imagesWanted,
              ownPhotos: own,
            },
          }),
          telegraphPath: current.telegraph?.path ?? null,
        };
      });
      const order = await stage('order', async () => {
        const brief = await briefOf(userId, old.categoryId);
        if (!brief) throw new CategoryGone(old.categoryId);
        const site = old.connectionId === null ? {} : await siteOf(userId, old.connectionId, keyword, lease);
        return { ...toOrder(brief, keyword, wanted, own), ...site };
      });
      const run = { userId, stage, signal: lease, report };
      const draft = replaced.revision
        ? await reviseArticle(order, replaced.revision, run)
        : await writeArticle(order, run);
      report('preview');
      const content = toContent(draft, order.company.name, details.price);
      const kept = await keep.another({ key, userId, stage, signal: lease }, content, draftId, replaced);
      if (!kept) throw new DraftExpired(draftId);
      // A free version takes the place of pictures that were paid for: those it lacks are due back all the same.
      const due = wish !== undefined ? 0 : price > 0 ? wanted : replaced.pictures.length - own;
      const missing = Math.max(0, due - (draft.images.length - draft.ownPhotos)) * prices.image;
      const spent = price > 0 ? Math.max(0, price - missing) : -missing;
      return {
        // What was final before is final still: the new version takes the old one's place, not its charge.
        result: toPreview(
          { ...kept, details: { ...kept.details, ...(final !== undefined && { final }) } },
          {
            phrase: keyword,
            spent: Math.max(0, replaced.tokens - price + spent), // an admin's draft has been charged nothing
            returned: price - spent,
          },
        ),
        spent,
      };
    });
  };
