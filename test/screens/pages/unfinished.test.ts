import { describe, expect, it } from 'vitest';
import { articleParking } from '../../../machines/article-pipeline.ts';
import { socialParking } from '../../../machines/social-pipeline.ts';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import { unfinishedKeys, unfinishedScreen } from '../../../src/screens/pages/pipelines.ts';

const preview = { title: 'Кухни на заказ', draftId: 7, spent: 230 };

describe('a text that was left unfinished', () => {
  it.each([
    ['ArticlePipeline', articleParking.states!],
    ['SocialPipeline', socialParking.states!],
  ])('of %s is told with the step at which it stands', (flow, states) => {
    const unnamed = states.filter((state) => toHtml(screenOf({ flow, state }).text).includes('Шаг: начало'));
    expect(unnamed).toEqual([]);
  });

  it.each([
    ['brings tokens back with its draft', {}, 'Отменить и вернуть токены'],
    ['brings none back once its HTML was taken', { final: 230 }, 'Удалить черновик'],
    ['brings back what a later version has cost', { final: 200 }, 'Отменить и вернуть токены'],
  ])('%s', (_, taken, label) => {
    const context = { preview: { ...preview, ...taken } };
    const labels = unfinishedKeys({ flow: 'ArticlePipeline', state: 'preview', context }).flat();
    expect(labels.map((each) => each.label)).toContain(label);
  });

  const screenOf = ({ flow, state }: { flow: string; state: string }) =>
    unfinishedScreen({ flow, state, context: {} }, 'article');
});
