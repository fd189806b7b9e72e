import type { ContextFrom } from 'xstate';
import type { articlePipelineMachine } from '../../machines/article-pipeline.ts';
import type { ArticlePreview } from '../../machines/fragments/article-ports.ts';
import type { KeywordOffer } from '../../machines/fragments/keyword-questions.ts';
import type { PostSlice } from '../../machines/fragments/post-work.ts';
import type { socialPipelineMachine } from '../../machines/social-pipeline.ts';
import type { PipelinesData } from '../menu/pipelines.ts';
import { type Platform, postPlatforms } from '../platforms/platforms.ts';
import type { ChannelChoices, SocialData } from '../screens/flows/social-pipeline.ts';
import type { ArticleData } from '../screens/fragments/article-work.ts';
import type { Choices } from '../screens/fragments/pipeline-choices.ts';
import type { PostData } from '../screens/fragments/post-work.ts';
import type { Reading } from '../screens/fragments/project-questions.ts';
import { makeTakePostStock, type TakePostStockDeps } from '../services/pipeline/take-post-stock.ts';
import { makeTakeStock, type TakeStockDeps } from '../services/pipeline/take-stock.ts';
import type { Categories } from '../store/categories.ts';
import type { Sql } from '../store/database.ts';
import { makePipelineChoices } from '../store/pipeline-choices.ts';

type Ground = {
  sql: Sql;
  categories: Pick<Categories, 'card' | 'place'>;
  keywordOffer(userId: number, categoryId: number): Promise<Omit<KeywordOffer, 'isAdmin'> | null>;
  descriptionOffer: TakeStockDeps['descriptionOffer'];
  pricesOf: TakeStockDeps['pricesOf'];
  offerArticle: TakeStockDeps['offerArticle'];
  openDraft: TakeStockDeps['openDraft'];
  cancelDraft: PipelinesData['cancelDraft'];
  /** What the screens of an article show beside the lists. */
  loadArticle(
    context: { userId: number; preview: ArticlePreview | null },
    state: string,
  ): Promise<ArticleData | undefined>;
  offerPost: TakePostStockDeps['offerPost'];
  openPost: TakePostStockDeps['openPost'];
  cancelPost: PipelinesData['cancelPost'];
  loadPost(
    context: { userId: number; post: Pick<PostSlice['post'], 'draft'> },
    state: string,
  ): Promise<PostData>;
  /** Platforms that cannot be connected here, because their keys are not set. */
  unavailable: readonly Platform[];
} & Reading;

type PipelineData = ArticleData | { choices: Choices } | Reading;
type ArticleContext = Pick<ContextFrom<typeof articlePipelineMachine>, 'userId' | 'projectId' | 'preview'>;
type SocialContext = ContextFrom<typeof socialPipelineMachine>;

/** The goal pipelines: what they look around with, and the lists that their screens show. */
export function composePipelines(ground: Ground) {
  const { sql, categories, keywordOffer, descriptionOffer, pricesOf, offerArticle, openDraft } = ground;
  const choices = makePipelineChoices(sql);
  const pages: PipelinesData = {
    cancelDraft: ground.cancelDraft,
    cancelPost: ground.cancelPost,
    category: categories.place,
    hasProject: async (userId, projectId) =>
      (await choices.projects(userId)).some(({ id }) => id === projectId),
  };
  return {
    pages,
    services: {
      takeStock: makeTakeStock({
        ...{ choices, keywordOffer, descriptionOffer, pricesOf, offerArticle, openDraft },
        cardOf: categories.card,
      }),
      takePostStock: makeTakePostStock({
        ...{ choices, keywordOffer, descriptionOffer, cardOf: categories.card },
        ...{ offerPost: ground.offerPost, openPost: ground.openPost },
      }),
    },
    loaders: { ArticlePipeline: loadArticle, SocialPipeline: loadPost },
  };

  async function loadPost(context: SocialContext, state: string): Promise<SocialData | undefined> {
    if (state === 'create_project_name') return { readsSites: ground.readsSites };
    if (state === 'select_connection') return channelsFor(context);
    if (state === 'cross_post_review')
      return ground.loadPost({ userId: context.userId, post: context.cross }, 'review');
    const found = await choicesFor(context, state);
    return found ? { choices: found } : ground.loadPost(context, state);
  }

  async function channelsFor({ userId, projectId }: SocialContext): Promise<ChannelChoices> {
    const offered = postPlatforms.filter((platform) => !ground.unavailable.includes(platform));
    return { channels: projectId === null ? [] : await choices.channels(userId, projectId), offered };
  }

  async function loadArticle(context: ArticleContext, state: string): Promise<PipelineData | undefined> {
    if (state === 'create_project_name') return { readsSites: ground.readsSites };
    const found = await choicesFor(context, state);
    return found ? { choices: found } : ground.loadArticle(context, state);
  }

  async function choicesFor(
    { userId, projectId }: Pick<ArticleContext, 'userId' | 'projectId'>,
    state: string,
  ): Promise<Choices | undefined> {
    if (state === 'select_project') return choices.projects(userId);
    if (projectId === null) return undefined;
    if (state === 'select_wp') return choices.sites(userId, projectId);
    if (state === 'select_category') return choices.categories(userId, projectId);
    return undefined;
  }
}
