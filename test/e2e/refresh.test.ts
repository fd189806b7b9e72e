import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atThePreview, type Customer, LONG, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';

describe('a published article', () => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterAll(() => played.stop());

  it('is renewed at the same address with its differences shown, rests, and is taken back with one press', async () => {
    const anna = await withArticle();
    const before = { ...thePost(anna) };
    await anna.presses('Обновить статью');
    await anna.sees(/Посмотрю, что изменилось в поиске.*Стоимость: не больше \d+ токенов/s);
    await anna.presses('Предложить новый вариант');
    const shown = await anna.sees(/Появилось в статье:\n＋ .+Без изменений: \d+ абзац/s, LONG);
    expect(anna.labels()).toContain('Все отличия');
    expect(shown.text).toMatch(/Было [\d\s]+сло.*станет/s);
    expect(thePost(anna).content, 'nothing changes before the owner agrees').toBe(before.content);

    await anna.presses('Обновить на сайте');
    await anna.sees('Статья обновлена на том же адресе', LONG);
    const after = { ...thePost(anna) };
    expect(anna.site.posts.values()).toHaveLength(1);
    expect(after).toMatchObject({ id: before.id, slug: before.slug });
    expect(after.content).not.toBe(before.content);
    const figure = /<figure[\s\S]*?<\/figure>/u;
    expect(after.content.match(figure)?.[0]).toBe(before.content.match(figure)?.[0]);
    const [data] = dataIn(after.content);
    const [old] = dataIn(before.content);
    expect(data).toMatchObject({ datePublished: expect.any(String), image: old!.image });
    expect(Date.parse(data!.dateModified!)).toBeGreaterThan(Date.parse(old!.dateModified!));
    expect(data!.mainEntityOfPage).toEqual(old!.mainEntityOfPage);

    await anna.forges(`publication:${await publicationOf(anna)}:refresh`);
    await anna.sees('Статью уже обновили. Поиску нужно время');

    await anna.presses('Вернуть прежний вариант');
    await anna.sees('Прежний вариант снова на сайте');
    expect(thePost(anna)).toMatchObject({
      id: before.id,
      content: before.content,
      title: before.title,
      excerpt: before.excerpt,
    });
    expect(anna.labels()).toContain('Обновить статью');
  });

  it('that its owner edited meanwhile keeps the edits', async () => {
    const anna = await withArticle();
    await anna.presses('Обновить статью');
    await anna.presses('Предложить новый вариант');
    await anna.sees('Появилось в статье:', LONG);
    const post = thePost(anna);
    post.content = post.content.replace('</p>', ' Правка владельца.</p>');
    await anna.presses('Обновить на сайте');
    await anna.sees(/^⚠ Статью тем временем правили на сайте/, LONG);
    expect(thePost(anna).content).toContain('Правка владельца.');
  });

  it('with parts that were added on the site is left alone, and its tokens come back', async () => {
    const anna = await withArticle();
    const balance = await anna.balance();
    const post = thePost(anna);
    post.content += '<iframe src="https://video.example/1"></iframe>';
    await anna.presses('Обновить статью');
    await anna.presses('Предложить новый вариант');
    await anna.sees(/В статью на сайте добавили видео.*Вернулось/s, LONG);
    expect(await anna.balance()).toBe(balance);
  });

  it('is offered for renewal from the list of publications, the oldest first', async () => {
    const anna = await withArticle();
    await anna.forges(`project:${anna.projectId}:publications`);
    await anna.sees(/^Публикации/);
    await anna.presses('Обновить статью');
    await anna.sees('Какую статью обновить?');
    await anna.presses(/^кухни на заказ/);
    await anna.sees('Посмотрю, что изменилось в поиске');
  });

  async function withArticle(): Promise<Customer> {
    const anna = await played.customer({ images: 2 });
    await atThePreview(anna);
    await anna.presses('Опубликовать');
    await anna.sees('Статья опубликована', LONG);
    return anna;
  }

  const thePost = (anna: Customer) => anna.site.posts.values().at(-1)!;

  async function publicationOf(anna: Customer): Promise<number> {
    const [row] = await played.bot.app.sql<[{ id: number }]>`
      select id from publication_logs where user_id = ${anna.id}`;
    return row.id;
  }
});

type Data = { dateModified?: string; image?: unknown; mainEntityOfPage?: unknown };

const dataIn = (content: string): Data[] =>
  [...content.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/gu)].map(
    ([, text]) => JSON.parse(text!) as Data,
  );
