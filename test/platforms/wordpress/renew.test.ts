import { afterEach, describe, expect, it } from 'vitest';
import { makeRenewPost } from '../../../src/platforms/wordpress/renew.ts';
import { article, type Desk, openDesk } from './desk.ts';

describe('finding a published article on its site', () => {
  let desk: Desk;
  afterEach(() => desk.standIn.close());

  it('takes the one of this number where addresses are numbers, not the newest', async () => {
    desk = await openDesk({ permalinks: 'plain' });
    const ours = await published('okna');
    await published('dveri');
    expect(ours).toMatch(/\?p=\d+$/u);
    expect(await found(ours)).toMatchObject({ link: ours });
  });

  it('finds none where a number is no longer there', async () => {
    desk = await openDesk({ permalinks: 'plain' });
    const ours = await published('okna');
    await published('dveri');
    desk.site.posts.remove(Number(new URL(ours).searchParams.get('p')));
    expect(await found(ours)).toBeNull();
  });

  it('finds none where it lies in the bin', async () => {
    desk = await openDesk({ permalinks: 'plain' });
    const ours = await published('okna');
    const post = desk.site.posts.get(Number(new URL(ours).searchParams.get('p')))!;
    desk.site.posts.put(post.id, { ...post, status: 'trash' });
    expect(await found(ours)).toBeNull();
  });

  it.each(['pretty', 'numbered', 'html'] as const)('finds it where addresses are %s', async (permalinks) => {
    desk = await openDesk({ permalinks });
    const ours = await published('okna');
    await published('dveri');
    expect(await found(ours)).toMatchObject({ link: ours });
  });

  it('finds it at its name also after the folders before it were changed', async () => {
    desk = await openDesk();
    const ours = await published('okna');
    expect(await found(ours.replace('/okna/', '/blog/okna/'))).toMatchObject({ link: ours });
  });

  async function published(slug: string): Promise<string> {
    const answer = await desk.adapter.publish(
      desk.admin,
      { ...article, slug, title: slug, images: [] },
      { ...desk.call, idempotencyKey: slug, stage: (_, work) => work() },
    );
    if (answer.outcome !== 'sent') throw new Error(`Expected ${slug} to be published`);
    return answer.url!;
  }

  const found = (url: string) => makeRenewPost({ wordpress: desk.wordpress }).find(desk.admin, url);
});
