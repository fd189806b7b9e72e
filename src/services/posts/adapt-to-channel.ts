import type { AdaptPostInput } from '../../../machines/fragments/cross-post.ts';
import type { PostDraft } from '../../../machines/fragments/post-ports.ts';
import { CategoryGone, DraftExpired } from '../../errors.ts';
import { type PostPlatform, takesPosts } from '../../platforms/platforms.ts';
import { type Price, prices, settled, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Connection } from '../../store/connections.ts';
import type { DraftImage } from '../../store/draft.ts';
import type { PostContent, StoredPost } from '../../store/post-drafts.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import { type PictureStore, SIGNED_SECONDS } from '../pictures/picture-store.ts';
import { ChannelDisconnected } from './channel-disconnected.ts';
import type { AdaptPostInput as Adaptation } from './cross-post.ts';
import { takesPictures } from './place-of.ts';
import { OriginalGone } from './plan-cross-post.ts';
import { toContent, toDraft } from './post-draft.ts';
import type { Post } from './to-post.ts';

type Deps = {
  original(userId: number, publicationId: number): Promise<StoredPost | null>;
  briefOf(userId: number, categoryId: number, platform: PostPlatform): Promise<CategoryBrief | null>;
  findConnection(userId: number, connectionId: number): Promise<Connection | null>;
  purse(version: {
    key: string;
    userId: number;
    categoryId: number;
    connectionId: number;
    keyword: string;
    price: Price;
  }): Purse;
  limitedWork: LimitedWork;
  adaptPost(adaptation: Adaptation): Promise<Post>;
  pictures: Pick<PictureStore, 'read' | 'save' | 'signedUrl'>;
  /** Null when the draft was ended meanwhile. */
  fill(key: string, content: PostContent): Promise<number | null>;
  now?: () => number;
};

const confirmed: Price = { text: prices.crossPost, images: 0 };

/** A published post told anew for one more channel, with the picture it has; or the tokens back (E52). */
export const makeAdaptToChannel =
  ({
    original,
    briefOf,
    findConnection,
    purse,
    limitedWork,
    adaptPost,
    pictures,
    fill,
    now = Date.now,
  }: Deps) =>
  async (
    { key, userId, publicationId, connectionId }: AdaptPostInput,
    signal: AbortSignal,
  ): Promise<PostDraft> => {
    const [source, connection] = await Promise.all([
      original(userId, publicationId),
      findConnection(userId, connectionId),
    ]);
    if (!source) throw new OriginalGone(`publication ${publicationId} has no text any more`);
    if (!connection || !takesPosts(connection.platform))
      throw new ChannelDisconnected(`connection ${connectionId} is gone`);
    const { categoryId, keyword } = source;
    const { platform, identifier: place } = connection;
    const call = { key, userId, request: { publicationId, connectionId }, signal };
    const ownPurse = purse({ key, userId, categoryId, connectionId, keyword, price: confirmed });

    return limitedWork(call, { slots: { text_generation: 1 } }, ownPurse, async (stage, lease) => {
      const brief = await stage('order', async () => {
        const found = await briefOf(userId, categoryId, platform);
        if (!found) throw new CategoryGone(categoryId);
        return found;
      });
      const [image] = takesPictures(connection) ? source.images : [];
      const post = await adaptPost({
        ...{ brief, keyword, target: platform, userId, stage, signal: lease },
        original: { platform: source.details.platform, text: source.html, hasPicture: image !== undefined },
      });
      const picture = image
        ? await stage('picture', () => copied(image, `${userId}/${source.projectId}/${now()}_cross`))
        : null;
      const cost = settled(confirmed, { words: post.words, images: 0 });
      const content = toContent(post, picture, {
        ...{ place, keyword, price: cost, imagesWanted: image ? 1 : 0, kept: true, crossOf: source.id },
      });
      const id = await fill(key, content);
      if (id === null) throw new DraftExpired(key);
      const spent = total(cost);
      const draft = { ...content, id, regenerations: 0, tokens: spent };
      return { result: toDraft(draft, { returned: total(confirmed) - spent }), spent };
    });

    /** A copy, because what belongs to a draft goes when the draft goes. One whose bytes are lost is left out. */
    async function copied(image: DraftImage, path: string): Promise<DraftImage | null> {
      const bytes = await pictures.read(image.storage_path);
      if (!bytes) return null;
      const extension = image.storage_path.split('.').at(-1) ?? 'jpg';
      const copy = `${path}${connectionId}.${extension}`;
      await pictures.save(copy, bytes, extension === 'webp' ? 'image/webp' : 'image/jpeg');
      return { ...image, storage_path: copy, url: await pictures.signedUrl(copy, SIGNED_SECONDS) };
    }
  };
