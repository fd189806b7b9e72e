import type { ArticleStart } from '../../machines/article-pipeline.ts';
import { to } from '../screens/kit/link.ts';
import { articleAgainScreen, forgottenNotice, unfinishedScreen } from '../screens/pages/pipelines.ts';
import type { CategoryOnPlatform } from '../screens/pages/publishing.ts';
import { action, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type PipelinesData = {
  /** What came back; null when there was nothing to cancel. */
  cancelDraft(userId: number, draftId: number): Promise<number | null>;
  hasProject(userId: number, projectId: number): Promise<boolean>;
  category(userId: number, categoryId: number): Promise<CategoryOnPlatform | null>;
};

const home = to('nav:dashboard');
const projectList = to('nav:projects');
const nothing = { projectId: null, connectionId: null, previewOnly: false, categoryId: null } as const;

/** Where the goal pipelines begin: from the menu, from a project, or where an earlier one has ended. */
export function pipelineRoutes(data: PipelinesData): Route[] {
  return [
    route('pipeline:article:start', (_, { isAdmin, parked }) =>
      parked?.pipeline
        ? { show: unfinishedScreen(parked.pipeline) }
        : article({ ...nothing, isAdmin, repeats: true }),
    ),
    route('pipeline:resume', () => ({ resume: 'pipeline' })),
    route('pipeline:restart', (_, { isAdmin }) => article({ ...nothing, isAdmin, repeats: false })),
    // With the number of the draft that waits; 0 where nothing was written yet.
    action('pipeline:cancel:{n}', async ({ n }, { userId }) => {
      const returned = n > 0 ? await data.cancelDraft(userId, n) : null;
      return { open: home, drops: 'pipeline', notice: forgottenNotice(returned) };
    }),
    route('pipeline:article:project:{pid}', async ({ pid }, { userId, isAdmin }) =>
      (await data.hasProject(userId, pid))
        ? article({ ...nothing, isAdmin, repeats: false, projectId: pid })
        : missing(projectList),
    ),
    // Number 0 stands for no site: the article is looked at, and not published.
    route('pipeline:article:at:{cid}:{nid}', async ({ cid, nid }, { userId, isAdmin }) => {
      const category = await data.category(userId, cid);
      if (!category) return missing(projectList);
      return article({
        ...{ isAdmin, repeats: false, projectId: category.projectId, categoryId: cid },
        ...{ connectionId: nid || null, previewOnly: nid === 0 },
      });
    }),
    route('pipeline:article:again:{cid}:{nid}', async ({ cid, nid }, { userId }) => {
      const category = await data.category(userId, cid);
      return category ? { show: articleAgainScreen(category, nid || null) } : missing(projectList);
    }),
  ];
}

const article = (input: ArticleStart): RouteAnswer => ({
  start: { flow: 'ArticlePipeline', input },
  origin: home,
});
