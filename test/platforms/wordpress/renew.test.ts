import { pino } from 'pino';
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

  const found = (url: string) => renewing(desk).find(desk.admin, url);
});

describe('the description that search engines read', () => {
  let desk: Desk;
  afterEach(() => desk.standIn.close());

  it.each(['yoast', 'rankmath', 'seopress'] as const)(
    'follows a new version and comes back with the old one, where %s keeps it',
    async (seo) => {
      desk = await openDesk({ seo });
      const id = await published();
      const before = meta(id);
      await put(id, renewedText, text);
      expect(meta(id)).toEqual({ ...before, [keys[seo]]: 'Окна «под ключ» & монтаж' });
      await put(id, renewedText, text);
      expect(meta(id)).toEqual({ ...before, [keys[seo]]: 'Окна «под ключ» & монтаж' });
      await put(id, text, renewedText);
      expect(meta(id)).toEqual(before);
    },
  );

  it.each(['yoast', 'rankmath', 'seopress'] as const)(
    'stays as its owner has written it in %s',
    async (seo) => {
      desk = await openDesk({ seo });
      const id = await published();
      const post = desk.site.posts.get(id)!;
      desk.site.posts.put(id, {
        ...post,
        meta: { ...post.meta, [keys[seo]]: 'Описание для выдачи. Звоните!' },
      });
      const edited = meta(id);
      await put(id, renewedText, text);
      expect(meta(id)).toEqual(edited);
      expect(desk.site.posts.get(id)!.excerpt).toBe(renewedText.excerpt);
    },
  );

  it('costs no new version when the plugin refuses it', async () => {
    desk = await openDesk({ seo: 'seopress' });
    const id = await published();
    const fault = { kind: 'status', status: 500 } as const;
    desk.standIn.faults.add({ match: 'title-description-metas', fault, times: null });
    expect(await put(id, renewedText, text)).toMatchObject({ id, excerpt: renewedText.excerpt });
  });

  const keys = {
    yoast: '_yoast_wpseo_metadesc',
    rankmath: 'rank_math_description',
    seopress: '_seopress_titles_desc',
  };
  const { description } = article.seo;
  const text = { title: 'Окна', content: '<p>Окна.</p>', excerpt: description };
  const renewedText = { ...text, content: '<p>Новые окна.</p>', excerpt: 'Окна «под ключ» &amp; монтаж' };
  const meta = (id: number) => ({ ...desk.site.posts.get(id)!.meta });
  const put = (id: number, after: typeof text, before: typeof text) =>
    renewing(desk).put(desk.admin, id, after, before);

  async function published(): Promise<number> {
    const answer = await desk.adapter.publish(
      desk.admin,
      { ...article, excerpt: description, images: [] },
      desk.call,
    );
    if (answer.outcome !== 'sent') throw new Error('Expected the article to be published');
    return Number(answer.providerMessageId);
  }
});

const renewing = ({ wordpress }: Desk) => makeRenewPost({ wordpress, log: pino({ level: 'silent' }) });
