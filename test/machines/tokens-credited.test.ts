import { describe, expect, it } from 'vitest';
import { registry } from '../../machines/registry.ts';
import { readChart } from '../../src/charts/read-chart.ts';

/** What a person presses to agree to a price. */
const agreements = ['cost.accepted', 'price.accepted'];

const costStates = Object.entries(registry).flatMap(([flow, { machine }]) => {
  const { edges } = readChart(machine);
  const heardIn = (event: string) => edges.filter((edge) => edge.event === event).map(({ source }) => source);
  const listening = new Set(heardIn('tokens.credited'));
  return [...new Set(agreements.flatMap(heardIn))].map((state) => ({
    name: `${flow}.${state}`,
    listens: listening.has(state),
  }));
});

describe('a payment that comes while a price waits to be agreed to (E51)', () => {
  it('finds such screens in every dialogue that spends tokens', () => {
    expect(costStates.map(({ name }) => name.split('.')[0])).toEqual(
      expect.arrayContaining([
        ...['KeywordGeneration', 'ReviewGeneration', 'DescriptionGenerate', 'ArticlePublish'],
        ...['ArticlePipeline', 'ArticleRefresh', 'CompetitorAnalysis', 'SiteAudit', 'SocialPostPublish'],
      ]),
    );
  });

  it.each(costStates)('is heard by $name', ({ listens }) => expect(listens).toBe(true));
});
