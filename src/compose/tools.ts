import { createGuardedFetch, type GuardedFetch } from '../clients/http/guarded-fetch.ts';
import type { Operations } from '../engine/operations.ts';
import { NotFound } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SiteToolsData } from '../menu/site-tools.ts';
import { prices } from '../prices.ts';
import { date } from '../russian.ts';
import { hostOf } from '../screens/kit/competitor-report.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeAddGaps } from '../services/site/add-gaps.ts';
import { makeAnalyseCompetitor } from '../services/site/analyse-competitor.ts';
import { drawAuditCard } from '../services/site/audit-card.ts';
import { makeOrderAnalysis } from '../services/site/order-analysis.ts';
import { makeOrderAudit } from '../services/site/order-audit.ts';
import { makeReachPage } from '../services/site/reach-page.ts';
import { makeReadSite } from '../services/site/read-site.ts';
import { makeCategoryKeywords } from '../store/category-keywords.ts';
import { makeCompetitorAnalyses } from '../store/competitor-analyses.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePurse } from '../store/purse.ts';
import { type KnownSite, makeSiteKnowledge } from '../store/site-knowledge.ts';
import { composeContentSettings } from './content-settings.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  limits: RateLimits;
  fetch: GuardedFetch;
  /** Of the played web; null: the web itself. */
  gateway: string | null;
  writing: Pick<Writing, 'ask' | 'audit' | 'readPage' | 'readHome' | 'extractCompetitor' | 'keywordData'>;
  log: Log;
};

/** A look at the project's own site and at its competitors': the services behind both flows, and their pages. */
/** As many as the report shows buttons for. */
const CATEGORIES_OFFERED = 5;

export function composeTools({ sql, ledger, operations, limits, fetch, gateway, writing, log }: Ground) {
  const analyses = makeCompetitorAnalyses(sql);
  const knowledge = makeSiteKnowledge(sql);
  const keywords = makeCategoryKeywords(sql);
  const paid = {
    purse: makePurse(sql, ledger),
    limitedWork: makeLimitedWork({ limits, paidWork: makePaidWork(operations), log }),
    operations,
  };
  const numbersOf = async (phrases: readonly string[], userId: number, signal?: AbortSignal) =>
    (await writing.keywordData?.volumes(phrases, { userId, ...(signal && { signal }) }))?.phrases ?? [];
  const { readSite, profileOf } = makeReadSite({
    ...{ operations, limits, numbersOf, log },
    ...{ readHome: writing.readHome, ask: writing.ask },
  });
  const addGaps = makeAddGaps({
    gapsOf: analyses.gapsOf,
    numbersOf,
    category: keywords.customer,
    change: keywords.change,
    operations,
  });
  const siteTools: SiteToolsData = {
    page,
    async auditOffer(userId, projectId) {
      const site = await knowledge.siteOf(userId, projectId);
      if (!site) return null;
      const { projectName, balance, url } = site;
      return url === null ? 'no-site' : { projectId, projectName, url, balance, price: prices.audit };
    },
    async analysisOffer(userId, projectId) {
      const customer = await analyses.customer(userId, projectId);
      if (!customer) return null;
      // The offer goes into the run's context, which stays small however many categories a project has.
      const categories = customer.categories.slice(0, CATEGORIES_OFFERED);
      return { ...customer, categories, price: prices.competitorAnalysis };
    },
    analyses: analyses.list,
    analysis: analyses.find,
    addGaps: (userId, analysisId, categoryId, key) =>
      addGaps({ key: `${key}:gaps`, userId, analysisId, categoryId }).catch((error: unknown) => {
        if (error instanceof NotFound) return null;
        throw error;
      }),
  };
  return {
    profileOf,
    pages: { siteTools, contentSettings: composeContentSettings(sql) },
    services: {
      readSite,
      // The gateway is an address of ours on this machine, not one that a person typed.
      reachPage: makeReachPage({
        fetch: gateway === null ? fetch : createGuardedFetch({ allowPrivate: true }),
        gateway,
      }),
      analyseCompetitor: makeOrderAnalysis({
        ...paid,
        briefOf: analyses.briefOf,
        save: analyses.insert,
        analyse: makeAnalyseCompetitor({
          readPage: writing.readPage,
          extract: writing.extractCompetitor,
          ask: writing.ask,
          log,
        }),
      }),
      addGaps,
      auditSite: makeOrderAudit({ ...paid, audit: writing.audit, save: knowledge.saveAudit }),
    },
  };

  async function page(userId: number, projectId: number) {
    const site = await knowledge.siteOf(userId, projectId);
    return site && { ...site, picture: await drawn(site) };
  }

  /** The numbers stand in the text as well: without the picture the page is only plainer. */
  async function drawn({ audit, timezone }: KnownSite): Promise<Uint8Array | null> {
    if (!audit) return null;
    const day = (at: string) => date(new Date(at), timezone);
    const { url, at, figures, previous } = audit;
    try {
      return await drawAuditCard({
        site: hostOf(url),
        date: day(at),
        figures,
        earlier: previous && { date: day(previous.at), figures: previous.figures },
      });
    } catch (err) {
      log.warn({ err, url }, 'an audit could not be drawn');
      return null;
    }
  }
}
