import { describe, expect, it } from 'vitest';
import { WordPressFailed } from '../../../src/platforms/wordpress/client-failed.ts';
import { makeReachSite } from '../../../src/platforms/wordpress/reach-site.ts';

const ANNA = 1;
const BORIS = 2;
const input = { run: 'run-1', userId: ANNA, projectId: 5, url: 'https://www.romashka.ru/' };
const signal = new AbortController().signal;
const romashka = {
  identifier: 'romashka.ru',
  url: 'https://romashka.ru/',
  siteName: 'Ромашка',
  authorizationUrl: null,
};

type Deps = Parameters<typeof makeReachSite>[0];
const reach = (deps: Partial<Deps> = {}) =>
  makeReachSite({
    inspect: async () => romashka,
    owners: async () => [],
    offerGrant: async () => null,
    ...deps,
  })(input, signal);

const owner = (userId: number, projectId: number) => ({
  userId,
  projectId,
  projectName: `Проект ${projectId}`,
});

describe('a look at an address', () => {
  it('tells what the site is called, and asks nothing more', async () => {
    expect(await reach()).toEqual({
      identifier: 'romashka.ru',
      name: 'Ромашка',
      url: 'https://romashka.ru/',
      authorization: null,
      otherProject: null,
    });
  });

  it('E41: names another project of the person that publishes there', async () => {
    expect(await reach({ owners: async () => [owner(ANNA, 6)] })).toMatchObject({ otherProject: 'Проект 6' });
  });

  it('asks nothing about a site that is already in this project', async () => {
    const owners = async () => [owner(ANNA, 6), owner(ANNA, 5)];
    expect(await reach({ owners })).toMatchObject({ otherProject: null });
  });

  it('does not tell a stranger that somebody else publishes there', async () => {
    expect(await reach({ owners: async () => [owner(BORIS, 9)] })).toMatchObject({ otherProject: null });
  });

  it('keeps a Russian host readable', async () => {
    const inspect = async () => ({ ...romashka, identifier: 'xn--80aaxitdbjk.xn--p1ai/blog' });
    expect(await reach({ inspect })).toMatchObject({
      identifier: expect.stringMatching(/^\p{Script=Cyrillic}+\.рф\/blog$/u),
    });
  });

  it('does not let a site’s name fill the screen', async () => {
    const inspect = async () => ({ ...romashka, siteName: `Ромашка\n\n${'🌼'.repeat(5_000)}` });
    expect((await reach({ inspect })).name).toBe(`Ромашка ${'🌼'.repeat(92)}`);
  });

  it('goes on to a site that speaks only with those who log in', async () => {
    const closed = new WordPressFailed('rest-off', 'the index', { status: 401, code: 'rest_login_required' });
    expect(await reach({ inspect: () => Promise.reject(closed) })).toMatchObject({
      identifier: 'romashka.ru',
      name: '',
    });
  });

  it('stays where there is no WordPress, or no site', async () => {
    for (const fault of ['not-wordpress', 'unreachable', 'html'] as const) {
      const failure = new WordPressFailed(fault, 'the index', { status: 403 });
      await expect(reach({ inspect: () => Promise.reject(failure) })).rejects.toBe(failure);
    }
  });
});
