import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDataForSeoStandIn } from '../../src/sandbox/dataforseo/start.ts';
import type { StandIn } from '../../src/sandbox/stand-in.ts';

let service: StandIn;
beforeAll(async () => {
  service = await startDataForSeoStandIn({ login: 'shop', password: 'secret' });
});
afterAll(() => service.close());

const suggestions = 'dataforseo_labs/google/keyword_suggestions/live';
const related = 'dataforseo_labs/google/related_keywords/live';
const searchVolume = 'keywords_data/google_ads/search_volume/live';
const ukraine = { location_code: 2804, language_code: 'ru' };

async function post(path: string, body: unknown, credentials = 'shop:secret') {
  const response = await fetch(`${service.url}/v3/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const itemsOf = async (path: string, task: object) =>
  (await post(path, [{ ...ukraine, ...task }])).body.tasks[0].result[0].items;

describe('the DataForSEO stand-in', () => {
  it('refuses a wrong password', async () => {
    const { status, body } = await post(suggestions, [], 'shop:guess');
    expect([status, body.status_code]).toEqual([401, 40_100]);
  });

  it('knows no other path', async () => {
    expect((await post('serp/google', [])).status).toBe(404);
  });

  it.each([
    ['an object', { keyword: 'торты' }, 40_503],
    ['an empty list', [], 40_503],
    ['two tasks', [{}, {}], 40_000],
  ])('takes a list of one task, not %s', async (_, body, code) => {
    const answer = await post(suggestions, body);
    expect([answer.status, answer.body.status_code, answer.body.tasks]).toEqual([200, code, undefined]);
  });

  it.each([
    ['Russia', { keyword: 'торты', ...ukraine, location_code: 2643 }, 'location_code'],
    ['a task without a phrase', ukraine, 'keyword'],
  ])('refuses %s inside the task, under a good envelope', async (_, task, field) => {
    const { status, body } = await post(suggestions, [task]);
    expect([status, body.status_code]).toEqual([200, 20_000]);
    expect(body.tasks[0]).toMatchObject({
      status_code: 40_501,
      status_message: `Invalid Field: '${field}'.`,
      result: null,
    });
  });

  it('suggests two hundred searches that contain the seed, the most searched first', async () => {
    const items = await itemsOf(suggestions, { keyword: 'ремонт квартир', limit: 200 });
    expect(items).toHaveLength(200);
    expect(items.every(({ keyword }: { keyword: string }) => keyword.includes('ремонт квартир'))).toBe(true);
    const volumes: number[] = items.map(
      (item: { keyword_info: { search_volume: number } | null }) => item.keyword_info?.search_volume,
    );
    const known = volumes.filter((volume) => volume !== undefined);
    expect(known).toEqual(known.toSorted((one, other) => other - one));
    expect(known[0]).toBeGreaterThan(10 * known.at(-1)!);
  });

  it('leaves gaps, as the real one does', async () => {
    const items = await itemsOf(suggestions, { keyword: 'ремонт квартир', limit: 200 });
    expect(items.some(({ keyword_info }: { keyword_info: unknown }) => keyword_info === null)).toBe(true);
    expect(
      items.some(({ keyword_info }: { keyword_info: { cpc: unknown } | null }) => keyword_info?.cpc === null),
    ).toBe(true);
  });

  it('hangs related searches one level deeper', async () => {
    const [first] = await itemsOf(related, { keyword: 'ремонт квартир цена', depth: 2 });
    expect(first).toMatchObject({
      depth: 1,
      keyword_data: { keyword: expect.stringMatching('ремонт квартир') },
    });
  });

  it('lists volumes without items, with competition as a word', async () => {
    const { body } = await post(searchVolume, [{ ...ukraine, keywords: ['торты на заказ', 'щпкршт'] }]);
    expect(body.tasks[0].result).toMatchObject([
      {
        keyword: 'торты на заказ',
        search_volume: expect.any(Number),
        competition: expect.stringMatching(/^(LOW|MEDIUM|HIGH)$/u),
      },
      { keyword: 'щпкршт', search_volume: null, competition: null, competition_index: null },
    ]);
  });

  it('finds nothing around gibberish', async () => {
    expect(await itemsOf(suggestions, { keyword: 'щпкршт' })).toBeNull();
  });

  it.each([
    ['long', 'оченьдлинноеслово'.repeat(5)],
    ['wordy', 'а б в г д е ж з и к л'],
    ['full of signs', 'сколько стоит торт?'],
  ])('refuses the whole list for one phrase that is too %s', async (_, phrase) => {
    const { body } = await post(searchVolume, [{ ...ukraine, keywords: ['торты', phrase] }]);
    expect(body.tasks[0].status_code).toBe(40_501);
  });

  it('says the same thing about a phrase wherever it is asked', async () => {
    const [first] = await itemsOf(suggestions, { keyword: 'букеты из роз', limit: 1 });
    const { body } = await post(searchVolume, [{ ...ukraine, keywords: [first.keyword] }]);
    expect(body.tasks[0].result[0].search_volume).toBe(first.keyword_info.search_volume);
  });
});
