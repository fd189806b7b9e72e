import { to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import {
  noPublicationsScreen,
  type PublicationItem,
  publicationCardScreen,
  publicationListScreen,
} from '../screens/pages/publications.ts';
import { missing, type Route, type RouteAnswer, route } from './create-menu.ts';

type ListOf = { projectName: string; timezone: string; items: PublicationItem[] };

export type PublicationsData = {
  /** Null: no such project. */
  list(userId: number, projectId: number): Promise<ListOf | null>;
  /** The project of a draft or of a log entry; null when there is none, or it is somebody else's. */
  projectOf(userId: number, of: PublicationItem['of'], id: number): Promise<number | null>;
};

const projectList = to('nav:projects');

/** What a project has published, what waits for a decision, and what did not go out. */
export function publicationRoutes(data: PublicationsData): Route[] {
  return [
    route('project:{pid}:publications', ({ pid }, { userId }) => list(userId, pid, 1)),
    route('page:publications:{pid}:{n}', ({ pid, n }, { userId }) => list(userId, pid, n)),
    route('draft:{n}:card', ({ n }, { userId }) => card(userId, 'article', n)),
    route('post:{n}:card', ({ n }, { userId }) => card(userId, 'post', n)),
    route('publication:{n}:card', ({ n }, { userId }) => card(userId, 'log', n)),
  ];

  async function list(userId: number, pid: number, page: number): Promise<RouteAnswer> {
    const found = await data.list(userId, pid);
    if (!found) return missing(projectList);
    const { items, ...project } = found;
    if (items.length === 0) return { show: noPublicationsScreen({ pid, ...project }) };
    const waiting = items.filter(({ status }) => status === 'waiting').length;
    return { show: publicationListScreen({ pid, ...project }, paginate(items, page), waiting) };
  }

  async function card(userId: number, of: PublicationItem['of'], id: number): Promise<RouteAnswer> {
    const pid = await data.projectOf(userId, of, id);
    const found = pid === null ? null : await data.list(userId, pid);
    const item = found?.items.find((each) => each.of === of && each.id === id);
    if (pid === null || !found) return missing(projectList);
    if (!item) return missing(to('project:{pid}:publications', { pid }));
    return { show: publicationCardScreen({ pid, ...found }, item) };
  }
}
