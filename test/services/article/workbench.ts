import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, inject } from 'vitest';
import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import { writeAnswer } from '../../../src/sandbox/openrouter/author/write-answer.ts';
import { type StandInsByName, startSupplierStandIns } from '../../../src/sandbox/supplier-stand-ins.ts';
import type { Screen } from '../../../src/screens/kit/screen.ts';
import type { ArticleAnswer } from '../../../src/services/ai/answers.ts';
import type { LocateArticle } from '../../../src/services/article/confirm-publication.ts';
import type { ArticlePublisher } from '../../../src/services/article/publish-article.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { anArticleCustomer, type CustomerOptions, HOST } from '../../support/article-customer.ts';
import { articleWorks, noKeys } from '../../support/article-works.ts';
import { type DatabaseKind, freshDatabase, opening } from '../../support/stores.ts';

export type Workbench = Awaited<ReturnType<typeof openWorkbench>>;
export type Customer = Awaited<ReturnType<Workbench['aCustomer']>>;
type Retouch = (answer: never) => unknown;

/** Open for a whole file; between two tests everything that a test has set is as it was. */
export function workbench(kind: DatabaseKind = 'PGlite'): () => Workbench {
  const bench = opening(() => openWorkbench(kind));
  afterEach(() => bench().reset());
  return bench;
}

/** The way of an article through the real clients, against stand-ins that speak the suppliers' protocols. */
async function openWorkbench(kind: DatabaseKind) {
  const database = await freshDatabase(kind);
  const { sql } = database;
  const retouched = new Map<string, Retouch>();
  const standIns = await startSupplierStandIns(noKeys, {
    modelThinksMs: 0,
    author: {
      writeAnswer(request) {
        const answer = writeAnswer(request);
        return retouched.get(request.task)?.(answer as never) ?? answer;
      },
      drawPicture: async () => tinyPng(16, 9),
    },
  });
  const { openRouter, firecrawl, serper, telegraph } = standIns.byName as StandInsByName;
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const posts: Parameters<ArticlePublisher>[2][] = [];
  const told: { userId: number; screen: Screen }[] = [];
  let publish: ArticlePublisher = sent;
  let locate: LocateArticle = nowhere;
  let earlier = new Set<unknown>();
  const works = await articleWorks({
    sql,
    suppliers: standIns.suppliers,
    folder: await mkdtemp(join(inject('scratchDir'), 'pictures-')),
    log,
    publish: (...call) => publish(...call),
    locate: (...call) => locate(...call),
    tell: async (userId, screen) => void told.push({ userId, screen }),
  });
  // The thread that finishes articles takes seconds to start: not at the expense of the first test.
  await (await aCustomer({ images: 0 })).generate();
  await reset();
  return {
    sql,
    works,
    openRouter,
    firecrawl,
    serper,
    telegraph,
    /** What reached the site. */
    posts,
    /** Who was told of what happened while they were elsewhere. */
    told,
    logged: (message: string) => lines.filter(({ msg }) => msg === message),
    asked: (task?: string) =>
      openRouter.requests().filter((seen) => !earlier.has(seen) && (!task || seen.task === task)),
    /** Changes what the model says for a task. */
    retouch: <Said = ArticleAnswer>(task: string, change: (answer: Said) => unknown) =>
      void retouched.set(task, change),
    publishes: (by: ArticlePublisher) => {
      publish = by;
    },
    locates: (by: LocateArticle) => {
      locate = by;
    },
    aCustomer,
    reset,
    close,
  };

  async function aCustomer(options: CustomerOptions = {}) {
    const customer = await anArticleCustomer(sql, options);
    const { userId, categoryId, connectionId } = customer;
    const unstopped = new AbortController().signal;
    return {
      ...customer,
      offer,
      accept,
      /** From the offer to the preview. */
      generate: async (name?: string, signal?: AbortSignal) => accept(await offer(), name, signal),
      regenerate: (draftId: number, name: string, wish?: string, signal = unstopped) =>
        works.services.regenerateArticle(
          { key: keyOf(name), userId, draftId, ...(wish !== undefined && { wish }) },
          signal,
          () => undefined,
        ),
      publish: (draftId: number, name = 'publish', signal = unstopped) =>
        publishOn(HOST, draftId, name, signal),
      publishOn,
      confirm: (draftId: number) => works.pages.confirmPublication(userId, draftId),
      cancel: (draftId: number) => works.services.cancelDraft({ userId, draftId }),
    };

    function publishOn(site: string, draftId: number, name = `publish:${site}`, signal = unstopped) {
      return works.services.publishArticle({ key: keyOf(name), userId, draftId, site }, signal);
    }

    async function offer(): Promise<ArticleOffer> {
      const made = await works.pages.offerArticle(userId, categoryId, connectionId, options.isAdmin ?? false);
      if (!('offer' in made)) throw new Error(`no offer: ${JSON.stringify(made)}`);
      return made.offer;
    }

    function accept(accepted: ArticleOffer, name = 'generate', signal = unstopped) {
      const input = { key: keyOf(name), userId, offer: accepted };
      return works.services.generateArticle(input, signal, () => undefined);
    }

    /** Nobody else's. */
    function keyOf(name: string): string {
      return `${userId}:${name}`;
    }
  }

  async function nowhere() {
    return null;
  }

  /** A post that was made is not made again: that much is every publisher's own business. */
  async function sent(...[, , content, { stage }]: Parameters<ArticlePublisher>) {
    await stage('post', async () => posts.push(content));
    const url = `https://kuhni-plus.example/${content.slug}`;
    return { outcome: 'sent' as const, providerMessageId: '1', url, warnings: [], raw: null };
  }

  async function reset(): Promise<void> {
    for (const { faults } of standIns.standIns) faults.clear();
    openRouter.moods.clear();
    firecrawl.moods.clear();
    retouched.clear();
    publish = sent;
    locate = nowhere;
    for (const list of [lines, posts, told]) list.length = 0;
    earlier = new Set(openRouter.requests());
    await sql`delete from key_values`;
  }

  async function close(): Promise<void> {
    await works.close();
    await standIns.close();
    await database.close();
  }
}
