import { describe, expect, it } from 'vitest';
import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import type { CrossPlan } from '../../machines/fragments/cross-post.ts';
import type {
  GeneratePostInput,
  PostDraft,
  PostDraftInput,
  PostOffer,
} from '../../machines/fragments/post-ports.ts';
import type { PostStock } from '../../machines/fragments/post-stock.ts';
import { socialPipelineMachine } from '../../machines/social-pipeline.ts';
import { flow } from '../../src/screens/flows/social-pipeline.ts';
import { descriptionOffer } from '../support/category-tool-samples.ts';
import { postDraft, postOffer } from '../support/flow-samples-post.ts';
import { refusals, start } from '../support/sample-errors.ts';

const stock: PostStock = {
  counts: { projects: 1, channels: 2, categories: 2 },
  project: { id: 5, name: 'Ромашка', site: null },
  channel: { id: 4, name: '@romashka' },
  category: { id: 9, name: 'Букеты' },
  readiness: { phrases: 40, hasDescription: true, hasPrices: false, publications: 0 },
  keywords: null,
  description: descriptionOffer,
  offer: postOffer,
  draft: null,
  waits: null,
  gone: null,
};

/** A pipeline whose every order is refused for lack of tokens; `offers` are what is found, one look after another. */
function pipelineOf(offers: readonly (PostOffer | null)[]) {
  const orders: GeneratePostInput[] = [];
  let looks = 0;
  const actor = createActor(
    socialPipelineMachine.provide({
      actors: {
        takePostStock: fromPromise(async () => {
          const offer = offers[looks] ?? null;
          looks += 1;
          return { ...stock, offer };
        }),
        generatePost: fromPromise<PostDraft, GeneratePostInput>(async ({ input }) => {
          orders.push(input);
          throw refusals[0];
        }),
      },
    }),
    {
      input: {
        ...{ ...start, projectId: null, connectionId: null, categoryId: null },
        ...{ isAdmin: false, repeats: false },
      },
    },
  );
  return { actor: actor.start(), orders };
}

const rests = (actor: ActorRefFrom<typeof socialPipelineMachine>, state: string) =>
  expect.poll(() => actor.getSnapshot().value).toBe(state);

async function orders(actor: ActorRefFrom<typeof socialPipelineMachine>): Promise<void> {
  await rests(actor, 'confirm_cost');
  actor.send({ type: 'cost.accepted' });
  await rests(actor, 'confirm_cost');
}

describe('the price of a post that was refused', () => {
  it('is asked for again under the same key while it is the same order, whatever the balance is by then', async () => {
    const { actor, orders: made } = pipelineOf([postOffer, { ...postOffer, balance: 7 }]);
    await orders(actor);
    actor.send({ type: 'resumed' });
    await orders(actor);
    expect(made.map(({ key }) => key)).toEqual(['run-1:post:0', 'run-1:post:0']);
  });

  it('is asked for under another key for another topic, another phrase, and after phrases were missing', async () => {
    const roses = { ...postOffer, phrase: 'букет из роз' };
    const topic = { ...postOffer, categoryId: 10 };
    const { actor, orders: made } = pipelineOf([postOffer, roses, topic, null, postOffer]);
    await orders(actor);
    actor.send({ type: 'resumed' });
    await orders(actor);
    actor.send({ type: 'topic.reopened' });
    actor.send({ type: 'topic.chosen', categoryId: 10 });
    await orders(actor);
    actor.send({ type: 'resumed' });
    await rests(actor, 'readiness_check');
    actor.send({ type: 'resumed' });
    await orders(actor);
    const keys = made.map(({ key }) => key);
    expect(made.map(({ offer }) => [offer.categoryId, offer.phrase])).toEqual([
      [9, 'букет невесты'],
      [9, 'букет из роз'],
      [10, 'букет невесты'],
      [9, 'букет невесты'],
    ]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('a cross-post that cannot be skipped', () => {
  it('shows every failure as another screen, also where the reason is the same', async () => {
    const plan: CrossPlan = {
      targets: [{ connectionId: 4, platform: 'telegram', place: '@romashka', placeUrl: null }],
      ...{ price: 10, balance: 500 },
    };
    const actor = createActor(
      socialPipelineMachine.provide({
        actors: {
          planCrossPost: fromPromise(async () => plan),
          adaptPost: fromPromise(async () => postDraft),
          cancelPost: fromPromise<{ returned: number }, PostDraftInput>(async () => {
            throw new Error('unexpected');
          }),
        },
      }),
      {
        input: {
          ...{ ...start, projectId: null, connectionId: null, categoryId: null },
          ...{ isAdmin: false, repeats: false, publicationId: 77 },
        },
      },
    ).start();
    await rests(actor, 'cross_post_targets');
    actor.send({ type: 'targets.accepted' });
    await rests(actor, 'cross_post_review');
    const seen = [reviewOf(actor)];
    for (const _ of ['first', 'second', 'third']) {
      actor.send({ type: 'target.skipped' });
      await rests(actor, 'cross_post_review');
      seen.push(reviewOf(actor));
    }
    seen.forEach((screen, i) => {
      if (i > 0) expect(screen).not.toBe(seen[i - 1]);
    });
  });

  const reviewOf = (actor: ActorRefFrom<typeof socialPipelineMachine>) =>
    JSON.stringify(flow.states.cross_post_review(actor.getSnapshot().context, undefined));
});
