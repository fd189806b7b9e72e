import { createDataForSeo } from '../clients/dataforseo.ts';
import { createFirecrawl } from '../clients/firecrawl.ts';
import type { GuardedFetch } from '../clients/http/guarded-fetch.ts';
import { createSupplier } from '../clients/http/supplier.ts';
import { createOpenRouter } from '../clients/openrouter.ts';
import { createPageSpeed } from '../clients/pagespeed.ts';
import { createSerper } from '../clients/serper.ts';
import { createTelegraph } from '../clients/telegraph.ts';
import { createWordstat } from '../clients/yandex-wordstat.ts';
import type { SupplierSettings } from '../config.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import { AiFailed } from '../errors.ts';
import type { Log } from '../log.ts';
import type { AskModel, DrawPicture, NoteCost } from '../services/ai/ask.ts';
import { makeAskModel } from '../services/ai/ask-model.ts';
import { makeDrawPicture } from '../services/ai/draw-picture.ts';
import { type ActivePrompt, makeRenderPrompt } from '../services/ai/render-prompt.ts';
import { makeGatherSources } from '../services/article/gather-sources.ts';
import { makeResearchTopic } from '../services/article/research-topic.ts';
import { makeReviseArticle } from '../services/article/revise-article.ts';
import { makeWriteArticle } from '../services/article/write-article.ts';
import { makeGenerateKeywords } from '../services/keywords/generate-keywords.ts';
import { joinSuppliers } from '../services/keywords/join-suppliers.ts';
import type { ModelKind } from '../services/monitor/model-failures.ts';
import { makeCopyPhotos, makeReadReferences } from '../services/pictures/copy-photos.ts';
import { makeDrawPictures } from '../services/pictures/draw-pictures.ts';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import { makeAdaptPost } from '../services/posts/cross-post.ts';
import { makeWritePost } from '../services/posts/write-post.ts';
import { makeIsThere } from '../services/site/is-there.ts';
import { createContentDesk } from '../workers/content-desk.ts';

export type Writing = ReturnType<typeof composeWriting>;

const PING_MS = 5_000;

type Ground = {
  suppliers: SupplierSettings;
  publicUrl: string | undefined;
  /** For addresses of people's own sites. */
  fetch: GuardedFetch;
  cache: KeyValueStore;
  pictures: PictureStore;
  /** Whether browsers reach the pictures where they are kept. */
  showsPictures?: boolean;
  activePrompt: ActivePrompt;
  noteCost: NoteCost;
  /** Sees how every question to a model ends. */
  watched?: Watched;
  log: Log;
};

type Watched = <Args extends unknown[], Result>(
  kind: ModelKind,
  ask: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

/** The suppliers and what is written with them: the brain of the product, for the bot and for the command line. */
export function composeWriting({
  suppliers,
  publicUrl,
  fetch,
  cache,
  pictures,
  showsPictures = true,
  activePrompt,
  noteCost,
  watched = (_, ask) => ask,
  log,
}: Ground) {
  const { openRouter, dataForSeo, yandex, firecrawl, serper, pageSpeed, telegraph } = suppliers;
  const renderPrompt = makeRenderPrompt({ activePrompt });
  const access = openRouter && {
    openRouter: createOpenRouter({ ...openRouter, referer: publicUrl, log }),
    renderPrompt,
    noteCost,
    log,
  };
  const ask: AskModel = access ? (watched('texts', makeAskModel(access)) as AskModel) : switchedOff;
  const draw: DrawPicture = access ? watched('pictures', makeDrawPicture(access)) : switchedOff;

  const reader = firecrawl && createFirecrawl({ ...firecrawl, cache, noteCost, log });
  const searcher = serper && createSerper({ ...serper, cache, log });
  const search = searcher?.search;
  const wordstat = yandex && createWordstat({ ...yandex, cache, noteCost, log });
  const keywordData = joinSuppliers(
    wordstat,
    dataForSeo && createDataForSeo({ ...dataForSeo, noteCost, log }),
  );
  const audits = pageSpeed && createPageSpeed({ ...pageSpeed, log });
  const previews = telegraph && createTelegraph({ ...telegraph, cache, log });

  const models =
    openRouter &&
    createSupplier({
      name: 'OpenRouter',
      baseUrl: openRouter.baseUrl,
      headers: { authorization: `Bearer ${openRouter.apiKey}` },
    });

  const readPage = reader ? reader.scrape : async () => null;
  const mapSite = reader ? reader.map : async () => [];
  const isThere = makeIsThere(fetch);
  const desk = createContentDesk({ log });
  const gatherSources = makeGatherSources({
    searchWeb: search ?? (async () => null),
    readPage,
    mapSite,
    isThere,
    research: makeResearchTopic({ ask, cache, log }),
    log,
  });
  const drawPictures = makeDrawPictures({ draw, store: pictures, askDirector: ask, log, clock: Date.now });

  return {
    /** Null: there is no supplier to ask. */
    pingModels: models && (() => models.once('/models', { timeoutMs: PING_MS })),
    ask,
    /** For services that choose the model themselves. Null: no provider is configured. */
    modelAccess: access,
    drawPictures,
    keywordData,
    /** Null: no supplier counts by months. */
    seasonOf: wordstat ? wordstat.season : null,
    /** Null: no supplier counts by cities. */
    placesOf: wordstat ? wordstat.places : null,
    /** Without a search service no position is known. */
    addressesFor: searcher ? searcher.addressesFor : async () => null,
    readPage,
    mapSite,
    isThere,
    readBranding: reader ? reader.branding : async () => null,
    /** Null: no reader is connected. */
    readHome: reader ? reader.readHome : null,
    extractCompetitor: reader ? reader.extractCompetitor : async () => null,
    audit: audits ? audits.audit : async () => null,
    clearPage: previews ? previews.clearPage : async () => false,
    makePage,
    showsPictures,
    gatherSources,
    finish: desk.finish,
    writeArticle: makeWriteArticle({
      gatherSources,
      ask,
      drawPictures,
      copyPhotos: makeCopyPhotos({ store: pictures, log }),
      readReferences: makeReadReferences({ store: pictures, log }),
      finish: desk.finish,
      log,
    }),
    reviseArticle: makeReviseArticle({ gatherSources, ask, finish: desk.finish }),
    writePost: makeWritePost({ ask, log }),
    adaptPost: makeAdaptPost({ ask }),
    generateKeywords: makeGenerateKeywords({ dataForSeo: keywordData, ask, log }),
    close: desk.close,
  };

  async function makePage(
    { title, authorName, html }: { title: string; authorName: string; html: string },
    signal: AbortSignal,
  ) {
    if (!previews) return null;
    const nodes = await desk
      .layOut(showsPictures ? html : withoutPictures(html), { signal })
      .catch((err: unknown) => {
        signal.throwIfAborted();
        log.warn({ err }, 'a preview page could not be laid out');
        return null; // the article is none the worse for it (E05)
      });
    return nodes && previews.createPage({ title, authorName, nodes }, { signal });
  }
}

/** A frame with nothing in it is worse than no picture. The HTML is our own: no figure has attributes or a figure inside. */
const withoutPictures = (html: string): string =>
  html.replace(/<figure>[\s\S]*?<\/figure>|<img\b[^>]*>/gu, '');

/** Without a key nothing is written; the start log says so. */
function switchedOff(): Promise<never> {
  return Promise.reject(new AiFailed('unavailable', 'OPENROUTER_API_KEY is not set'));
}
