import type { MessengerName } from '../../machines/channel-address.ts';
import { tidy } from '../../machines/project-fields.ts';
import type { Visitor } from '../engine/menu.ts';
import {
  isPlatform,
  type Platform,
  platformNames,
  platforms,
  takesArticles,
} from '../platforms/platforms.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import type { RichText, Screen } from '../screens/kit/screen.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  type ConnectionCard,
  type ConnectionLine,
  channelConnectedScreen,
  connectionNotices,
  connectionScreen,
  connectionsScreen,
  consentLostScreen,
  deleteConnectionScreen,
  leftConnectingScreen,
  notConnectedScreen,
  renameConnectionScreen,
  siteConnectedScreen,
} from '../screens/pages/connections.ts';
import { action, askedAgain, asking, missing, type Route, type RouteAnswer, route } from './create-menu.ts';
import { keysBack } from './usual-keys.ts';

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
  /** Null: as the platform calls it. False when there is no such connection. */
  rename(userId: number, connectionId: number, name: string | null): Promise<boolean>;
  /** Platforms that this bot cannot reach, for want of its own keys there. */
  unavailable: readonly Platform[];
};

const projectList = to('nav:projects');

/** `has` tells which features there are: the keys below the input line offer no others. */
export function connectionRoutes(data: ConnectionsData, has: (pattern: string) => boolean): Route[] {
  return [
    route('project:{pid}:connections', ({ pid }, { userId }) => list(userId, pid, 1)),
    route('page:connections:{pid}:{n}', ({ pid, n }, { userId }) => list(userId, pid, n)),

    ...platformNames.map((platform) =>
      route(`project:{pid}:conn_add:${platform}`, async ({ pid }, { userId }) => {
        const project = await data.list(userId, pid);
        if (!project) return missing(projectList);
        if (data.unavailable.includes(platform)) return missing(toConnections(pid));
        const { projectName, website } = project;
        return connecting[platform]({ pid, projectName, website, card: null });
      }),
    ),
    ...endings.map(([ending, show]) =>
      route(`project:{pid}:conn_${ending}:{plt}`, async ({ pid, plt }, visitor) => {
        const project = await data.list(visitor.userId, pid);
        if (!project || !isPlatform(plt)) return missing(projectList);
        return { show: afterChooser(plt, show(pid, plt), visitor) };
      }),
    ),

    // Back from a browser, and no dialogue of this person waits for it.
    route('nav:consent_lost', () => ({ show: consentLostScreen })),
    route('conn:{nid}:connected', ({ nid }, visitor) =>
      ofCard(visitor.userId, nid, (card) =>
        takesArticles(card.platform)
          ? siteConnectedScreen(card)
          : afterChooser(card.platform, channelConnectedScreen(card), visitor),
      ),
    ),
    route('conn:{nid}:manage', ({ nid }, { userId }) => ofCard(userId, nid, connectionScreen)),
    action('conn:{nid}:check', async ({ nid }, { userId }) => {
      const notice = await checked(userId, nid);
      return notice ? { open: to('conn:{nid}:manage', { nid }), notice } : missing(projectList);
    }),
    // In the middle of something else: the person stays there.
    action('conn:{nid}:probe', async ({ nid }, { userId }) => {
      const notice = await checked(userId, nid);
      return notice ? { nothing: true, notice } : missing(projectList);
    }),
    route('conn:{nid}:reconnect', async ({ nid }, { userId }) => {
      const card = await data.card(userId, nid);
      if (!card || !isPlatform(card.platform)) return missing(projectList);
      if (data.unavailable.includes(card.platform)) return missing(to('conn:{nid}:manage', { nid }));
      const { projectId: pid, projectName, url: website } = card;
      return connecting[card.platform]({ pid, projectName, website, card });
    }),
    asking('conn:{nid}:rename', {
      wants: ['text'],
      back: ({ nid }) => cancelButton(to('conn:{nid}:manage', { nid })),
      page: ({ nid }, { userId }) => ofCard(userId, nid, renameConnectionScreen),
      async take({ nid }, { text }, { userId }) {
        const name = tidy(text);
        if (name === '' || name.length > LONGEST_NAME) return { again: connectionNotices.badName };
        const isBack = name === '.';
        const isDone = await data.rename(userId, nid, isBack ? null : name);
        if (!isDone) return missing(projectList);
        const notice = isBack ? connectionNotices.nameBack : connectionNotices.renamed(name);
        return { open: to('conn:{nid}:manage', { nid }), notice };
      },
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
        notice: connectionNotices.deleted(card.name),
      };
    }),
  ];

  /** Telegram's chooser stood in the place of the usual keys. */
  function afterChooser(platform: string, screen: Screen, visitor: Visitor): Screen {
    const hasChooser = isPlatform(platform) && platforms[platform].hasChooser;
    return hasChooser ? { ...screen, keys: keysBack(visitor, has) } : screen;
  }

  async function list(userId: number, pid: number, page: number): Promise<RouteAnswer> {
    const project = await data.list(userId, pid);
    if (!project) return missing(projectList);
    const shown = paginate(project.connections, page);
    return { show: connectionsScreen(pid, project.projectName, shown, data.unavailable) };
  }

  async function checked(userId: number, nid: number): Promise<RichText | null> {
    const card = await data.card(userId, nid);
    const outcome = card && (await data.check(userId, nid));
    if (!outcome) return null;
    return outcome.works
      ? connectionNotices.works(card.name)
      : connectionNotices.broken(card.name, outcome.reason);
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

const LONGEST_NAME = 60;

const toConnections = (pid: number): Link => to('project:{pid}:connections', { pid });

/** How a dialogue may end without a connection. */
const endings = [
  ['failed', notConnectedScreen],
  ['left', leftConnectingScreen],
] as const;

/** What the dialogue of a platform starts from; `card`: of the connection that gets new access. */
type Start = { pid: number; projectName: string; website: string | null; card: ConnectionCard | null };

/** The dialogue that connects a platform. */
const connecting: Readonly<Record<Platform, (start: Start) => RouteAnswer>> = {
  wordpress: connectWordPress,
  telegram: connectMessenger('telegram'),
  vk: connectInFlow('ConnectVK'),
  pinterest: connectInFlow('ConnectPinterest'),
  max: connectMessenger('max'),
};

function connectWordPress({ pid, projectName, website, card }: Start): RouteAnswer {
  const reconnect = card?.url ? { connectionId: card.id, url: card.url } : null;
  const input = { projectId: pid, projectName, ownSite: website, reconnect };
  return { start: { flow: 'ConnectWordPress', input }, origin: originOf(pid, reconnect && card) };
}

function connectMessenger(platform: MessengerName) {
  return ({ pid, projectName, card }: Start): RouteAnswer => {
    const reconnect = card && {
      ...{ connectionId: card.id, target: card.identifier, title: card.name, own: card.ownBot },
    };
    const input = { projectId: pid, projectName, platform, reconnect };
    return { start: { flow: 'ConnectTelegram', input }, origin: originOf(pid, card) };
  };
}

/** Connected again is asked from the beginning: what was wrong is the key or the consent itself. */
function connectInFlow(flow: 'ConnectVK' | 'ConnectPinterest') {
  return ({ pid, projectName, card }: Start): RouteAnswer => ({
    start: { flow, input: { projectId: pid, projectName } },
    origin: originOf(pid, card),
  });
}

const originOf = (pid: number, card: ConnectionCard | null): Link =>
  card ? to('conn:{nid}:manage', { nid: card.id }) : toConnections(pid);
