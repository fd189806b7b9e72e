import { type ArticleOffer, mostPictures } from '../../../machines/fragments/article-order.ts';
import { articleEstimate, prices } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Connection } from '../../store/connections.ts';
import { type Choice, chooseCluster, type Use } from '../quality/choose-cluster.ts';
import { type EarlierArticle, findClash } from './find-clash.ts';
import type { HoldPhrase } from './hold-phrase.ts';
import { shownOf } from './own-answer.ts';

type Deps = {
  briefOf(userId: number, categoryId: number): Promise<CategoryBrief | null>;
  usesOf(categoryId: number): Promise<Use[]>;
  /** What the project has published or drafted. */
  earlierOf(userId: number, categoryId: number): Promise<EarlierArticle[]>;
  placeOf(userId: number, categoryId: number): Promise<{ projectName: string } | null>;
  findConnection(userId: number, connectionId: number): Promise<Connection | null>;
  balanceOf(userId: number): Promise<number | null>;
  holdPhrase: HoldPhrase;
  now?: () => Date;
};

export type Offer =
  | { offer: ArticleOffer }
  /** E16: nothing to write about. E40: nothing that an article could be about. */
  | { blocked: 'no-phrases' | 'no-article-phrases' }
  | { missing: true };

/** What would be written next for this category and site, and what it would cost. Nothing is charged. Without a site it would be a preview alone. */
export const makeOfferArticle =
  ({
    briefOf,
    usesOf,
    earlierOf,
    placeOf,
    findConnection,
    balanceOf,
    holdPhrase,
    now = () => new Date(),
  }: Deps) =>
  async (
    userId: number,
    categoryId: number,
    connectionId: number | null,
    isAdmin: boolean,
    wanted: string | null = null,
    /** Kept for other publications to come. */
    held: readonly Use[] = [],
  ): Promise<Offer> => {
    const [brief, place, connection, uses, balance, earlier] = await Promise.all([
      briefOf(userId, categoryId),
      placeOf(userId, categoryId),
      connectionId === null ? null : findConnection(userId, connectionId),
      usesOf(categoryId),
      balanceOf(userId),
      earlierOf(userId, categoryId),
    ]);
    if (!brief || !place) return { missing: true };
    if (connectionId !== null && connection?.projectId !== brief.projectId) return { missing: true };
    if (brief.keywords.length === 0) return { blocked: 'no-phrases' };
    const choice = await heldChoice(brief, [...uses, ...held], wanted);
    if (!choice) return { blocked: 'no-article-phrases' };
    const price = articleEstimate(brief.text.words, brief.images.count);
    return {
      offer: {
        categoryId,
        categoryName: brief.topic.name,
        projectId: brief.projectId,
        projectName: place.projectName,
        connectionId,
        site: connection?.identifier ?? null,
        phrase: choice.mainPhrase,
        volume: choice.demand,
        clusters: choice.cluster ? choice.fresh : 0,
        images: brief.images.count,
        text: price.text,
        pictures: price.images,
        picturePrice: prices.image,
        balance: balance ?? 0,
        isAdmin,
        reused: choice.reused,
        ownPhotos: Math.min(brief.photos.length, mostPictures),
        ...(brief.topic.knows && { knows: shownOf(brief.topic.knows) }),
        ...(brief.topic.avoid && { avoid: shownOf(brief.topic.avoid) }),
        clash: findClash(choice.mainPhrase, brief.keywords, earlier),
      },
    };

    /** The first phrase without a reservation by another, or the first of all. A phrase that the person chose is not checked. */
    async function heldChoice(
      { keywords, projectId }: CategoryBrief,
      uses: readonly Use[],
      named: string | null,
    ): Promise<Choice | null> {
      const at = now();
      const first = chooseCluster(keywords, 'article', uses, at, named);
      const held: Use[] = [];
      for (let choice = first; choice && !choice.reused; ) {
        const isOurs = await holdPhrase(choice.mainPhrase, { projectId, categoryId });
        if (isOurs || choice.mainPhrase === named) return choice;
        held.push({ keyword: choice.mainPhrase, at });
        choice = chooseCluster(keywords, 'article', [...uses, ...held], at);
      }
      return first;
    }
  };
