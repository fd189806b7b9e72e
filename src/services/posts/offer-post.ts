import type { PostOffer } from '../../../machines/fragments/post-ports.ts';
import { type PostPlatform, postRulesOf, takesPosts } from '../../platforms/platforms.ts';
import { postEstimate } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Connection } from '../../store/connections.ts';
import { chooseCluster, type Use } from '../quality/choose-cluster.ts';
import { placeOf, takesPictures } from './place-of.ts';

type Deps = {
  briefOf(userId: number, categoryId: number, platform: PostPlatform): Promise<CategoryBrief | null>;
  usesOf(categoryId: number): Promise<Use[]>;
  findConnection(userId: number, connectionId: number): Promise<Connection | null>;
  balanceOf(userId: number): Promise<number | null>;
  now?: () => Date;
};

export type OfferedPost =
  | { offer: PostOffer }
  /** E16: nothing to write about. */
  | { blocked: 'no-phrases' }
  | { missing: true };

/** What would be written next for this category and channel, and what it would cost. Nothing is charged. */
export const makeOfferPost =
  ({ briefOf, usesOf, findConnection, balanceOf, now = () => new Date() }: Deps) =>
  async (
    userId: number,
    categoryId: number,
    connectionId: number,
    isAdmin: boolean,
    wanted: string | null = null,
    /** Kept for other publications to come. */
    held: readonly Use[] = [],
  ): Promise<OfferedPost> => {
    const connection = await findConnection(userId, connectionId);
    if (!connection || !takesPosts(connection.platform)) return { missing: true };
    const { platform } = connection;
    const [brief, uses, balance] = await Promise.all([
      briefOf(userId, categoryId, platform),
      usesOf(categoryId),
      balanceOf(userId),
    ]);
    if (connection.projectId !== brief?.projectId) return { missing: true };
    const choice = chooseCluster(brief.keywords, 'social_post', [...uses, ...held], now(), wanted);
    if (!choice) return { blocked: 'no-phrases' };
    const isBare = brief.images.count > 0 && !takesPictures(connection);
    const images = isBare ? 0 : picturesOf(platform, brief.images.count);
    const price = postEstimate(brief.text.words, images);
    const place = placeOf(connection);
    return {
      offer: {
        categoryId,
        categoryName: brief.topic.name,
        projectId: brief.projectId,
        projectName: connection.projectName,
        connectionId,
        platform,
        place: place.name,
        placeUrl: place.url,
        phrase: choice.mainPhrase,
        images,
        text: price.text,
        pictures: price.images,
        balance: balance ?? 0,
        isAdmin,
        reused: choice.reused,
        ...(isBare && { isBare: true as const }),
      },
    };
  };

/** A post has one picture at most; a pin is nothing without it. */
export const picturesOf = (platform: PostPlatform, wanted: number): number =>
  postRulesOf(platform).picture === 'required' ? 1 : Math.min(1, wanted);
