import { misfitOf, tidy } from '../../machines/project-fields.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  type CategoryCard,
  type CategoryDeletion,
  type CategoryItem,
  categoryCardScreen,
  categoryCreatedScreen,
  categoryDeletedNotice,
  categoryListScreen,
  categoryRenamedNotice,
  deleteCategoryScreen,
  nameMisfitNotice,
  noCategoriesScreen,
  renameCategoryScreen,
} from '../screens/pages/categories.ts';
import { picturesText, type SettingsPage } from '../screens/pages/content-settings.ts';
import { type PlannedPlace, plansText } from '../screens/pages/schedules.ts';
import { action, askedAgain, asking, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type CategoriesData = {
  /** Null when the project is not there. */
  list(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; categories: CategoryItem[] } | null>;
  card(userId: number, categoryId: number): Promise<CategoryCard | null>;
  /** What is planned in the category, place by place. */
  plans(userId: number, categoryId: number): Promise<{ places: PlannedPlace[]; now: number }>;
  settings(userId: number, categoryId: number): Promise<SettingsPage | null>;
  rename(userId: number, categoryId: number, name: string): Promise<boolean>;
  deletionCounts(userId: number, categoryId: number): Promise<CategoryDeletion | null>;
  remove(userId: number, categoryId: number): Promise<{ projectId: number; refunded: number } | null>;
};

const projectList = to('nav:projects');
const categoriesOf = (pid: number): Link => to('project:{pid}:categories', { pid });

export function categoryRoutes(data: CategoriesData, has: (pattern: string) => boolean): Route[] {
  return [
    route('project:{pid}:categories', ({ pid }, { userId }) => list(userId, pid, 1)),
    route('page:categories:{pid}:{n}', ({ pid, n }, { userId }) => list(userId, pid, n)),

    route('project:{pid}:cat_new', async ({ pid }, { userId }) => {
      const project = await data.list(userId, pid);
      if (!project) return missing(projectList);
      const input = { projectId: pid, projectName: project.projectName };
      return { start: { flow: 'CategoryCreate', input }, origin: categoriesOf(pid) };
    }),

    route('category:{cid}:created', async ({ cid }, { userId }) => {
      const card = await data.card(userId, cid);
      return card ? { show: categoryCreatedScreen(card) } : missing(projectList);
    }),
    route('category:{cid}:card', async ({ cid }, { userId }) => {
      const card = await data.card(userId, cid);
      if (!card) return missing(projectList);
      const [{ places, now }, settings] = await Promise.all([
        data.plans(userId, cid),
        data.settings(userId, cid),
      ]);
      const more = { pictures: settings && picturesText(settings), plans: plansText(places, now) };
      return { show: categoryCardScreen(card, has, more) };
    }),

    asking('category:{cid}:rename', {
      async page({ cid }, { userId }) {
        const card = await data.card(userId, cid);
        return card ? { show: renameCategoryScreen(card) } : missing(projectList);
      },
      wants: ['text'],
      back: ({ cid }) => cancelButton(to('category:{cid}:card', { cid })),
      async take({ cid }, { text }, { userId }) {
        const misfit = misfitOf('name', text);
        if (misfit) return { again: nameMisfitNotice(misfit) };
        const name = tidy(text);
        if (!(await data.rename(userId, cid, name))) return missing(projectList);
        return { open: to('category:{cid}:card', { cid }), notice: categoryRenamedNotice(name) };
      },
    }),

    route('category:{cid}:delete', async ({ cid }, { userId }) => {
      const counts = await data.deletionCounts(userId, cid);
      return counts ? { show: deleteCategoryScreen(cid, counts) } : missing(projectList);
    }),
    action('category:{cid}:delete:confirm:{h}', async ({ cid, h }, { userId }) => {
      const counts = await data.deletionCounts(userId, cid);
      if (!counts) return missing(projectList);
      if (!stillAsks(deleteCategoryScreen(cid, counts), h))
        return askedAgain(to('category:{cid}:delete', { cid }));
      const removed = await data.remove(userId, cid);
      if (!removed) return missing(projectList);
      return {
        open: to('project:{pid}:categories', { pid: removed.projectId }),
        notice: categoryDeletedNotice(counts.name, removed.refunded),
      };
    }),
  ];

  async function list(userId: number, pid: number, page: number): Promise<RouteAnswer> {
    const project = await data.list(userId, pid);
    if (!project) return missing(projectList);
    const { projectName, categories } = project;
    if (categories.length === 0) return { show: noCategoriesScreen(pid, projectName) };
    return { show: categoryListScreen(pid, projectName, paginate(categories, page)) };
  }
}
