import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** What a person prepared shows twice: in what the models are asked, and in what stands on the site. */
describe('an article shows', () => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterAll(() => played.stop());

  it('the person’s own photos, with alt text and caption, and charges nothing for them', async () => {
    const anna = await played.customer({ images: 1 });
    await addPhotos(played.bot, anna, ['Светлая кухня в Казани', 'Кухня с островом']);
    await atThePrice(anna);
    await anna.presses('Взять мои фото (2)');
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
    await anna.presses('500–1000 слов');
    await anna.sees('Объём: 500–1000 слов');
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
    await anna.presses('Обновить данные сайта');
    await anna.sees(/Данные сайта обновлены.*Страниц, на которые могут ссылаться статьи: \d+/s);
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
    const from = played.models.asked.length;
    await anna.presses('Создать статью');
    await seesPreview(anna);
    await anna.presses('Опубликовать');
    await anna.sees(/Статья опубликована/, LONG);
    const asked = (task: string): string =>
      played.models.asked
        .slice(from)
        .filter((request) => request.task === task)
        .map(({ text }) => text)
        .join('\n');
    return { content: anna.site.posts.values().at(-1)!.content, asked };
  }
});
