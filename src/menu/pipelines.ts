import type { ArticleStart } from '../../machines/article-pipeline.ts';
import type { PostStart } from '../../machines/social-pipeline.ts';
import { to } from '../screens/kit/link.ts';
import {
  againScreen,
  forgottenNotices,
  type PipelineKind,
  unfinishedScreen,
} from '../screens/pages/pipelines.ts';
import type { CategoryOnPlatform } from '../screens/pages/publishing.ts';
import { action, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type PipelinesData = {
  /** What came back; null when there was nothing to cancel. */
  cancelDraft(userId: number, draftId: number): Promise<number | null>;
  cancelPost(userId: number, draftId: number): Promise<number | null>;
  hasProject(userId: number, projectId: number): Promise<boolean>;
  category(userId: number, categoryId: number): Promise<CategoryOnPlatform | null>;
};

const home = to('nav:dashboard');
const projectList = to('nav:projects');
const nothing = { projectId: null, connectionId: null, categoryId: null } as const;

/** What is chosen before a pipeline begins. */
type Chosen = Omit<PostStart, 'isAdmin'>;

/** Number 0 stands for no site: the article is looked at, and not published. */
const begin: Readonly<
  Record<PipelineKind, (isAdmin: boolean, chosen: Chosen, isPlaced?: boolean) => RouteAnswer>
> = {
  article: (isAdmin, chosen, isPlaced = false) =>
    article({ isAdmin, ...chosen, previewOnly: isPlaced && chosen.connectionId === null }),
  social: (isAdmin, chosen) => post({ isAdmin, ...chosen }),
};

/** Where the goal pipelines begin: from the menu, from a project, or where an earlier one has ended. */
export function pipelineRoutes(data: PipelinesData): Route[] {
  return [
    route('pipeline:resume', () => ({ resume: 'pipeline' })),
    // With the number of the draft that waits; 0 where nothing was written yet.
    action('pipeline:cancel:{n}', async ({ n }, { userId }) =>
      forgotten('article', n > 0 ? await data.cancelDraft(userId, n) : null),
    ),
    action('pipeline:cancel_post:{n}', async ({ n }, { userId }) =>
      forgotten('social', n > 0 ? await data.cancelPost(userId, n) : null),
    ),
    // As buttons of earlier releases have it.
    route('pipeline:restart', (_, { isAdmin }) => begin.article(isAdmin, { ...nothing, repeats: false })),
    route('pipeline:crosspost:{n}', ({ n }, { isAdmin, parked }) =>
      parked?.pipeline
        ? { show: unfinishedScreen(parked.pipeline, 'social') }
        : post({ ...nothing, isAdmin, repeats: false, publicationId: n }),
    ),
    ...(['article', 'social'] as const).flatMap((kind) => routesOf(kind)),
  ];

  function routesOf(kind: PipelineKind): Route[] {
    return [
      route(`pipeline:${kind}:start`, (_, { isAdmin, parked }) =>
        parked?.pipeline
          ? { show: unfinishedScreen(parked.pipeline, kind) }
          : begin[kind](isAdmin, { ...nothing, repeats: true }),
      ),
      route(`pipeline:${kind}:restart`, (_, { isAdmin }) =>
        begin[kind](isAdmin, { ...nothing, repeats: false }),
      ),
      route(`pipeline:${kind}:project:{pid}`, async ({ pid }, { userId, isAdmin }) =>
        (await data.hasProject(userId, pid))
          ? begin[kind](isAdmin, { ...nothing, repeats: false, projectId: pid })
          : missing(projectList),
      ),
      route(`pipeline:${kind}:at:{cid}:{nid}`, async ({ cid, nid }, { userId, isAdmin }) => {
        const category = await data.category(userId, cid);
        if (!category) return missing(projectList);
        const { projectId } = category;
        const chosen = { repeats: false, projectId, categoryId: cid, connectionId: nid || null };
        return begin[kind](isAdmin, chosen, true);
      }),
      route(`pipeline:${kind}:again:{cid}:{nid}`, async ({ cid, nid }, { userId }) => {
        const category = await data.category(userId, cid);
        return category ? { show: againScreen(kind, category, nid || null) } : missing(projectList);
      }),
    ];
  }
}

const forgotten = (kind: PipelineKind, returned: number | null) => ({
  ...{ open: home, drops: 'pipeline' },
  notice: forgottenNotices[kind](returned),
});

const article = (input: ArticleStart): RouteAnswer => ({
  start: { flow: 'ArticlePipeline', input },
  origin: home,
});

const post = (input: PostStart): RouteAnswer => ({ start: { flow: 'SocialPipeline', input }, origin: home });
