import type { AnalysisOffer, GapsAdded } from '../../machines/competitor-analysis.ts';
import type { AuditOffer } from '../../machines/site-audit.ts';
import { to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import {
  type AnalysisItem,
  type AuditPage,
  addingGaps,
  auditScreen,
  gapsNotice,
  type PastAnalysis,
  rivalScreen,
  rivalsScreen,
} from '../screens/pages/site-tools.ts';
import { missing, type Route, type RouteAnswer, route, slowAction } from './create-menu.ts';

/** Null everywhere: there is no such project or analysis. */
export type SiteToolsData = {
  page(userId: number, projectId: number): Promise<AuditPage | null>;
  auditOffer(userId: number, projectId: number): Promise<Omit<AuditOffer, 'isAdmin'> | 'no-site' | null>;
  analysisOffer(userId: number, projectId: number): Promise<Omit<AnalysisOffer, 'isAdmin'> | null>;
  analyses(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; timezone: string; analyses: AnalysisItem[] } | null>;
  analysis(userId: number, id: number): Promise<PastAnalysis | null>;
  addGaps(userId: number, analysisId: number, categoryId: number, key: string): Promise<GapsAdded | null>;
};

const projectList = to('nav:projects');

/** A look at the project's own site and at its competitors'. */
export function siteToolsRoutes(data: SiteToolsData): Route[] {
  return [
    route('project:{pid}:audit', async ({ pid }, { userId }) => {
      const page = await data.page(userId, pid);
      return page ? { show: auditScreen(page) } : missing(projectList);
    }),
    route('project:{pid}:audit:run', async ({ pid }, { userId, isAdmin }) => {
      const offer = await data.auditOffer(userId, pid);
      if (!offer) return missing(projectList);
      const origin = to('project:{pid}:audit', { pid });
      if (offer === 'no-site') return { open: origin };
      return { start: { flow: 'SiteAudit', input: { ...offer, isAdmin } }, origin };
    }),
    route('project:{pid}:competitor', async ({ pid }, { userId, isAdmin }) => {
      const offer = await data.analysisOffer(userId, pid);
      if (!offer) return missing(projectList);
      return {
        start: { flow: 'CompetitorAnalysis', input: { ...offer, isAdmin } },
        origin: to('project:{pid}:audit', { pid }),
      };
    }),
    route('project:{pid}:rivals', ({ pid }, { userId }) => rivals(userId, pid, 1)),
    route('page:rivals:{pid}:{n}', ({ pid, n }, { userId }) => rivals(userId, pid, n)),
    route('rival:{n}:card', ({ n }, { userId }) => rival(userId, n, false)),
    route('rival:{n}:file', ({ n }, { userId }) => rival(userId, n, true)),
    slowAction('rival:{n}:gaps:{cid}', addingGaps, async ({ n, cid }, { userId }, key) => {
      const added = await data.addGaps(userId, n, cid, key);
      if (!added) return missing(projectList);
      return { open: to('rival:{n}:card', { n }), notice: gapsNotice(added) };
    }),
  ];

  async function rivals(userId: number, pid: number, page: number): Promise<RouteAnswer> {
    const found = await data.analyses(userId, pid);
    return found ? { show: rivalsScreen(pid, found, paginate(found.analyses, page)) } : missing(projectList);
  }

  async function rival(userId: number, id: number, withFile: boolean): Promise<RouteAnswer> {
    const analysis = await data.analysis(userId, id);
    return analysis ? { show: rivalScreen(analysis, withFile) } : missing(projectList);
  }
}
