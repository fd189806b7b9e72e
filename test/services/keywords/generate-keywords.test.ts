import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataForSeo } from '../../../src/clients/dataforseo.ts';
import { AiFailed } from '../../../src/errors.ts';
import { startDataForSeoStandIn } from '../../../src/sandbox/dataforseo/start.ts';
import type { StandIn } from '../../../src/sandbox/stand-in.ts';
import { countKeywords } from '../../../src/services/keywords/edit-keywords.ts';
import { type KeywordOrder, makeGenerateKeywords } from '../../../src/services/keywords/generate-keywords.ts';
import type { Cluster } from '../../../src/services/quality/choose-cluster.ts';
import { brief, data, fixedData, lastingStages, scriptedModel, silent } from './fakes.ts';

const down = new AiFailed('unavailable', 'every model answered 429');
const order = (changes: Partial<KeywordOrder> = {}): KeywordOrder => ({
  brief,
  products: 'торты на заказ',
  geography: 'Казань',
  quantity: 50,
  known: [],
  userId: 7,
  stage: lastingStages().stage,
  report: () => {},
  ...changes,
});

const cluster = (name: string, phrases: string[], added: string[] = []) => ({
  cluster_name: name,
  cluster_type: 'article',
  main_phrase: phrases[0]!,
  phrases: [
    ...phrases.map((phrase) => ({ phrase, ai_suggested: false })),
    ...added.map((phrase) => ({ phrase, ai_suggested: true })),
  ],
});
const usualAnswers = {
  suggestions: { market: 2804, phrases: [data('торты на заказ', 900, 40), data('торт цена', 500, 31)] },
  related: { market: 2804, phrases: [data('бисквит рецепт', 700, 5), data('Торт  Цена', 480)] },
  volumes: { market: 2804, phrases: [data('торт цена', 1_000, 30), data('торт без сахара', 20)] },
};
const usualModel = {
  seed_normalize: { variants: ['торт на день рождения'] },
  keyword_clusters: {
    clusters: [
      cluster('Заказ', ['торты на заказ', 'торт цена'], ['торт без сахара', 'торт мечты']),
      cluster('Рецепты', ['бисквит рецепт']),
    ],
  },
};

describe('keywords', () => {
  it('are real searches, grouped by a model, with fresh volumes', async () => {
    const { ask } = scriptedModel(usualModel);
    const { source } = fixedData(usualAnswers);
    const generate = makeGenerateKeywords({ dataForSeo: source, ask, log: silent });
    expect(await generate(order())).toEqual({
      source: 'data',
      grouping: 'model',
      market: 2804,
      keywords: [
        {
          cluster_name: 'Заказ',
          cluster_type: 'article',
          main_phrase: 'торт цена',
          total_volume: 1_920,
          avg_difficulty: 26,
          phrases: [
            { ...data('торт цена', 1_000, 30), ai_suggested: false },
            { ...data('торты на заказ', 900, 40), ai_suggested: false },
            { ...data('торт без сахара', 20), ai_suggested: true },
          ],
        },
        {
          cluster_name: 'Рецепты',
          cluster_type: 'article',
          main_phrase: 'бисквит рецепт',
          total_volume: 700,
          avg_difficulty: 5,
          phrases: [{ ...data('бисквит рецепт', 700, 5), ai_suggested: false }],
        },
      ],
    });
  });

  it('are looked for by seeds without the city, in one market throughout', async () => {
    const { source, asked } = fixedData(usualAnswers);
    const { ask } = scriptedModel(usualModel);
    await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(
      order({ products: 'торты на заказ в Казани' }),
    );
    expect(asked.map(({ call, market }) => [call, market])).toEqual([
      ['suggestions', undefined],
      ['related', 2804],
      ['volumes', 2804],
    ]);
    expect(asked[0]?.phrases).toEqual(['торты на заказ', 'торт на день рождения', 'кондитерская на дому']);
    expect(asked[1]?.phrases).toEqual(['торты на заказ', 'торт цена']);
  });

  it('ask the model with everything that its prompt names', async () => {
    const { ask, asked } = scriptedModel(usualModel);
    await makeGenerateKeywords({ dataForSeo: fixedData(usualAnswers).source, ask, log: silent })(order());
    expect(asked[1]).toMatchObject({
      task: 'keyword_clusters',
      variables: {
        company_name: 'Сладкий дом',
        specialization: 'кондитерская на дому',
        language: 'ru',
        products: 'торты на заказ',
        geography: 'Казань',
        raw_count: 3,
        extra_count: 8,
      },
    });
    expect(JSON.parse(String(asked[1]?.variables.raw_keywords_json))).toEqual([
      { phrase: 'торты на заказ', volume: 900 },
      { phrase: 'бисквит рецепт', volume: 700 },
      { phrase: 'торт цена', volume: 500 },
    ]);
  });

  it('are never more than ordered: the most searched stay', async () => {
    const { ask } = scriptedModel({ ...usualModel, keyword_clusters: { clusters: [] } });
    const { source } = fixedData({ ...usualAnswers, volumes: { market: null, phrases: [] } });
    const { keywords } = await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(
      order({ quantity: 2 }),
    );
    expect((keywords as Cluster[]).flatMap(({ phrases }) => phrases.map(({ phrase }) => phrase))).toEqual([
      'торты на заказ',
      'бисквит рецепт',
    ]);
  });

  it('that a model adds beyond the order come on top of it', async () => {
    const { ask } = scriptedModel(usualModel);
    const { source } = fixedData(usualAnswers);
    const { keywords } = await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(
      order({ quantity: 3 }),
    );
    expect(countKeywords(keywords).phrases).toBe(4);
  });

  it('tell how far they are', async () => {
    const steps: string[] = [];
    const { ask } = scriptedModel(usualModel);
    const generate = makeGenerateKeywords({ dataForSeo: fixedData(usualAnswers).source, ask, log: silent });
    await generate(order({ report: (step) => steps.push(step) }));
    expect(steps).toEqual(['fetching', 'clustering', 'enriching']);
  });

  it('are not paid for twice by a restart', async () => {
    const stages = lastingStages();
    const { source, asked } = fixedData(usualAnswers);
    const model = scriptedModel(usualModel);
    const generate = makeGenerateKeywords({ dataForSeo: source, ask: model.ask, log: silent });
    const first = await generate(order({ stage: stages.stage }));
    expect(await generate(order({ stage: stages.stage }))).toEqual(first);
    expect(stages.names()).toEqual(['seeds', 'suggestions', 'related', 'clusters', 'volumes']);
    expect([asked.length, model.asked.length]).toEqual([3, 2]);
  });

  it('do without the wording of a model', async () => {
    const { ask } = scriptedModel({ ...usualModel, seed_normalize: down });
    const { source, asked } = fixedData(usualAnswers);
    await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(order());
    expect(asked[0]?.phrases).toEqual(['торты на заказ', 'кондитерская на дому']);
  });

  it('do without related searches and fresh volumes when only those fail', async () => {
    const { ask } = scriptedModel(usualModel);
    const { source } = fixedData({ suggestions: usualAnswers.suggestions });
    const { keywords, market } = await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(
      order(),
    );
    expect(keywords).toMatchObject([{ main_phrase: 'торты на заказ', total_volume: 1_400 }]);
    expect(market).toBe(2804);
  });

  it('that the category has already give their places to the next ones', async () => {
    const { ask } = scriptedModel({ ...usualModel, keyword_clusters: { clusters: [] } });
    const { source } = fixedData({ ...usualAnswers, volumes: { market: null, phrases: [] } });
    const { keywords } = await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(
      order({ quantity: 1, known: ['торты на заказ', 'бисквит рецепт'] }),
    );
    expect(keywords).toMatchObject([{ phrases: [{ phrase: 'торт цена' }] }]);
  });

  it('are none when the category has all of them: no model is asked to group nothing', async () => {
    const { ask, asked } = scriptedModel(usualModel);
    const { source } = fixedData(usualAnswers);
    const known = ['торты на заказ', 'торт цена', 'бисквит рецепт'];
    const generate = makeGenerateKeywords({ dataForSeo: source, ask, log: silent });
    expect(await generate(order({ known }))).toMatchObject({ keywords: [], source: 'data' });
    expect(asked.map(({ task }) => task)).toEqual(['seed_normalize']);
  });

  it('E12: are grouped by their words when every model fails, for they are bought already', async () => {
    const { ask } = scriptedModel({ seed_normalize: down, keyword_clusters: down });
    const { source } = fixedData(usualAnswers);
    const result = await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(order());
    expect(result).toMatchObject({ source: 'data', grouping: 'words' });
  });

  it('E03c: stay without numbers when nothing is known of them', async () => {
    const nameless = { ...data('торт ромашка', null, null), cpc: null };
    const { ask } = scriptedModel({
      ...usualModel,
      keyword_clusters: { clusters: [cluster('Р', ['торт ромашка'], ['x'])] },
    });
    const { source } = fixedData({
      suggestions: { market: 2804, phrases: [nameless] },
      related: { market: null, phrases: [] },
      volumes: { market: null, phrases: [] },
    });
    const { keywords } = await makeGenerateKeywords({ dataForSeo: source, ask, log: silent })(order());
    expect(keywords).toEqual([
      {
        cluster_name: 'Р',
        cluster_type: 'article',
        main_phrase: 'торт ромашка',
        total_volume: 0,
        avg_difficulty: null,
        phrases: [{ ...nameless, ai_suggested: false }],
      },
    ]);
  });

  it('belong to a person who may leave', async () => {
    const leaving = new AbortController();
    const { ask } = scriptedModel({
      seed_normalize: () => {
        leaving.abort(new Error('left'));
        throw down;
      },
    });
    const generate = makeGenerateKeywords({ dataForSeo: fixedData(usualAnswers).source, ask, log: silent });
    await expect(generate(order({ signal: leaving.signal }))).rejects.toThrow('left');
  });

  it('do not hide a defect of ours behind a grouping by words', async () => {
    const { ask } = scriptedModel({ ...usualModel, keyword_clusters: new TypeError('no such variable') });
    const generate = makeGenerateKeywords({ dataForSeo: fixedData(usualAnswers).source, ask, log: silent });
    await expect(generate(order())).rejects.toThrow(TypeError);
  });
});

describe('E03a: without search data', () => {
  const invented = {
    keywords: [
      { phrase: 'торт на заказ', intent: 'commercial' as const },
      { phrase: ' Торт  на заказ', intent: 'commercial' as const },
      { phrase: 'как украсить торт', intent: 'informational' as const },
      { phrase: 'х'.repeat(101), intent: 'informational' as const },
      { phrase: 'торт на свадьбу', intent: 'commercial' as const },
    ],
  };
  const flat = (phrase: string, intent: string) => ({
    ...{ phrase, intent, volume: null, difficulty: null, cpc: null, ai_suggested: true },
  });

  it.each([
    ['the service is down', fixedData({}).source],
    ['nothing was found', fixedData({ suggestions: { market: null, phrases: [] } }).source],
    ['the service is switched off', null],
  ])('because %s, a model invents a flat list', async (_, dataForSeo) => {
    const steps: string[] = [];
    const { ask } = scriptedModel({ seed_normalize: { variants: [] }, keywords: invented });
    const generate = makeGenerateKeywords({ dataForSeo, ask, log: silent });
    expect(await generate(order({ quantity: 2, report: (step) => steps.push(step) }))).toEqual({
      keywords: [flat('торт на заказ', 'commercial'), flat('как украсить торт', 'informational')],
      source: 'ai',
      grouping: 'none',
      market: null,
    });
    expect(steps).toEqual(['fetching']);
  });

  it('are invented anew only where the category has none of them', async () => {
    const { ask } = scriptedModel({ keywords: invented });
    const generate = makeGenerateKeywords({ dataForSeo: null, ask, log: silent });
    const { keywords } = await generate(order({ quantity: 2, known: ['торт на заказ'] }));
    expect(keywords).not.toContainEqual(flat('торт на заказ', 'commercial'));
    expect(keywords).toContainEqual(flat('как украсить торт', 'informational'));
  });

  it.each([
    ['no model answers (E12)', down],
    ['not one phrase is usable', { keywords: [{ phrase: ' ', intent: 'commercial' as const }] }],
  ])('the order fails when %s', async (_, keywords) => {
    const generate = makeGenerateKeywords({
      dataForSeo: null,
      ask: scriptedModel({ keywords }).ask,
      log: silent,
    });
    await expect(generate(order())).rejects.toThrow(AiFailed);
  });
});

describe('with the service behind the wire', () => {
  let service: StandIn;
  beforeAll(async () => {
    service = await startDataForSeoStandIn({ login: 'a', password: 'b' });
  });
  afterAll(() => service.close());

  const generate = () =>
    makeGenerateKeywords({
      dataForSeo: createDataForSeo({
        baseUrl: `${service.url}/v3`,
        login: 'a',
        password: 'b',
        log: silent,
        waitMs: () => 1,
      }),
      ask: scriptedModel({
        seed_normalize: { variants: [] },
        keyword_clusters: down,
        keywords: { keywords: [{ phrase: 'торт', intent: 'commercial' }] },
      }).ask,
      log: silent,
    });

  it('a full order is delivered', async () => {
    const { keywords, ...more } = await generate()(order({ quantity: 200 }));
    expect(more).toMatchObject({ source: 'data', market: 2804 });
    expect(countKeywords(keywords).phrases).toBe(200);
  });

  it('E03a: an outage ends in a flat list', async () => {
    service.faults.add({ match: '.*', times: null, fault: { kind: 'status', status: 503 } });
    const { keywords, ...more } = await generate()(order());
    expect(more).toMatchObject({ source: 'ai', grouping: 'none' });
    expect(keywords).toHaveLength(1);
  });
});
