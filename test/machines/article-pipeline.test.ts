import { describe, expect, it } from 'vitest';
import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import { articlePipelineMachine } from '../../machines/article-pipeline.ts';
import type { ArticleOffer } from '../../machines/fragments/article-order.ts';
import type { ArticlePreview, GenerateArticleInput } from '../../machines/fragments/article-ports.ts';
import type { ArticleStock } from '../../machines/fragments/article-stock.ts';
import { descriptionOffer, priced } from '../support/category-tool-samples.ts';
import { articleOffer } from '../support/flow-events.ts';
import { refusals, start } from '../support/sample-errors.ts';

const stock: ArticleStock = {
  counts: { projects: 1, sites: 1, categories: 2 },
  project: { id: 5, name: 'Ромашка', site: null },
  site: { id: 3, identifier: 'romashka.ru' },
  category: { id: 9, name: 'Букеты' },
  readiness: { phrases: 40, hasDescription: true, hasPrices: false, publications: 0 },
  keywords: null,
  description: descriptionOffer,
  prices: priced,
  offer: articleOffer,
  preview: null,
  gone: null,
};

type Pipeline = ActorRefFrom<typeof articlePipelineMachine>;

/** A pipeline whose every order is refused for lack of tokens; `offers` are what is found, one look after another. */
function pipelineOf(offers: readonly ArticleOffer[]) {
  const orders: GenerateArticleInput[] = [];
  let looks = 0;
  const actor = createActor(
    articlePipelineMachine.provide({
      actors: {
        takeStock: fromPromise(async () => {
          const offer = offers[looks] ?? null;
          looks += 1;
          return { ...stock, offer };
        }),
        generateArticle: fromPromise<ArticlePreview, GenerateArticleInput>(async ({ input }) => {
          orders.push(input);
          throw refusals[0];
        }),
      },
    }),
    {
      input: {
        ...{ ...start, projectId: null, connectionId: null, categoryId: null },
        ...{ isAdmin: false, repeats: false, previewOnly: false },
      },
    },
  );
  return { actor: actor.start(), orders };
}

const rests = (actor: Pipeline, state: string) => expect.poll(() => actor.getSnapshot().value).toBe(state);

async function orders(actor: Pipeline): Promise<void> {
  await rests(actor, 'confirm_cost');
  actor.send({ type: 'cost.accepted' });
  await rests(actor, 'confirm_cost');
}

describe('the price of an article that was refused', () => {
  it('is asked for under another key for another category, another phrase and another balance', async () => {
    const { actor, orders: made } = pipelineOf([
      articleOffer,
      { ...articleOffer, categoryId: 10 },
      { ...articleOffer, categoryId: 10, phrase: 'букет из роз' },
      { ...articleOffer, categoryId: 10, phrase: 'букет из роз', balance: 900 },
    ]);
    await orders(actor);
    actor.send({ type: 'topic.reopened' });
    actor.send({ type: 'topic.chosen', categoryId: 10 });
    await orders(actor);
    for (const _ of ['another phrase', 'topped up']) {
      actor.send({ type: 'resumed' });
      await orders(actor);
    }
    expect(made.map(({ offer }) => [offer.categoryId, offer.phrase, offer.balance])).toEqual([
      [9, 'букет невесты', 1_500],
      [10, 'букет невесты', 1_500],
      [10, 'букет из роз', 1_500],
      [10, 'букет из роз', 900],
    ]);
    expect(new Set(made.map(({ key }) => key)).size).toBe(4);
  });
});
