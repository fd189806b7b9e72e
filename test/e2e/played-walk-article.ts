import { expect } from 'vitest';
import { aCluster } from '../support/article-customer.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { addPhotos } from '../support/own-photos.ts';
import {
  AUTOMATION_OFFER,
  atThePreview,
  atThePrice,
  type Customer,
  LONG,
  PHRASE,
  type PlayedBot,
  SLOW_MS,
  seesPreview,
} from '../support/played-bot.ts';
import { refusingDrafts } from '../support/refusing-database.ts';
import { ageDraft, aWaitingDraft, DRAFT_TITLE } from '../support/waiting-draft.ts';
import { takesTheArticle } from './played-walk-ends.ts';
import { tellsWhatOnlyTheyKnow } from './played-walk-own-knowledge.ts';

/** People who have an article written: what they see, what it costs them, what arrives on their site. */
export async function playArticlePublish(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers, wordpress } = played;
  await Promise.all([
    publishesTheSecondVersion(),
    waitsLongForTheText(),
    waitsLongForAnotherVersion(),
    waitsLongForTheSite(),
    cannotPay(),
    getsNoArticle(),
    meetsEveryTrouble(),
    comesTooLateToPublish(),
    comesTooLateForAnotherVersion(),
    choosesWhatIsWritten(),
    findsNoOtherPhrase(),
    paysForAThirdVersion(),
    saysWhatToChange(),
    takesOwnPhotos(),
    tellsOwnKnowledge(),
    takesTheArticle(played, async () => (await withDraft()).anna),
  ]);

  async function tellsOwnKnowledge(): Promise<void> {
    const anna = await played.customer({ images: 0 });
    await atThePrice(anna);
    await tellsWhatOnlyTheyKnow(played, anna);
  }

  async function takesOwnPhotos(): Promise<void> {
    const anna = await played.customer({ images: 1 });
    await addPhotos(bot, anna, ['Кухня в Казани', '']);
    await atThePrice(anna);
    await anna.presses('Взять мои фото (2)');
    await anna.sees(/Ваши фото: 2, бесплатно\nНарисованные картинки: нет/);
    await anna.presses('− моё фото');
    await anna.sees(/Ваши фото: 1, бесплатно.*Стоимость: не больше 200 токенов/s);
    await anna.presses('Без моих фото');
    await anna.sees('Картинки: 1');
  }

  async function publishesTheSecondVersion(): Promise<void> {
    const anna = await played.customer({ images: 2 });
    anna.site.change({ seo: 'yoast' });
    await atThePrice(anna);
    expect(anna.screen()?.text).toMatch(/не больше 260 токенов \(текст 200, картинки 60\)/);
    expect(anna.labels()).toEqual([
      ...['Создать статью', 'Добавить то, что знаете только вы', 'Другая фраза'],
      ...['− картинка', '+ картинка', 'Отмена'],
    ]);
    await watches(anna, 'Создать статью', /^Пишу статью по фразе «кухни на заказ»/);
    const first = await seesPreview(anna);
    expect(first.text).toMatch(/2 картинки\nФраза: «кухни на заказ».*\nСписано: 260 токенов/);
    expect(anna.labels()).toEqual([
      'Открыть предпросмотр',
      'Опубликовать',
      'Сохранить черновиком в WordPress',
      'Скачать HTML',
      'Читать здесь',
      'Перегенерировать (0/2)',
      'Отмена — вернуть токены',
    ]);
    expect(await anna.balance()).toBe(1_240);

    await watches(anna, /^Перегенерировать/, /^Пишу другой вариант.*Прежний текст пока на месте/);
    const { text = '' } = await seesPreview(anna);
    expect(anna.labels()).toContain('Перегенерировать (1/2)');
    expect(await anna.balance(), 'the first two are free').toBe(1_240);

    await anna.presses('Опубликовать');
    await anna.sees(/^Статья опубликована на .*списано 260 токенов\nНа балансе 1\u2009240 токенов/s, LONG);
    expect(anna.labels()).toEqual([
      'Открыть на сайте',
      'Ещё статью',
      'Добавить описание',
      ...AUTOMATION_OFFER,
      'Обновить статью',
      'К категории',
      'К публикациям',
      'Меню',
    ]);
    expect(await anna.balance()).toBe(1_240);
    await arrived(anna, text.split('\n', 1)[0]!);
  }

  /** Sees where the work is before it goes on. */
  async function watches(anna: Customer, label: string | RegExp, words: RegExp): Promise<void> {
    const release = models.hold('article', anna.company);
    await anna.presses(label);
    await anna.sees(words);
    await anna.sees(/✓ Смотрю выдачу Google и конкурентов\n▸ Пишу текст/, LONG);
    release();
  }

  async function waitsLongForTheText(): Promise<void> {
    const anna = await played.customer({ images: 0 });
    await atThePrice(anna);
    await waitsLong(anna, 'Создать статью');
  }

  async function waitsLongForAnotherVersion(): Promise<void> {
    const { anna } = await withDraft();
    await waitsLong(anna, /^Перегенерировать/);
  }

  async function waitsLong(anna: Customer, label: string | RegExp): Promise<void> {
    const release = models.hold('article', anna.company);
    await anna.presses(label);
    await anna.sees('Дольше обычного: внешние сервисы отвечают медленно.', LONG);
    release();
    await seesPreview(anna);
  }

  async function waitsLongForTheSite(): Promise<void> {
    const { anna } = await withDraft();
    const posts = `POST /${anna.path}/wp-json/wp/v2/posts`;
    wordpress.faults.add({ match: posts, fault: { kind: 'slow', ms: SLOW_MS } });
    await anna.presses('Опубликовать');
    await anna.sees(/^Публикую «.*Обычно это до минуты/s);
    await anna.sees('Дольше обычного: сайт отвечает медленно.', LONG);
    await anna.sees('Статья опубликована', LONG);
    expect(anna.site.posts.values()).toHaveLength(1);
  }

  async function arrived({ id, site, categoryId }: Customer, title: string): Promise<void> {
    const [post, ...more] = site.posts.values();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ status: 'publish', title });
    const media = site.media.values();
    expect(media).toHaveLength(2);
    for (const { id: picture, alt, file, mime } of media) {
      expect(alt).toMatch(/[а-я]{3}/iu);
      expect(mime).toBe('image/webp');
      expect(post?.content).toContain(file);
      // The theme shows the featured picture: the text would show it a second time, and only search engines get it there.
      const isShown = picture !== post?.featuredMedia;
      expect(post?.content.includes(`wp-image-${picture}"`)).toBe(isShown);
    }
    expect(post?.featuredMedia).toBe(media[0]?.id);
    expect(post?.meta).toMatchObject({ _yoast_wpseo_focuskw: PHRASE });
    const nameOf = (term: number) => site.terms.values().find((one) => one.id === term)?.name;
    expect(post?.categories.map(nameOf)).toEqual(['Кухни на заказ']);
    expect(post?.tags, 'the archive of such a tag would compete with the article').toEqual([]);
    const logged = await bot.app.sql`
      select status, platform_type as platform, content_type as type, keyword, category_id as category,
        tokens_spent as tokens, images_count as images
      from publication_logs where user_id = ${id}`;
    expect([...logged]).toEqual([
      {
        status: 'success',
        platform: 'wordpress',
        type: 'article',
        keyword: PHRASE,
        category: categoryId,
        tokens: 260,
        images: 2,
      },
    ]);
  }

  /** E01: nothing was asked of anybody, and the question stands. */
  async function cannotPay(): Promise<void> {
    const anna = await played.customer();
    await atThePrice(anna);
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Создать статью');
    await anna.sees(/^Недостаточно токенов\. Нужно 230, у вас 10\..*Статья для /s);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Статья для .*На балансе: 1 010 токенов/s);
    await anna.presses('Отмена');
    await anna.sees(/^Статья отменена\..*Подключение работает/s);
    expect(await anna.balance()).toBe(1_010);
    await cannotPayAnotherVersion();
  }

  /** E10: the present text stays, and after a payment its complaint is gone. */
  async function cannotPayAnotherVersion(): Promise<void> {
    const anna = await played.customer();
    await atThePreview(anna);
    await bot.app.sql`update article_previews set regeneration_count = 2 where user_id = ${anna.id}`;
    await bot.app
      .sql`select charge_balance(${anna.id}, ${(await anna.balance())!}, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses(/Перегенерировать/);
    await anna.sees(/Недостаточно токенов/, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    const { text } = await anna.sees(/Черновик хранится 24 часа/);
    expect(text).not.toContain('Недостаточно');
  }

  /** E12, E35: no model writes. */
  async function getsNoArticle(): Promise<void> {
    const anna = await played.customer();
    suppliers.openRouter.moods.add({ kind: 'fails', task: 'article', prompt: anna.company, times: null });
    await atThePrice(anna);
    await anna.presses('Создать статью');
    await anna.sees(/^Статья не получилась\. Нейросеть сейчас не отвечает.*Вернулось 230 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
    expect(anna.site.posts.values()).toEqual([]);
  }

  async function meetsEveryTrouble(): Promise<void> {
    const { anna } = await withDraft();
    expect(await anna.balance()).toBe(1_270);
    anna.site.change({ applicationPasswords: false });
    await anna.presses('Опубликовать');
    await anna.sees(/^⚠ Сайт не узнал пользователя/, LONG);
    expect(anna.labels()).toContain('Проверить подключение');

    suppliers.openRouter.moods.add({ kind: 'fails', task: 'article', prompt: anna.company, times: null });
    await anna.presses(/^Перегенерировать/);
    await anna.sees(/^⚠ Нейросеть сейчас не отвечает/, LONG);
    expect(anna.screen()?.text).toContain(DRAFT_TITLE);
    expect(anna.labels()).toContain('Перегенерировать (0/2)');

    const keep = await refusingDrafts(bot.app.sql, anna, 'cancelled');
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^⚠ Что-то пошло не так/);
    expect(await anna.balance()).toBe(1_270);
    await keep();
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^Статья отменена, черновик удалён\. Вернулось 230 токенов\./);
    expect(await anna.balance()).toBe(1_500);
    expect(anna.site.posts.values()).toEqual([]);
  }

  /** E18. */
  async function comesTooLateToPublish(): Promise<void> {
    const { anna, draftId } = await withDraft();
    await ageDraft(bot.app.sql, draftId);
    await anna.presses('Опубликовать');
    await anna.sees(/^Предпросмотр устарел/);
    expect(anna.site.posts.values()).toEqual([]);
  }

  async function comesTooLateForAnotherVersion(): Promise<void> {
    const { anna, draftId } = await withDraft();
    await ageDraft(bot.app.sql, draftId);
    await anna.presses(/^Перегенерировать/);
    await anna.sees(/^Предпросмотр устарел/);
  }

  async function choosesWhatIsWritten(): Promise<void> {
    const others = Array.from({ length: 12 }, (_, n) => `кухни из дерева ${n + 1}`);
    const anna = await played.customer({
      keywords: [aCluster(PHRASE, { total_volume: 5_000 }), ...others.map((phrase) => aCluster(phrase))],
    });
    await bot.app
      .sql`insert into publication_logs (user_id, project_id, category_id, platform_type, content_type, keyword, status)
      values (${anna.id}, ${anna.projectId}, ${anna.categoryId}, 'wordpress', 'article', 'кухни из дерева 3', 'success')`;
    await bot.app.sql`select charge_balance(${anna.id}, 1280, ${`spent:${anna.id}`}, 'review')`;
    await atThePrice(anna);
    await anna.presses('Другая фраза');
    await anna.sees('О чём написать?');
    expect(anna.labels()).toHaveLength(12);
    await anna.presses('Ещё фразы');
    await anna.sees('О чём написать?');
    expect(anna.labels().at(-2)).toMatch(/^кухни из дерева 3 · .*уже была$/);
    await anna.presses('Назад');
    await anna.sees('Фраза: «кухни на заказ»');
    await anna.presses('Другая фраза');
    await anna.presses(/^кухни из дерева 2 /);
    await anna.sees(/Фраза: «кухни из дерева 2» \(.*запрос.* в месяц\)/);

    await anna.presses('Создать статью');
    await anna.sees(/^Недостаточно токенов\. Нужно 230, у вас 220\./);
    await anna.presses('− картинка');
    await anna.sees(/Картинки: без картинок.*не больше 200 токенов/s);
    expect(anna.labels()).not.toContain('− картинка');
    await anna.presses('Создать статью');
    expect((await seesPreview(anna)).text).toMatch(/без картинок\nФраза: «кухни из дерева 2»/);
    expect(await anna.balance()).toBeGreaterThanOrEqual(20);
  }

  async function findsNoOtherPhrase(): Promise<void> {
    const anna = await played.customer();
    await atThePrice(anna);
    await anna.presses('Другая фраза');
    await anna.sees(/^Других фраз для статей в категории «Кухни на заказ» нет/);
    await anna.presses('Назад');
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    await anna.presses('Другая фраза');
    await anna.sees(/^Этой категории больше нет.*Статья для /s);

    const boris = await played.customer();
    await atThePrice(boris);
    await boris.presses('Другая фраза');
    await boris.sees('Других фраз');
    boris.says('/cancel');
    await boris.sees(/^Статья отменена\./);
  }

  async function paysForAThirdVersion(): Promise<void> {
    const anna = await played.customer();
    const draftId = await aWaitingDraft(bot.app.sql, anna, { regenerations: 2 });
    await anna.forges(`draft:${draftId}:open`);
    await anna.sees(DRAFT_TITLE);
    await anna.presses(/^Перегенерировать/);
    await anna.sees(/^Ещё один вариант\?.*стоит 230 токенов.*На балансе: 1\u2009270 токенов/s);
    await anna.presses('Оставить как есть');
    await anna.sees(DRAFT_TITLE);
    await anna.presses(/^Перегенерировать/);
    anna.says('/cancel');
    await anna.sees(DRAFT_TITLE);
    expect(await anna.balance(), 'asking costs nothing').toBe(1_270);
    await anna.presses(/^Перегенерировать/);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/^Продолжаем.*Ещё один вариант\?.*На балансе: 2\u2009270 токенов/s);
    await anna.presses('Написать за 230 токенов');
    await seesPreview(anna);
    expect(await anna.balance()).toBe(2_040);
  }

  async function saysWhatToChange(): Promise<void> {
    const anna = await played.customer();
    await atThePreview(anna);
    await saysItInWords(anna);
  }

  async function withDraft() {
    const anna = await played.customer();
    const draftId = await aWaitingDraft(bot.app.sql, anna);
    await anna.forges(`draft:${draftId}:open`);
    await anna.sees(DRAFT_TITLE);
    return { anna, draftId };
  }
}

/** At a preview: words instead of a press, free at first, then for the price of the text. */
export async function saysItInWords(anna: Customer): Promise<void> {
  const before = await anna.balance();
  anna.says('ой');
  await anna.sees(/^Напишите подробнее, что поменять в статье\./);
  anna.says('Сделайте короче');
  await anna.sees(/✓ Изменено: Разделы стали короче.*Черновик хранится/s, LONG);
  expect(anna.labels()).toContain('Перегенерировать (1/2)');
  anna.says('добавьте, что замер бесплатный');
  await anna.sees(/✓ Изменено: В первый раздел добавлено: замер бесплатный/, LONG);
  expect(await anna.balance(), 'the first two are free').toBe(before);
  anna.says('расскажите про доставку');
  await anna.sees(/^Изменить статью\?.*Просьба: «расскажите про доставку»/s);
  await anna.presses('Оставить как есть');
  await seesPreview(anna);
}
