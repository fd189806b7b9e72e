import type { ContextFrom } from 'xstate';
import type { articlePipelineMachine } from '../../machines/article-pipeline.ts';
import type { KeywordOffer } from '../../machines/fragments/keyword-questions.ts';
import type { PipelinesData } from '../menu/pipelines.ts';
import type { ArticleData } from '../screens/fragments/article-work.ts';
import type { Choices } from '../screens/fragments/pipeline-choices.ts';
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
  loadArticle(context: { userId: number }, state: string): Promise<ArticleData | undefined>;
};

type PipelineData = ArticleData | { choices: Choices };
type ArticleContext = Pick<ContextFrom<typeof articlePipelineMachine>, 'userId' | 'projectId'>;

/** The goal pipelines: what they look around with, and the lists that their screens show. */
export function composePipelines(ground: Ground) {
  const { sql, categories, keywordOffer, descriptionOffer, pricesOf, offerArticle, openDraft } = ground;
  const choices = makePipelineChoices(sql);
  const pages: PipelinesData = {
    cancelDraft: ground.cancelDraft,
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
    },
    loaders: { ArticlePipeline: loadArticle },
  };

  async function loadArticle(context: ArticleContext, state: string): Promise<PipelineData | undefined> {
    const found = await choicesFor(context, state);
    return found ? { choices: found } : ground.loadArticle(context, state);
  }

  async function choicesFor(
    { userId, projectId }: ArticleContext,
    state: string,
  ): Promise<Choices | undefined> {
    if (state === 'select_project') return choices.projects(userId);
    if (projectId === null) return undefined;
    if (state === 'select_wp') return choices.sites(userId, projectId);
    if (state === 'select_category') return choices.categories(userId, projectId);
    return undefined;
  }
}
