import { afterEach, describe, expect, it } from 'vitest';
import { makeWordPressPublisher } from '../../../src/platforms/wordpress/publisher.ts';
import type { Connection, ConnectionMetadata } from '../../../src/store/connections.ts';
import { article, type Desk, openDesk } from './desk.ts';

let desk: Desk | undefined;
afterEach(() => desk?.standIn.close());

const content = { ...article, category: 'Окна', images: [] };

describe('an article on its way over a connection', () => {
  it('is filed under its own topic and under no tag where nothing was chosen', async () => {
    const { post, site, remembered } = await published({});
    expect(named(site, post.categories)).toEqual(['Окна']);
    expect(named(site, post.tags)).toEqual([]);
    expect(site.terms.values().find(({ name }) => name === 'Окна')).toMatchObject({ slug: 'okna' });
    expect(post.meta).not.toHaveProperty('rank_math_robots');
    expect(remembered).toMatchObject({ wpTerms: { categories: { окна: expect.any(Number) } } });
  });

  it('is filed as the person has chosen, by number: of two namesakes the right one', async () => {
    const { post } = await published({
      wpCategories: [{ id: 502, name: 'Советы' }],
      wpTags: [{ id: 503, name: 'уход' }],
    });
    expect(post).toMatchObject({ categories: [502], tags: [503] });
  });

  it('is filed under both namesakes where both were chosen', async () => {
    const { post } = await published({
      wpCategories: [
        { id: 501, name: 'Советы' },
        { id: 502, name: 'Советы' },
      ],
    });
    expect(post.categories).toEqual([501, 502]);
  });

  it('is kept out of search where the person wants that', async () => {
    const { post } = await published({ seoRobots: 'noindex, follow' });
    expect(post.meta).toMatchObject({ rank_math_robots: ['noindex'] });
  });
});

async function published(metadata: ConnectionMetadata) {
  desk = await openDesk({ seo: 'rankmath' });
  const { site, adapter, admin, call } = desk;
  site.terms.put(501, { id: 501, taxonomy: 'categories', name: 'Советы', slug: 'sovety' });
  site.terms.put(502, { id: 502, taxonomy: 'categories', name: 'Советы', slug: 'sovety-2' });
  site.terms.put(503, { id: 503, taxonomy: 'tags', name: 'уход', slug: 'uhod' });
  const connection: Connection = {
    id: 3,
    projectId: 5,
    projectName: 'Окна',
    platform: 'wordpress',
    status: 'active',
    identifier: 'okna.example',
    metadata,
    createdAt: new Date(0),
  };
  let remembered: ConnectionMetadata = {};
  const publish = makeWordPressPublisher({
    adapter,
    async remember(_, change) {
      remembered = change.metadata;
    },
  });
  const credentials = { url: admin.url, login: admin.login, app_password: admin.appPassword };
  const { signal } = new AbortController();
  expect(await publish(connection, credentials, content, { ...call, signal })).toMatchObject({
    outcome: 'sent',
  });
  return { post: site.posts.values()[0]!, site, remembered };
}

const named = ({ terms }: Desk['site'], ids: number[]) => ids.map((id) => terms.get(id)?.name);
