import type { ArticlePreview, CancelDraftInput } from '../../machines/fragments/article-ports.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { PublishingData } from '../menu/publishing.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { makeSitePages } from '../platforms/wordpress/site-pages.ts';
import type { ArticleData } from '../screens/fragments/article-work.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { draftExpiredScreen, publicationNewsScreen } from '../screens/pages/publication-news.ts';
import { makeCancelDraft } from '../services/article/cancel-draft.ts';
import { type LocateArticle, makeConfirmPublication } from '../services/article/confirm-publication.ts';
import { makeDiscardDraft } from '../services/article/discard-draft.ts';
import { makeKeepDraft } from '../services/article/draft-preview.ts';
import { makeExpireDrafts } from '../services/article/expire-drafts.ts';
import { makeFinishPublications } from '../services/article/finish-publications.ts';
import { makeGenerateArticle } from '../services/article/generate-article.ts';
import { makeHoldPhrase } from '../services/article/hold-phrase.ts';
import { makeListPhrases } from '../services/article/list-phrases.ts';
import { makeOfferArticle } from '../services/article/offer-article.ts';
import { makeOpenDraft } from '../services/article/open-draft.ts';
import { makeSaveOwnAnswer } from '../services/article/own-answer.ts';
import { type ArticlePublisher, makePublishArticle } from '../services/article/publish-article.ts';
import { makeReadArticle } from '../services/article/read-article.ts';
import { makeRegenerateArticle } from '../services/article/regenerate-article.ts';
import { makeTakeHtml } from '../services/article/take-html.ts';
import { makeTidyPaidWork } from '../services/article/tidy-paid-work.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import { makeArticleDrafts } from '../store/article-drafts.ts';
import { makeBriefs } from '../store/briefs.ts';
import type { Categories } from '../store/categories.ts';
import { makeCategoryMaterials } from '../store/category-material.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import { makeDraftPurses } from '../store/draft-purses.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePublications } from '../store/publications.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  categories: Categories;
  connections: Connections;
  limits: RateLimits;
  keyValues: KeyValueStore;
  pictures: PictureStore;
  writing: Writing;
  publishers: Partial<Record<Platform, ArticlePublisher>>;
  locate: LocateArticle;
  /** Of connected sites: what articles may lead to. */
  sitePages: ReturnType<typeof makeSitePages>;
  /** Lets search engines know of a new page. */
  announce: Parameters<typeof makePublishArticle>[0]['announce'];
  /** Writes to a person who is not in the dialogue any more, if they want to hear of such things. */
  tell(userId: number, screen: Screen): Promise<void>;
  /** Whether whole articles are shown in the chat: only where people's messengers can show them. */
  showsArticles: boolean;
  log: Log;
};

/** Articles from the offer to the post: the services behind the flow, the pages around it, the cleanup behind both. */
export function composeArticles(ground: Ground) {
  const { sql, ledger, operations, categories, connections, limits, pictures } = ground;
  const { writing, publishers, sitePages, log } = ground;
  const briefs = makeBriefs(sql);
  const drafts = makeArticleDrafts(sql, ledger);
  const purses = makeDraftPurses(sql, ledger, drafts);
  const publications = makePublications(sql);
  const discard = makeDiscardDraft({ removePictures: pictures.remove, clearPage: writing.clearPage, log });
  const usesOf = (categoryId: number) => briefs.uses(categoryId, 'article');
  const briefOf = (userId: number, categoryId: number) => briefs.ofCategory(userId, categoryId, 'wordpress');
  const paidWork = makeTidyPaidWork(makePaidWork(operations), discard);
  const shared = {
    briefOf,
    siteOf,
    limitedWork: makeLimitedWork({
      limits,
      paidWork,
      log,
    }),
    writeArticle: writing.writeArticle,
    keep: makeKeepDraft({
      drafts,
      makePage: writing.makePage,
      showsPictures: writing.showsPictures,
      isSimilarToEarlier: publications.isSimilar,
      discard,
    }),
  };
  const cancelDraft = makeCancelDraft({ cancel: drafts.cancel, discard });
  const openDraft = makeOpenDraft({
    findDraft: drafts.find,
    placeOf: categories.place,
    listConnections: connections.list,
    balanceOf: ledger.balance,
  });
  const pages: Omit<
    PublishingData,
    | 'connections'
    | 'offerPost'
    | 'waitingPost'
    | 'hasOwnSettings'
    | 'automation'
    | 'isRefreshed'
    | 'canCrossPost'
    | 'hint'
    | 'putOffHint'
  > = {
    category: categories.place,
    offerArticle: offerFor('person'),
    waitingDraft: drafts.waiting,
    openDraft,
    cancelDraft: (userId, draftId) => cancelDraft({ userId, draftId }),
    confirmPublication: makeConfirmPublication({
      ...drafts,
      ...publications,
      discard,
      credentials: connections.credentials,
      locate: ground.locate,
      log,
    }),
    publication: publications.find,
  };
  const html = makeTakeHtml({
    findDraft: drafts.find,
    takeHtml: drafts.takeHtml,
    readPicture: pictures.read,
    expireNow,
  });
  const readArticle = makeReadArticle({ findDraft: drafts.find, readPicture: pictures.read });
  const publishArticle = makePublishArticle({
    operations,
    drafts,
    connections,
    publishers,
    readPicture: pictures.read,
    categoryName: async (userId, categoryId) =>
      (await categories.place(userId, categoryId))?.categoryName ?? null,
    notePublication: publications.note,
    announce: ground.announce,
    expireNow,
    discard,
    log,
  });
  return {
    drafts,
    pages,
    /** What the flow's screens show beside its context. */
    load,
    /** For schedules: without progress reports, and exempt from the person's hourly rate limits. */
    scheduled: {
      offerArticle: offerFor('schedule'),
      generate: makeGenerateArticle({
        ...shared,
        purse: purses.first,
        limitedWork: (call, _needs, purse, work) => paidWork(call, purse, work),
      }),
      publish: publishArticle,
      cancel: cancelDraft,
    },
    openDraft,
    services: {
      listPhrases: makeListPhrases({ briefOf, usesOf, earlierOf: publications.earlierArticles }),
      generateArticle: makeGenerateArticle({ ...shared, purse: purses.first }),
      regenerateArticle: makeRegenerateArticle({
        ...shared,
        purse: purses.another,
        reviseArticle: writing.reviseArticle,
        findDraft: drafts.find,
        findEnded: drafts.findEnded,
        expireNow,
      }),
      publishArticle,
      takeHtml: html.take,
      saveOwnAnswer: makeSaveOwnAnswer({ save: makeCategoryMaterials(sql).put }),
      cancelDraft: async (draft: CancelDraftInput) => ({ returned: (await cancelDraft(draft)) ?? 0 }),
    },
    expireDrafts: makeExpireDrafts({
      expire: drafts.expire,
      discard,
      notify: ({ userId, keyword, returned }) => ground.tell(userId, draftExpiredScreen(keyword, returned)),
      log,
    }),
    finishPublications: makeFinishPublications({
      ...drafts,
      publish: publishArticle,
      discard,
      tell: (userId, news) => ground.tell(userId, publicationNewsScreen(news)),
      log,
    }),
  };

  async function load(
    { userId, preview }: { userId: number; preview: ArticlePreview | null },
    state: string,
  ): Promise<ArticleData | undefined> {
    if (state === 'confirm_version') return { balance: (await ledger.balance(userId)) ?? 0 };
    if (state === 'preview') return { isReadable: ground.showsArticles };
    if (!preview) return undefined;
    if (state === 'html_taken') return { document: await html.documentOf(userId, preview.draftId) };
    if (state === 'reading_text') return { article: await readArticle(userId, preview.draftId) };
    return undefined;
  }

  function offerFor(who: 'person' | 'schedule') {
    return makeOfferArticle({
      briefOf,
      usesOf,
      earlierOf: publications.earlierArticles,
      placeOf: categories.place,
      findConnection: connections.find,
      balanceOf: ledger.balance,
      holdPhrase: makeHoldPhrase(ground.keyValues, who),
    });
  }

  /** The refund is committed before the person is told of it. */
  async function expireNow(draftId: number): Promise<void> {
    const { drafts: ended } = await drafts.expire({ only: draftId });
    for (const draft of ended) await discard(draft);
  }

  /** What the connection has learned of its site. */
  async function siteOf(userId: number, connectionId: number, phrase: string, signal: AbortSignal) {
    const connection = await connections.find(userId, connectionId);
    if (!connection) return {};
    const { schemaType } = connection.metadata;
    // An order is kept with its work: it names the few pages that count, not thousands.
    const ownLinks = await sitePages.nearest({ userId, connectionId, phrase }, signal);
    return {
      ...(ownLinks.length > 0 && { ownLinks }),
      ...(typeof schemaType === 'string' && { schemaType }),
    };
  }
}
