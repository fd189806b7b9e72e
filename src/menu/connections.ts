import { isPlatform } from '../platforms/platforms.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import type { RichText, Screen } from '../screens/kit/screen.ts';
import {
  type ConnectionCard,
  type ConnectionLine,
  connectionNotices,
  connectionScreen,
  connectionsScreen,
  deleteConnectionScreen,
  notConnectedScreen,
  siteConnectedScreen,
} from '../screens/pages/connections.ts';
import { action, askedAgain, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type ConnectionsData = {
  /** Null when the project is not there. */
  list(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; website: string | null; connections: ConnectionLine[] } | null>;
  card(userId: number, connectionId: number): Promise<ConnectionCard | null>;
  check(
    userId: number,
    connectionId: number,
  ): Promise<{ works: true } | { works: false; reason: string } | null>;
  remove(userId: number, connectionId: number): Promise<{ projectId: number } | null>;
};

const projectList = to('nav:projects');

export function connectionRoutes(data: ConnectionsData): Route[] {
  return [
    route('project:{pid}:connections', ({ pid }, { userId }) => list(userId, pid, 1)),
    route('page:connections:{pid}:{n}', ({ pid, n }, { userId }) => list(userId, pid, n)),

    ...connecting.map(([platform, connect]) =>
      route(`project:{pid}:conn_add:${platform}`, async ({ pid }, { userId }) => {
        const project = await data.list(userId, pid);
        if (!project) return missing(projectList);
        return connect(pid, project.projectName, project.website, null);
      }),
    ),
    route('project:{pid}:conn_failed:{plt}', async ({ pid, plt }, { userId }) => {
      const project = await data.list(userId, pid);
      return project && isPlatform(plt) ? { show: notConnectedScreen(pid, plt) } : missing(projectList);
    }),

    route('conn:{nid}:connected', ({ nid }, { userId }) => ofCard(userId, nid, siteConnectedScreen)),
    route('conn:{nid}:manage', ({ nid }, { userId }) => ofCard(userId, nid, connectionScreen)),
    action('conn:{nid}:check', async ({ nid }, { userId }) => {
      const notice = await checked(userId, nid);
      return notice ? { open: to('conn:{nid}:manage', { nid }), notice } : missing(projectList);
    }),
    // In the middle of something else: whoever asks stays there.
    action('conn:{nid}:probe', async ({ nid }, { userId }) => {
      const notice = await checked(userId, nid);
      return notice ? { nothing: true, notice } : missing(projectList);
    }),
    route('conn:{nid}:reconnect', async ({ nid }, { userId }) => {
      const card = await data.card(userId, nid);
      const [, connect] = connecting.find(([platform]) => platform === card?.platform) ?? [];
      if (!card || !connect) return missing(projectList);
      const known = card.url === null ? null : { connectionId: nid, url: card.url };
      return connect(card.projectId, card.projectName, card.url, known);
    }),

    route('conn:{nid}:delete', ({ nid }, { userId }) => ofCard(userId, nid, deleteConnectionScreen)),
    action('conn:{nid}:delete:confirm:{h}', async ({ nid, h }, { userId }) => {
      const card = await data.card(userId, nid);
      if (!card) return missing(projectList);
      if (!stillAsks(deleteConnectionScreen(card), h)) return askedAgain(to('conn:{nid}:delete', { nid }));
      const removed = await data.remove(userId, nid);
      if (!removed) return missing(projectList);
      return {
        open: to('project:{pid}:connections', { pid: removed.projectId }),
        notice: connectionNotices.deleted(card.identifier),
      };
    }),
  ];

  async function list(userId: number, pid: number, page: number): Promise<RouteAnswer> {
    const project = await data.list(userId, pid);
    if (!project) return missing(projectList);
    return { show: connectionsScreen(pid, project.projectName, paginate(project.connections, page)) };
  }

  async function checked(userId: number, nid: number): Promise<RichText | null> {
    const card = await data.card(userId, nid);
    const outcome = card && (await data.check(userId, nid));
    if (!outcome) return null;
    return outcome.works
      ? connectionNotices.works(card.identifier)
      : connectionNotices.broken(card.identifier, outcome.reason);
  }

  async function ofCard(
    userId: number,
    nid: number,
    show: (card: ConnectionCard) => Screen,
  ): Promise<RouteAnswer> {
    const card = await data.card(userId, nid);
    return card ? { show: show(card) } : missing(projectList);
  }
}

/** The dialogue that connects a platform, for each that the table calls connectable. */
const connecting = Object.entries({ wordpress: connectWordPress });

function connectWordPress(
  pid: number,
  projectName: string,
  ownSite: string | null,
  reconnect: { connectionId: number; url: string } | null,
): RouteAnswer {
  const input = { projectId: pid, projectName, ownSite, reconnect };
  return {
    start: { flow: 'ConnectWordPress', input },
    origin: reconnect
      ? to('conn:{nid}:manage', { nid: reconnect.connectionId })
      : to('project:{pid}:connections', { pid }),
  };
}
