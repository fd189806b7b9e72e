import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSerperStandIn } from '../../src/sandbox/serper/start.ts';
import type { StandIn } from '../../src/sandbox/stand-in.ts';

let service: StandIn;
beforeAll(async () => {
  service = await startSerperStandIn({ apiKey: 'key' });
});
afterAll(() => service.close());

async function post(body: unknown, apiKey = 'key') {
  const response = await fetch(`${service.url}/search`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('the Serper stand-in', () => {
  it('answers a wrong key with 403 in its own words', async () => {
    expect(await post({ q: 'торты' }, 'guess')).toEqual({
      status: 403,
      body: { message: 'Unauthorized.', statusCode: 403 },
    });
  });

  it('wants a query', async () => {
    expect(await post({ gl: 'ru' })).toEqual({
      status: 400,
      body: { message: 'Missing query parameter', statusCode: 400 },
    });
  });

  it('finds as many sites as were asked for, on hosts that exist nowhere', async () => {
    const { body } = await post({ q: 'ремонт квартир цена', gl: 'ru', hl: 'ru', num: 10 });
    expect(body.organic).toHaveLength(10);
    for (const { link } of body.organic) expect(new URL(link).hostname).toMatch(/\.example$/u);
    expect(new Set(body.organic.map(({ link }: { link: string }) => link)).size).toBe(10);
  });

  it('asks four to six questions about the thing itself', async () => {
    const { body } = await post({ q: 'Ремонт квартир цена' });
    expect(body.peopleAlsoAsk.length).toBeGreaterThanOrEqual(4);
    expect(body.peopleAlsoAsk.length).toBeLessThanOrEqual(6);
    expect(body.peopleAlsoAsk[0].question).toBe('Ремонт квартир: сколько это стоит?');
  });

  it('says the same thing twice', async () => {
    expect(await post({ q: 'торты' })).toEqual(await post({ q: 'торты' }));
  });
});
