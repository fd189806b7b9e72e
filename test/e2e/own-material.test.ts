import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aCluster } from '../support/article-customer.ts';
import { addPhotos } from '../support/own-photos.ts';
import {
  atThePrice,
  type Customer,
  LONG,
  PHRASE,
  type PlayedBot,
  seesPreview,
  startPlayedBot,
} from '../support/played-bot.ts';
import { aPoster, atThePostPrice, type Poster } from './played-walk-post.ts';

let played: PlayedBot;
beforeAll(async () => {
  played = await startPlayedBot();
});
afterAll(() => played.stop());

/** What a person prepared shows twice: in what the models are asked, and in what stands on the site. */
describe('an article shows', () => {
  it('the person’s own photos, with alt text and caption, and charges nothing for them', async () => {
    const anna = await played.customer({ images: 1 });
    await addPhotos(played.bot, anna, ['Светлая кухня в Казани', 'Кухня с островом']);
    await atThePrice(anna);
    await anna.presses('Взять мои фото (2)');
    await anna.sees(/Ваши фото: 2/);
    // A photo that is taken back is not replaced by a picture that costs tokens and was not asked for.
    await anna.presses('− моё фото');
    await anna.sees(/Ваши фото: 1, бесплатно\nНарисованные картинки: нет/);
    await anna.presses('+ моё фото');
    await anna.sees(/Ваши фото: 2/);
    await anna.presses('+ картинка');
    await anna.sees(/Нарисованные картинки: 1.*не больше 230 токенов \(текст 200, картинки 30\)/s);
    const { content, asked } = await published(anna);

    const text = asked('article');
    expect(text).toContain('<images_count>3</images_count>');
    expect(text).toContain('1 — Светлая кухня в Казани');
    // The first picture is the article's own on the site, so the theme shows it and the text does not.
    const figures = content.match(/<figure[\s\S]*?<\/figure>/gu) ?? [];
    expect(figures).toHaveLength(2);
    expect(figures[0]).toMatch(/alt="Кухня с островом[^"]*"/);
    expect(figures[0]).toMatch(/<figcaption>Кухня с островом/);
    const [featured] = anna.site.media.values();
    expect(featured).toMatchObject({
      mime: 'image/jpeg',
      alt: expect.stringContaining('Светлая кухня в Казани'),
      caption: expect.stringContaining('Светлая кухня в Казани'),
    });
    expect(anna.site.media.values().map(({ mime }) => mime)).toEqual([
      'image/jpeg',
      'image/jpeg',
      'image/webp',
    ]);
    const [row] = await played.bot.app.sql`
      select jsonb_array_length(media) as photos from categories where id = ${anna.categoryId}`;
    expect(row?.photos, 'the gallery keeps its photos when the draft is over').toBe(2);
    expect(await played.bot.app.pictures!.read(`media/${anna.id}/${anna.categoryId}/0.jpg`)).not.toBeNull();
  });

  it('the style and the length that were set', async () => {
    const anna = await played.customer({ images: 0 });
    await anna.forges(`category:${anna.categoryId}:card`);
    await anna.presses('Настройки контента');
    await anna.presses('Текст');
    await anna.presses('Стиль');
    await anna.presses('С юмором');
    await anna.sees('Сейчас: С юмором');
    await anna.presses('Готово');
    await anna.presses('Объём');
    await anna.presses('500–1\u2009000 слов');
    await anna.sees('Объём: 500–1\u2009000 слов');
    await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
    await anna.sees(/не больше 80 токенов/);
    const { asked, content } = await published(anna);
    expect(asked('article')).toContain('<text_style>С юмором</text_style>');
    expect(asked('article')).toContain('<words_max>1000</words_max>');
    const words = content.replace(/<[^>]*>/gu, ' ').match(/\p{L}+/gu)?.length ?? 0;
    expect(words, 'usually there are 1500 at least').toBeLessThan(1_400);
  });

  it('the picture style that was set, and as many pictures', async () => {
    const anna = await played.customer({ images: 4 });
    await anna.forges(`cs:${anna.categoryId}:d:is`);
    await anna.presses('Акварель');
    await anna.sees('Сейчас: Акварель');
    await anna.forges(`cs:${anna.categoryId}:wordpress:ic`);
    await anna.presses('1');
    await anna.sees('Количество: 1');
    await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
    await anna.sees('Картинки: 1');
    const { asked } = await published(anna);
    expect(asked('image')).toContain('watercolor');
    expect(anna.site.media.values()).toHaveLength(1);
  });

  it('the colours of the site', async () => {
    const anna = await played.customer({ images: 1 });
    await anna.forges(`project:${anna.projectId}:branding`);
    await anna.presses('Прочитать сайт');
    await anna.sees(/Данные сайта обновлены.*Страниц, на которые могут ссылаться статьи: \d+/s);
    await anna.presses(/акценты$/);
    anna.says('#ffe08a');
    await anna.sees(/Цвет сохранён.*«Ссылки и акценты»: на этом фоне такой цвет плохо читается/s);
    for (const [label, colour] of [
      [/текст$/, '#203040'],
      [/акценты$/, '#9c2f10'],
      [/фон$/, '#ffffff'],
    ] as const) {
      await anna.presses(label);
      await anna.sees('Пришлите цвет');
      anna.says(colour);
      await anna.sees('Цвет сохранён');
    }
    await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
    await anna.sees('Стоимость');
    const { asked, content } = await published(anna);
    expect(asked('image')).toContain('#9c2f10');
    expect(content).toMatch(/style="color: ?#9c2f10/);
    expect(content).toMatch(/<p style="color: ?#203040/);
  });

  it('what only the owner knows, and nothing of what they do not want', async () => {
    const anna = await played.customer({ images: 0 });
    await atThePrice(anna);
    await anna.presses('Добавить то, что знаете только вы');
    await anna.sees('Что знаете только вы?');
    anna.says('а'.repeat(601));
    await anna.sees('от 1 до 600 знаков');
    anna.says('Стены новостроек уходят на 3 см, доборная планка у нас стоит 1 900 ₽.');
    await anna.sees('О чём не писать?');
    anna.says('массив, эмаль');
    await anna.sees(/Расскажем от вас: Стены новостроек уходят на 3 см.*Не пишем о: массив, эмаль/s);
    const { content, asked } = await published(anna);

    const told = asked('article');
    expect(told).toContain('<own_knowledge>\nСтены новостроек уходят на 3 см');
    expect(told).toMatch(/<avoid>\s*массив, эмаль/);
    expect(asked('article_outline')).toContain('Стены новостроек');
    expect(content).toContain('доборная планка у нас стоит 1 900 ₽');
    expect(content).not.toMatch(/массив|эмал/iu);
    const [row] = await played.bot.app.sql`
      select own_knowledge as knows, avoid from categories where id = ${anna.categoryId}`;
    expect(row).toEqual({ knows: expect.stringContaining('1 900 ₽'), avoid: 'массив, эмаль' });

    await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
    await anna.sees('Расскажем от вас: Стены новостроек');
    await anna.presses('Что знаете только вы ✓');
    await anna.presses('Стереть');
    await anna.sees('О чём не писать?');
    await anna.presses('Оставить как есть');
    const seen = await anna.sees(/Стоимость/);
    expect(seen.text).not.toContain('Расскажем от вас');
    expect(seen.text).toContain('Не пишем о: массив, эмаль');
  });

  it('no second answer to a question: the clash is named with its link, and another phrase is offered', async () => {
    const keywords = [aCluster(PHRASE, { total_volume: 50_000 }), aCluster('шкафы на заказ')];
    const anna = await played.customer({ keywords, images: 0 });
    const { sql } = played.bot.app;
    await sql`
      insert into publication_logs (user_id, project_id, category_id, platform_type, keyword, content_type, post_url,
        created_at)
      values (${anna.id}, ${anna.projectId}, ${anna.categoryId}, 'wordpress', 'на заказ кухня', 'article',
        'https://kuhni.example/kuhnya', now() - interval '200 days')`;
    await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
    const seen = await anna.sees(/Об этом уже есть статья: на заказ кухня/);
    expect(seen.entities).toContainEqual(
      expect.objectContaining({ type: 'text_link', url: 'https://kuhni.example/kuhnya' }),
    );
    await anna.presses('Другая фраза');
    await anna.presses(/^шкафы на заказ/);
    const other = await anna.sees('Фраза: «шкафы на заказ»');
    expect(other.text).not.toContain('Об этом уже');
  });

  async function published(anna: Customer) {
    const asked = await askedWhile(async () => {
      await anna.presses('Создать статью');
      await seesPreview(anna);
      await anna.presses('Опубликовать');
      await anna.sees(/Статья опубликована/, LONG);
    });
    return { content: anna.site.posts.values().at(-1)!.content, asked };
  }
});

describe('a post shows', () => {
  const review = { author: 'Ольга П.', text: 'Кухню собрали за день, фасады сели ровно.', real: true };

  it.each([
    ['prices', 'Кухня «Осло» — 145 000 ₽', 'Кухня «Осло» — 145 000 ₽', '145 000'],
    [
      'description',
      'Угловые кухни под старые квартиры с неровными стенами. Замер бесплатно.',
      'Угловые кухни под старые квартиры',
      'Угловые кухни под старые квартиры с неровными стенами',
    ],
    [
      'reviews',
      JSON.stringify([review]),
      'Ольга П.: Кухню собрали за день, фасады сели ровно.',
      'Кухню собрали за день, фасады сели ровно',
    ],
  ])('the %s of its category', async (column, value, asks, says) => {
    const { sql } = played.bot.app;
    const [bare, filled] = [await aPoster(played, { images: 0 }), await aPoster(played, { images: 0 })];
    await sql`
      update categories set ${sql(column)} = ${column === 'reviews' ? sql`${value}::text::jsonb` : value}
      where id = ${filled.categoryId}`;
    const [without, withIt] = [await published(bare), await published(filled)];
    expect(withIt.asked('social_post')).toContain(asks);
    expect(without.asked('social_post')).not.toContain(asks);
    expect(withIt.text).toContain(says);
    expect(without.text).not.toContain(says);
  });

  it('the style that was set, and whether it has a picture', async () => {
    const anna = await aPoster(played, { images: 1 });
    await anna.forges(`cs:${anna.categoryId}:telegram:ts`);
    await anna.presses('С юмором');
    await anna.sees(/Сейчас: .*С юмором/);
    const { asked, photo } = await published(anna);
    expect(asked('social_post')).toMatch(/<text_style>.*С юмором.*<\/text_style>/);
    expect(photo).toBe(true);
    await anna.forges(`cs:${anna.categoryId}:telegram:ic`);
    await anna.presses(/^0$/);
    await anna.sees('Количество: 0');
    const plain = await published(anna);
    expect(plain.photo).toBe(false);
    expect(plain.asked('image')).toBe('');
  });

  it('the colours of the site and the picture style, in what the artist is asked', async () => {
    const anna = await aPoster(played, { images: 1 });
    await played.bot.app.sql`
      insert into site_brandings (project_id, url, colors)
      values (${anna.projectId}, 'https://kuhni.example', '{"accent": "#9c2f10"}')`;
    await anna.forges(`cs:${anna.categoryId}:d:is`);
    await anna.presses('Акварель');
    await anna.sees('Сейчас: Акварель');
    const { asked, photo } = await published(anna);
    expect(asked('image')).toContain('#9c2f10');
    expect(asked('image')).toContain('watercolor');
    expect(photo).toBe(true);
  });

  async function published(anna: Poster) {
    const before = anna.posts().length;
    const asked = await askedWhile(async () => {
      await atThePostPrice(anna);
      await anna.presses('Создать пост');
      await vi.waitFor(() => expect(anna.labels()).toContain('Опубликовать'), LONG.timeoutMs);
      await anna.presses('Опубликовать');
      await anna.sees(/Пост опубликован/, LONG);
    });
    // A text that is too long for a caption follows its photo.
    const posted = anna.posts().slice(before);
    const text = posted.map((message) => message.text ?? message.caption ?? '').join('\n');
    return { asked, text, photo: posted.some(({ photo }) => photo !== undefined) };
  }
});

/** What the models were asked while something was done, by task. */
async function askedWhile(work: () => Promise<unknown>): Promise<(task: string) => string> {
  const from = played.models.asked.length;
  await work();
  const asked = played.models.asked.slice(from);
  return (task) =>
    asked
      .filter((request) => request.task === task)
      .map(({ text }) => text)
      .join('\n');
}
