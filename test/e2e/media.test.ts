import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCategory, personWithProjects } from '../support/accounts.ts';
import { startBot, type TestBot } from '../support/bot.ts';

const aPhoto = (hue: number, side = 60): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: hue, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer();

describe('the photos of a category', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot();
  });
  afterAll(() => bot.stop());

  it('come as an album, are shown with their numbers, and go one by one', async () => {
    const anna = await aGallery();
    await sendsAlbum(anna.id, 10);
    await anna.sees(/✓ Добавлено: 10 фото\. Всего 10\/20/);
    await anna.presses('Готово');
    await anna.sees('10/20');
    await anna.presses('Показать');
    await anna.sees('10 фотографий');
    const album = anna.messages().filter(({ from, media_group_id }) => from?.is_bot && media_group_id);
    expect(album.map(({ caption }) => caption)).toEqual(
      Array.from({ length: 10 }, (_, i) => expect.stringMatching(new RegExp(`^№${i + 1}(?: ·|$)`, 'u'))),
    );

    await anna.presses('Удалить №…');
    await anna.presses('№3');
    await anna.sees('Удалить фото №3?');
    await anna.presses('Да, удалить');
    await anna.sees('Фото №3 удалено.');
    expect(await stored(anna.categoryId)).toHaveLength(9);
  });

  it('are our own copies, without the notes of the camera, under a place of their own', async () => {
    const anna = await aGallery();
    const noted = await sharp(await aPhoto(10))
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    bot.telegram.people.photo(anna.id, { name: 'a.jpg', mime: 'image/jpeg', bytes: noted }, 'Наш букет');
    await anna.sees('Добавлено: 1 фото');
    const [photo] = await stored(anna.categoryId);
    expect(photo).toMatchObject({ type: 'photo', caption: 'Наш букет', width: 60, height: 60 });
    expect(photo?.path).toMatch(new RegExp(`^media/${anna.id}/${anna.categoryId}/[0-9a-f]{32}\\.jpg$`, 'u'));
    const bytes = await bot.app.pictures!.read(photo!.path);
    expect((await sharp(bytes!).metadata()).exif).toBeUndefined();
  });

  it('are taken once, however often they are sent', async () => {
    const anna = await aGallery();
    const bytes = await aPhoto(77);
    for (const words of ['Добавлено: 1 фото', 'Уже есть в категории: 1']) {
      bot.telegram.people.photo(anna.id, { name: 'a.jpg', mime: 'image/jpeg', bytes });
      await anna.sees(words);
      await anna.presses('Готово');
      await anna.presses('Загрузить');
      await anna.sees('Пришлите фото');
    }
    expect(await stored(anna.categoryId)).toHaveLength(1);
  });

  it('are refused by name when they are no pictures, and the others are taken', async () => {
    const anna = await aGallery();
    const group = 'mixed';
    const file = (name: string, bytes: Buffer) =>
      bot.telegram.people.document(anna.id, { name, mime: 'image/png', bytes }, undefined, group);
    file('dogovor.png', Buffer.from('%PDF-1.7 not a picture'));
    file('buket.jpg', await aPhoto(31));
    await anna.sees(/Добавлено: 1 фото.*✕ dogovor\.png: Этот файл не подходит/s);
    anna.says('вот фото');
    await anna.sees('Пожалуйста, отправьте фотографию');
  });

  it('are twenty at most', async () => {
    const anna = await aGallery();
    await sendsAlbum(anna.id, 10);
    await anna.sees('10/20');
    await sendsAlbum(anna.id, 10, 100);
    await anna.sees('20/20');
    bot.telegram.people.photo(anna.id, { name: 'x.jpg', mime: 'image/jpeg', bytes: await aPhoto(250) });
    await anna.sees('больше 20 фото в категории не хранится');
    await anna.presses('Готово');
    await anna.presses('Очистить');
    await anna.sees(/Удалить все фото.*20 фотографий/s);
    await anna.presses('Да, удалить');
    await anna.sees('Фото удалены.');
    expect(await stored(anna.categoryId)).toEqual([]);
  });

  async function aGallery() {
    const anna = await personWithProjects(bot, ['Цветы']);
    const categoryId = await addCategory(bot, anna.projectIds[0]!, 'Букеты');
    await anna.forges(`media:${categoryId}:upload`);
    await anna.sees('Пришлите фото');
    return Object.assign(anna, { categoryId });
  }

  async function sendsAlbum(id: number, count: number, from = 0): Promise<void> {
    const photos = await Promise.all(Array.from({ length: count }, (_, i) => aPhoto(from + i * 7)));
    for (const bytes of photos)
      bot.telegram.people.photo(
        id,
        { name: '', mime: 'image/jpeg', bytes },
        undefined,
        `album-${id}-${from}`,
      );
  }

  async function stored(categoryId: number): Promise<{ path: string }[]> {
    const [row] = await bot.app.sql<{ media: { path: string }[] }[]>`
      select media from categories where id = ${categoryId}`;
    return row!.media;
  }
});
