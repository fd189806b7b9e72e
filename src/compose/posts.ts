import type { PostDraftInput, PublishPostInput } from '../../machines/fragments/post-ports.ts';
import type { PostSlice } from '../../machines/fragments/post-work.ts';
import type { Operations } from '../engine/operations.ts';
import { AppError, DraftExpired } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PostsData } from '../menu/posts.ts';
import type { PostPlatform } from '../platforms/platforms.ts';
import type { PostPublisher } from '../platforms/post-publisher.ts';
import type { PostData } from '../screens/fragments/post-work.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { type PostNews, postNewsScreen } from '../screens/pages/posts.ts';
import { makeCancelDraft } from '../services/article/cancel-draft.ts';
import { makeDiscardDraft } from '../services/article/discard-draft.ts';
import { makeExpireDrafts } from '../services/article/expire-drafts.ts';
import { makeTidyPaidWork } from '../services/article/tidy-paid-work.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import { toJpeg } from '../services/pictures/process-picture.ts';
import { makeAdaptToChannel } from '../services/posts/adapt-to-channel.ts';
import { makeComposePost } from '../services/posts/compose-post.ts';
import { makeFinishPosts } from '../services/posts/finish-posts.ts';
import { makeGeneratePost } from '../services/posts/generate-post.ts';
import { makeMovePost } from '../services/posts/move-post.ts';
import { makeOfferPost } from '../services/posts/offer-post.ts';
import { makeOpenPost } from '../services/posts/open-post.ts';
import { placeOf } from '../services/posts/place-of.ts';
import { makePlanCrossPost } from '../services/posts/plan-cross-post.ts';
import { toShown } from '../services/posts/post-draft.ts';
import { makePublishDraft } from '../services/posts/publish-draft.ts';
import { makeRegeneratePost } from '../services/posts/regenerate-post.ts';
import { makeSavePostText } from '../services/posts/save-post-text.ts';
import { makeBriefs } from '../store/briefs.ts';
import type { Categories } from '../store/categories.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import { makeDraftPurses } from '../store/draft-purses.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePostDrafts } from '../store/post-drafts.ts';
import { makePublications } from '../store/publications.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  categories: Categories;
  connections: Connections;
  limits: RateLimits;
  pictures: PictureStore;
  writing: Pick<Writing, 'writePost' | 'drawPictures' | 'adaptPost'>;
  publishers: Readonly<Record<PostPlatform, PostPublisher | null>>;
  /** Writes to a person who is not in the dialogue any more, if they want to hear of such things. */
  tell(userId: number, screen: Screen): Promise<void>;
  log: Log;
};

/** Posts from the offer to the channel: the services behind the flow, the pages around it, the cleanup behind both. */
export function composePosts(ground: Ground) {
  const { sql, ledger, operations, categories, connections, limits, pictures, writing, publishers, log } =
    ground;
  const briefs = makeBriefs(sql);
  const drafts = makePostDrafts(sql, ledger);
  const purses = makeDraftPurses(sql, ledger, drafts);
  const publications = makePublications(sql);
  const discard = makeDiscardDraft({
    removePictures: pictures.remove,
    clearPage: async () => false,
    log,
  });
  const paidWork = makeTidyPaidWork(makePaidWork(operations), discard);
  const shared = {
    briefOf: briefs.ofCategory,
    limitedWork: makeLimitedWork({ limits, paidWork, log }),
    composePost: makeComposePost(writing),
  };
  const cancelPost = makeCancelDraft({ cancel: drafts.cancel, discard });
  const publishPost = makePublishDraft({
    operations,
    drafts,
    connections,
    publishers,
    readPicture: pictures.read,
    notePublication: publications.note,
    expireNow,
    returnPicture: purses.returnPicture,
    log,
  });
  const pages: PostsData = {
    category: categories.place,
    connections: connections.list,
    channel,
    offerPost: makeOfferPost({
      briefOf: briefs.ofCategory,
      usesOf: (categoryId) => briefs.uses(categoryId, 'social_post'),
      findConnection: connections.find,
      balanceOf: ledger.balance,
    }),
    openPost: makeOpenPost({
      findDraft: drafts.find,
      placeOfCategory: categories.place,
      listConnections: connections.list,
      balanceOf: ledger.balance,
    }),
    ...makeMovePost({ findDraft: drafts.find, listConnections: connections.list, move: drafts.move }),
    confirmPost: confirm,
    cancelPost: (userId, draftId) => cancelPost({ userId, draftId }),
  };
  const planCrossPost = makePlanCrossPost({
    ...{ original: drafts.original, servedBy: drafts.servedBy },
    listConnections: connections.list,
    balanceOf: ledger.balance,
  });
  const firstVersion = {
    ...shared,
    findConnection: connections.find,
    purse: purses.first,
    fill: drafts.fill,
    isSimilarToEarlier: publications.isSimilar,
  };
  return {
    drafts,
    pages,
    /** For schedules: without progress reports, and exempt from the person's hourly rate limits. */
    scheduled: {
      offerPost: pages.offerPost,
      generate: makeGeneratePost({
        ...firstVersion,
        limitedWork: (call, _needs, purse, work) => paidWork(call, purse, work),
      }),
      publish: publishPost,
      keep: drafts.keep,
      cancel: cancelPost,
    },
    waitingPost: drafts.waiting,
    /** Whether a published post can go to other channels as well. */
    canCrossPost: (userId: number, publicationId: number): Promise<boolean> =>
      planCrossPost({ userId, publicationId }).then(
        () => true,
        (error) => {
          if (error instanceof AppError) return false;
          throw error;
        },
      ),
    services: {
      planCrossPost,
      adaptPost: makeAdaptToChannel({
        ...shared,
        ...{ original: drafts.original, findConnection: connections.find, fill: drafts.fill },
        ...{ adaptPost: writing.adaptPost, pictures },
        purse: (version) => purses.first({ ...version, as: 'cross_post' }),
      }),
      generatePost: makeGeneratePost(firstVersion),
      regeneratePost: makeRegeneratePost({
        ...shared,
        purse: purses.another,
        findDraft: drafts.find,
        findEnded: drafts.findEnded,
        replace: drafts.replace,
        discard,
      }),
      savePostText: makeSavePostText({ findDraft: drafts.find, reword: drafts.reword }),
      publishPost,
      async confirmPost({ userId, draftId }: PostDraftInput) {
        const confirmed = await confirm(userId, draftId);
        if (!confirmed) throw new DraftExpired(draftId);
        return { ...confirmed, url: null, warnings: [] };
      },
      cancelPost: async (draft: PostDraftInput) => ({ returned: (await cancelPost(draft)) ?? 0 }),
    },
    load,
    expirePosts: makeExpireDrafts({
      expire: drafts.expire,
      discard,
      // Of a post that its person left nothing comes back, and nothing is said (E27).
      notify: async ({ userId, keyword, returned }) => {
        if (returned > 0) await ground.tell(userId, postNewsScreen({ kind: 'expired', keyword, returned }));
      },
      log,
    }),
    finishPosts: makeFinishPosts({
      ...drafts,
      publish: (input: PublishPostInput, signal: AbortSignal) => publishPost(input, signal),
      findDraft: drafts.findEnded,
      findConnection: connections.find,
      tell: (userId: number, news: PostNews) => ground.tell(userId, postNewsScreen(news)),
      log,
    }),
  };

  /** What the screens of a post show beside the context. */
  async function load(
    { userId, post: { draft } }: { userId: number; post: Pick<PostSlice['post'], 'draft'> },
    state: string,
  ): Promise<PostData> {
    const stored = state === 'review' && draft ? await drafts.find(userId, draft.draftId) : null;
    const [image] = stored?.images ?? [];
    const bytes = image ? await pictures.read(image.storage_path) : null;
    return {
      post: stored && {
        ...toShown(stored),
        picture: bytes && { bytes: await toJpeg(bytes), name: 'post.jpg' },
      },
      balance: state === 'regenerate_cost' ? await ledger.balance(userId) : null,
    };
  }

  /** The owner has seen it in the channel. Null: nothing to confirm; or the publication, unless its project is gone. */
  async function confirm(userId: number, draftId: number) {
    const draft = await drafts.confirm(userId, draftId);
    return draft && { publicationId: draft.publicationId };
  }

  async function channel(userId: number, connectionId: number) {
    const connection = await connections.find(userId, connectionId);
    const project = connection && (await categories.list(userId, connection.projectId));
    if (!project) return null;
    const { id, projectId } = connection;
    return { channel: { id, projectId, name: placeOf(connection).name }, categories: project.categories };
  }

  /** The refund is committed before the person is told of it. */
  async function expireNow(draftId: number): Promise<void> {
    const { drafts: ended } = await drafts.expire({ only: draftId });
    for (const draft of ended) await discard(draft);
  }
}
