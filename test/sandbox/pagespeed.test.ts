import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PageSpeedStandIn, startPageSpeedStandIn } from '../../src/sandbox/pagespeed/start.ts';

let google: PageSpeedStandIn;
beforeEach(async () => {
  google = await startPageSpeedStandIn({ apiKey: 'key' });
});
afterEach(() => google.close());

async function run(query: string) {
  const response = await fetch(`${google.url}/pagespeedonline/v5/runPagespeed?${query}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const site = 'key=key&url=https://shop.example/';

describe("PageSpeed's stand-in", () => {
  it('answers for the categories that were asked, performance if none', async () => {
    const categories = async (query: string) =>
      Object.keys((await run(query)).body.lighthouseResult.categories);
    expect(await categories(`${site}&category=seo&category=best-practices`)).toEqual([
      'best-practices',
      'seo',
    ]);
    expect(await categories(site)).toEqual(['performance']);
  });

  it('has field data, unless the site is small', async () => {
    expect((await run(site)).body.loadingExperience.metrics).toHaveProperty('INTERACTION_TO_NEXT_PAINT');
    google.moods.set('shop.example', 'no-field-data');
    expect((await run(site)).body).not.toHaveProperty('loadingExperience');
  });

  it('tells of a page that could not be loaded', async () => {
    google.moods.set('shop.example', 'runtime-error');
    expect((await run(site)).body.lighthouseResult.runtimeError.code).toBe('NO_FCP');
  });

  it('refuses a wrong key and what is no address, in the words of Google', async () => {
    for (const query of ['key=other&url=https://shop.example/', 'key=key&url=shop', 'key=key'])
      expect(await run(query)).toMatchObject({
        status: 400,
        body: { error: { code: 400, status: 'INVALID_ARGUMENT' } },
      });
  });

  it('can be out of quota', async () => {
    google.faults.add({ match: 'runPagespeed', fault: { kind: 'status', status: 429 } });
    expect(await run(site)).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } });
  });
});
