import { expect, it } from 'vitest';
import type { ArticleOffer } from '../../machines/fragments/article-order.ts';
import type { ArticlePreview } from '../../machines/fragments/article-ports.ts';
import { route } from '../../src/menu/create-menu.ts';
import { to } from '../../src/screens/kit/link.ts';
import { flowSamples } from '../support/flow-events.ts';
import { eventually } from './eventually.ts';
import { openStage, pressOf } from './stage.ts';

const { offer, preview } = flowSamples.ArticlePublish.inputs['with a draft that waits'] as {
  offer: ArticleOffer;
  preview: ArticlePreview;
};
const draft = route('draft:{n}:open', () => ({
  start: { flow: 'ArticlePublish', input: { offer, preview } },
  origin: to('nav:dashboard'),
}));
const LONG_ENOUGH_MS = 60_000;

it('a late failure of the first attempt is not taken for the result of the second', async () => {
  const stage = openStage({ moreRoutes: [draft] });
  const { regenerateArticle } = stage.ports;
  regenerateArticle.isSlow();
  const slow = stage.start();
  const anna = stage.person(slow);
  await anna.commands('start');
  await anna.does(pressOf(to('draft:{n}:open', { n: 41 }), null));
  await anna.presses('Перегенерировать (0/2)');
  expect(regenerateArticle.calls).toHaveLength(1);

  // The process is slow to answer; another one takes the work over, and its attempt fails.
  stage.pass(LONG_ENOUGH_MS);
  const other = stage.start();
  await other.sweeps();
  await eventually(() => regenerateArticle.calls.length).toBe(2);
  regenerateArticle.calls[1]!.reject({ code: 'TIMEOUT', userMessage: 'Нейросеть молчит.', retryable: true });
  await eventually(() => anna.sees()).toContain('Нейросеть молчит.');

  await anna.movesTo(other).presses('Перегенерировать (0/2)');
  await eventually(() => regenerateArticle.calls.length).toBe(3);
  expect(new Set(regenerateArticle.keys()).size).toBe(2);
  regenerateArticle.calls[0]!.reject({ code: 'TIMEOUT', userMessage: 'Опоздал.', retryable: true });
  await eventually(() => stage.log.map(({ msg }) => msg)).toContain(
    'a late result belongs to work that is over',
  );

  regenerateArticle.calls[2]!.resolve({ ...preview, title: 'Другой вариант', regenerations: 1 });
  await eventually(() => anna.sees()).toContain('Другой вариант');
  expect(
    anna
      .chat()
      .map(({ text }) => text)
      .join('\n'),
  ).not.toContain('Опоздал.');
  await stage.close();
});
