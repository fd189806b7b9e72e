import { describe, expect, it } from 'vitest';
import { AiFailed } from '../../../src/errors.ts';
import { makeEnrichUpload } from '../../../src/services/keywords/enrich-upload.ts';
import type { KeywordData } from '../../../src/services/keywords/keyword-data.ts';
import { brief, data, fixedData, lastingStages, scriptedModel, silent } from './fakes.ts';

const phrases = ['Торты на заказ', 'торт цена', 'торт ромашка'];
const volumes = { market: 2804, phrases: [data('Торты на заказ', 900, 40), data('торт цена', 500, 31)] };
const nameless = { volume: null, difficulty: null, cpc: null, intent: 'informational' };
const clusters = [
  {
    cluster_name: 'Заказ',
    cluster_type: 'product_page',
    main_phrase: 'торт цена',
    phrases: ['торты на заказ', 'торт цена', 'торт мечты'].map((phrase) => ({ phrase, ai_suggested: false })),
  },
];

function upload(
  dataForSeo: KeywordData | null,
  model: Parameters<typeof scriptedModel>[0] = { keyword_clusters: { clusters } },
  { stage } = lastingStages(),
) {
  const { ask, asked } = scriptedModel(model);
  const steps: string[] = [];
  const run = makeEnrichUpload({ dataForSeo, ask, log: silent });
  const result = run({ brief, phrases, userId: 7, stage, report: (step) => steps.push(step) });
  return { result, steps, asked };
}

describe('uploaded phrases', () => {
  it('get numbers and clusters; none is lost, none is added', async () => {
    const { result, steps, asked } = upload(fixedData({ volumes }).source);
    expect(await result).toEqual({
      source: 'data',
      grouping: 'model',
      market: 2804,
      keywords: [
        {
          cluster_name: 'Заказ',
          cluster_type: 'product_page',
          main_phrase: 'Торты на заказ',
          total_volume: 1_400,
          avg_difficulty: 35,
          phrases: [
            { ...data('Торты на заказ', 900, 40), ai_suggested: false },
            { ...data('торт цена', 500, 31), ai_suggested: false },
          ],
        },
        {
          cluster_name: 'Торт ромашка',
          cluster_type: 'article',
          main_phrase: 'торт ромашка',
          total_volume: 0,
          avg_difficulty: null,
          phrases: [{ ...nameless, phrase: 'торт ромашка', ai_suggested: false }],
        },
      ],
    });
    expect(steps).toEqual(['enriching', 'clustering']);
    expect(asked[0]?.variables).toMatchObject({
      products: 'Торты на заказ',
      geography: 'Казань',
      extra_count: 0,
      raw_count: 3,
    });
  });

  it('are grouped also for a company that has not told its city', async () => {
    const { ask, asked } = scriptedModel({ keyword_clusters: { clusters } });
    const { stage } = lastingStages();
    const homeless = { ...brief, company: { ...brief.company, city: '' } };
    const run = makeEnrichUpload({ dataForSeo: fixedData({ volumes }).source, ask, log: silent });
    await run({ brief: homeless, phrases, userId: 7, stage, report: () => undefined });
    expect(asked[0]?.variables).toMatchObject({ geography: 'Россия' });
  });

  it.each([
    ['down', fixedData({}).source],
    ['switched off', null],
  ])('E03b: are a flat list without numbers while the service is %s', async (_, dataForSeo) => {
    const { result, steps, asked } = upload(dataForSeo);
    expect(await result).toEqual({
      keywords: phrases.map((phrase) => ({ ...nameless, phrase })),
      source: 'file',
      grouping: 'none',
      market: null,
    });
    expect([steps, asked]).toEqual([['enriching'], []]);
  });

  it('E03c: are clustered without numbers when the service knows none of them', async () => {
    const { result } = upload(fixedData({ volumes: { market: null, phrases: [] } }).source);
    const { keywords, market, source } = await result;
    expect([source, market]).toEqual(['data', null]);
    expect(keywords).toMatchObject([
      { main_phrase: 'торт цена', total_volume: 0, avg_difficulty: null, phrases: [nameless, nameless] },
      { main_phrase: 'торт ромашка' },
    ]);
  });

  it('X17: are one cluster named after the category, with numbers, when the model fails', async () => {
    const failing = { keyword_clusters: new AiFailed('unusable', 'no JSON') };
    const { result } = upload(fixedData({ volumes }).source, failing);
    expect(await result).toMatchObject({
      grouping: 'category',
      keywords: [
        {
          cluster_name: 'Торты на заказ',
          cluster_type: 'article',
          main_phrase: 'Торты на заказ',
          total_volume: 1_400,
          phrases: [{ volume: 900 }, { volume: 500 }, { volume: null }],
        },
      ],
    });
  });

  it('are not paid for twice by a restart', async () => {
    const stages = lastingStages();
    const { source, asked } = fixedData({ volumes });
    const first = upload(source, undefined, stages);
    const kept = await first.result;
    const second = upload(source, {}, stages);
    expect(await second.result).toEqual(kept);
    expect(asked).toHaveLength(1);
  });
});
