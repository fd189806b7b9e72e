import type { Visitor } from '../engine/menu.ts';
import { to } from '../screens/kit/link.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { toasts } from '../screens/kit/system.ts';
import {
  type Marked,
  pageOfTerms,
  type TermChoice,
  type TermKind,
  termLinks,
  termNotice,
  termsScreen,
} from '../screens/kit/wordpress-terms.ts';
import { type SeoPluginState, seoPluginNotices, seoPluginScreen } from '../screens/pages/seo-plugin.ts';
import {
  type IndexKey,
  indexingScreen,
  robotRules,
  robotsScreen,
  type SiteSettings,
  schemaTypeScreen,
  schemaTypes,
  siteSettingsScreen,
} from '../screens/pages/wordpress-settings.ts';
import { action, type DeedAnswer, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

type InstallOutcome = { outcome: 'installed' } | { outcome: 'slow' } | { outcome: 'failed'; why: string };

export type SiteSettingsData = {
  read(userId: number, connectionId: number): Promise<SiteSettings | null>;
  terms(userId: number, connectionId: number, kind: TermKind, page: number): Promise<TermChoice | null>;
  markTerm(
    userId: number,
    connectionId: number,
    kind: TermKind,
    termId: number,
    marked: boolean,
  ): Promise<Marked | null>;
  /** False when there is no such site. */
  chooseRobots(userId: number, connectionId: number, robots: string): Promise<boolean>;
  chooseSchema(userId: number, connectionId: number, schemaType: string): Promise<boolean>;
  /** Both null when there is no such site. */
  seoPlugin(userId: number, connectionId: number): Promise<SeoPluginState | null>;
  installSeoPlugin(userId: number, connectionId: number): Promise<InstallOutcome | null>;
  /** Null when there is no such site. */
  indexKey(userId: number, connectionId: number): Promise<IndexKey | null>;
};

const projectList = to('nav:projects');

/** How articles are filed on one connected site. */
export function siteSettingsRoutes(data: SiteSettingsData): Route[] {
  return [
    route('conn:{nid}:wp', ({ nid }, visitor) => ofSite(nid, visitor, siteSettingsScreen)),
    ...termRoutes('categories'),
    ...termRoutes('tags'),
    route('conn:{nid}:wp:robots', ({ nid }, visitor) => ofSite(nid, visitor, robotsScreen)),
    action('conn:{nid}:wp:robots:{i}', async ({ nid, i }, { userId }) => {
      const choice = robotRules[i];
      const done = choice && (await data.chooseRobots(userId, nid, choice.value));
      return done ? { open: to('conn:{nid}:wp:robots', { nid }) } : missing(projectList);
    }),
    route('conn:{nid}:wp:index', async ({ nid }, { userId }) => {
      const settings = await data.read(userId, nid);
      const key = settings?.indexing ? await data.indexKey(userId, nid) : null;
      return settings && key ? { show: indexingScreen(nid, settings, key) } : missing(projectList);
    }),
    route('conn:{nid}:wp:seo', async ({ nid }, { userId }) => {
      const site = await data.seoPlugin(userId, nid);
      return site ? { show: seoPluginScreen(nid, site) } : missing(projectList);
    }),
    action('conn:{nid}:wp:seo:install', async ({ nid }, { userId }) => {
      const done = await data.installSeoPlugin(userId, nid);
      if (!done) return missing(projectList);
      const notice =
        done.outcome === 'failed' ? seoPluginNotices.failed(done.why) : seoPluginNotices[done.outcome];
      return { open: to('conn:{nid}:wp:seo', { nid }), notice };
    }),
    route('conn:{nid}:wp:schema', ({ nid }, visitor) => ofSite(nid, visitor, schemaTypeScreen)),
    action('conn:{nid}:wp:schema:{i}', async ({ nid, i }, { userId }) => {
      const choice = schemaTypes[i];
      const done = choice && (await data.chooseSchema(userId, nid, choice.value));
      return done ? { open: to('conn:{nid}:wp:schema', { nid }) } : missing(projectList);
    }),
  ];

  function termRoutes(kind: TermKind): Route[] {
    const links = termLinks(kind);
    return [
      route(links.all, ({ nid }, visitor) => terms(kind, nid, 1, visitor)),
      route(links.page, ({ nid, n }, visitor) => terms(kind, nid, n, visitor)),
      action(links.mark, (press, visitor) => marked(kind, press, visitor, true)),
      action(links.unmark, (press, visitor) => marked(kind, press, visitor, false)),
      route(links.flip, async ({ nid, k }, visitor) => {
        const list = await terms(kind, nid, k, visitor);
        return 'show' in list ? { ...list, toast: toasts.stale } : list;
      }),
    ];
  }

  async function marked(
    kind: TermKind,
    { nid, n, k }: { nid: number; n: number; k: number },
    { userId }: Visitor,
    isMarked: boolean,
  ): Promise<DeedAnswer> {
    const outcome = await data.markTerm(userId, nid, kind, n, isMarked);
    if (!outcome) return missing(projectList);
    const notice = termNotice(kind, outcome);
    return { open: pageOfTerms(kind, nid, k), ...(notice && { notice }) };
  }

  async function terms(kind: TermKind, nid: number, page: number, { userId }: Visitor): Promise<RouteAnswer> {
    const choice = await data.terms(userId, nid, kind, page);
    return choice ? { show: termsScreen(kind, nid, page, choice) } : missing(projectList);
  }

  async function ofSite(
    nid: number,
    { userId }: Visitor,
    show: (nid: number, settings: SiteSettings) => Screen,
  ): Promise<RouteAnswer> {
    const settings = await data.read(userId, nid);
    return settings ? { show: show(nid, settings) } : missing(projectList);
  }
}
