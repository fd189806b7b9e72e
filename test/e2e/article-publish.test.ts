import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rateLimits, SANDBOX_TIMES } from '../../src/services/money/rate-limits.ts';
import { aCluster } from '../support/article-customer.ts';
import { type Ground, grounds } from '../support/bot.ts';
import {
  always,
  atThePreview,
  atThePrice,
  type Customer,
  LONG,
  PHRASE,
  type PlayedBot,
  seesPreview,
  startPlayedBot,
} from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { ageDraft, aWaitingDraft, DRAFT_TITLE } from '../support/waiting-draft.ts';

/** Beside publishing. */
const otherEnds = ['Сохранить черновиком в WordPress', 'Скачать HTML'];

describe.each(grounds)('an article from the price to the site, %s', (ground: Ground) => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot(ground);
  });
  afterEach(async () => {
    played.mend();
    expect([...(await unbalanced(played.bot.app.sql))]).toEqual([]);
  });
  afterAll(() => played.stop());

  describe('is not begun', () => {
    it('E01: for less than it costs; the question stands', async () => {
      const anna = await played.customer();
      await atThePrice(anna);
      await spends(anna, 1_490);
      await anna.presses('Создать статью');
      await anna.sees(/^Недостаточно токенов\. Нужно 230, у вас 10\..*Статья для /s);
      expect(anna.labels()).toEqual([
        'Пополнить',
        'Создать статью',
        'Добавить то, что знаете только вы',
        'Другая фраза',
        '− картинка',
        '+ картинка',
        'Отмена',
      ]);
      expect(played.suppliers.openRouter.requests().filter(({ task }) => task === 'article')).toEqual([]);
      expect(await anna.balance()).toBe(10);
    });

    it('E16: in a category without phrases', async () => {
      const anna = await played.customer({ keywords: [] });
      await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
      await anna.sees(/^В категории пока нет фраз.*Токены не списаны/s);
      await anna.presses('Подобрать фразы');
      await anna.sees('Подбор фраз (1/3)');
    });

    it('E40: in a category with nothing but phrases for product pages', async () => {
      const anna = await played.customer({ keywords: [aCluster(PHRASE, { cluster_type: 'product_page' })] });
      await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
      await anna.sees(/^Все фразы категории — для страниц товаров/);
      expect(anna.labels()).toEqual(['Подобрать фразы', 'К категории']);
    });

    // Redis keeps no limits that SQL could fill.
    it.runIf(ground === 'embedded')('E25: more often than the hour allows', async () => {
      const anna = await played.customer();
      const most = rateLimits.text_generation.max * SANDBOX_TIMES;
      await played.bot.app.sql`
        insert into key_values (key, value, expires_at)
        values (${`rate:${anna.id}:text_generation`}, ${String(most)}, now() + interval '1 hour')`;
      await atThePrice(anna);
      await anna.presses('Создать статью');
      await anna.sees(
        /^Слишком часто: не больше 100 текстов в час\. Попробуйте снова через 60 минут\..*Статья для /s,
      );
      expect(await anna.balance()).toBe(1_500);
    });
  });

  describe('is written', () => {
    it('E04, E05, E12, E34: without search, pictures, preview page and the first model', async () => {
      const anna = await played.customer();
      const { openRouter, serper, telegraph } = played.suppliers;
      for (const { faults } of [serper, telegraph])
        faults.add({ match: '.', times: always, fault: { kind: 'status', status: 503 } });
      openRouter.moods.add({ kind: 'no-picture', task: 'image', times: null });
      openRouter.moods.add({
        kind: 'fails',
        status: 429,
        task: 'article',
        models: ['anthropic/claude-sonnet-4.5'],
        times: null,
      });
      await atThePreview(anna);
      const { text } = anna.screen()!;
      expect(text).toMatch(/картинок 0 из 1\n.*\nСписано: 200 токенов \(вернулось 30 токенов\)/);
      expect(text).toContain('• Написано без свежих данных Google');
      expect(text).toContain('• Картинки нарисовать не удалось, токены за них вернулись.');
      expect(text).toMatch(/Страница предпросмотра не открылась, вот начало текста:\n\n.{300,500}…/s);
      expect(anna.labels()).toEqual([
        'Опубликовать',
        ...otherEnds,
        'Перегенерировать (0/2)',
        'Отмена — вернуть токены',
      ]);
      expect(await anna.balance()).toBe(1_300);
    });

    it('E31a: without a look at competitors whose pages do not open', async () => {
      const anna = await played.customer({ images: 0 });
      const { faults } = played.suppliers.firecrawl;
      faults.add({ match: '.', times: always, fault: { kind: 'status', status: 503 } });
      await atThePreview(anna);
      expect(anna.screen()?.text).toContain('• Написано без сравнения с конкурентами');
      expect(await anna.balance()).toBe(1_300);
    });

    it('E12, E35: by no model, and everything comes back', async () => {
      const anna = await played.customer();
      played.suppliers.openRouter.moods.add({ kind: 'fails', status: 429, task: 'article', times: null });
      await atThePrice(anna);
      await anna.presses('Создать статью');
      await anna.sees(/^Статья не получилась\. Нейросеть сейчас не отвечает.*Вернулось 230 токенов/s, LONG);
      expect(anna.labels()).toEqual(expect.arrayContaining(['Написать статью', 'К категории']));
      expect(await anna.balance()).toBe(1_500);
    });

    it('X14: while a person who writes to the bot, or sends a sticker, is told what is going on', async () => {
      const anna = await played.customer({ images: 0 });
      await atThePrice(anna);
      anna.says('Давай');
      await anna.sees(/^Пожалуйста, выберите вариант кнопкой.*Статья для /s);
      played.models.hold('article', anna.company);
      await anna.presses('Создать статью');
      await anna.sees('▸ Пишу текст', LONG);
      anna.says('Ну как там?');
      await anna.sees(/^Уже выполняется, подождите немного.*Пишу статью/s);
      played.models.releaseAll();
      await seesPreview(anna);
      played.bot.telegram.people.sticker(anna.id);
      await anna.sees(/^Пожалуйста, отправьте текстовое сообщение.*Черновик хранится 24 часа/s);
      await anna.presses('Отмена — вернуть токены');
      await anna.sees('Вернулось 200 токенов.');
      expect(await anna.balance()).toBe(1_500);
    });
  });

  describe('is written anew', () => {
    it('twice for nothing, then for the price of the first', async () => {
      const anna = await atDraft({ regenerations: 1 });
      expect(anna.labels()).toContain('Перегенерировать (1/2)');
      await anna.presses('Перегенерировать (1/2)');
      await seesPreview(anna);
      expect(anna.labels()).toContain('Перегенерировать (~230 токенов)');
      expect(await anna.balance()).toBe(1_270);
      await anna.presses('Перегенерировать (~230 токенов)');
      await anna.presses('Написать за 230 токенов');
      await seesPreview(anna);
      expect(await anna.balance()).toBe(1_040);
      await anna.presses('Отмена — вернуть токены');
      await anna.sees('Вернулось 460 токенов.');
      expect(await anna.balance()).toBe(1_500);
    });

    it('E10: not for less than it costs; the text that is there can be published', async () => {
      const anna = await atDraft({ regenerations: 2 });
      await spends(anna, 1_200);
      await anna.presses(/^Перегенерировать/);
      await anna.presses('Написать за 230 токенов');
      await anna.sees(/^⚠ Недостаточно токенов\. Нужно 230, у вас 70\./);
      expect(anna.screen()?.text).toContain(DRAFT_TITLE);
      expect(anna.labels()).toEqual([
        'Опубликовать',
        'Пополнить',
        ...otherEnds,
        'Перегенерировать (~230 токенов)',
        'Отмена — вернуть токены',
      ]);
      expect(await anna.balance()).toBe(70);
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
    });

    it('X18: by no model; what was paid for it comes back, and the text stays', async () => {
      const anna = await atDraft({ regenerations: 2 });
      played.suppliers.openRouter.moods.add({ kind: 'fails', task: 'article', times: null });
      await anna.presses(/^Перегенерировать/);
      await anna.presses('Написать за 230 токенов');
      await anna.sees(/^⚠ Нейросеть сейчас не отвечает.*Вернулось 230 токенов/s, LONG);
      expect(anna.screen()?.text).toContain(DRAFT_TITLE);
      expect(anna.labels()).toContain('Перегенерировать (~230 токенов)');
      expect(await anna.balance()).toBe(1_270);
    });
  });

  describe('is published', () => {
    it('E07: once, however often the button is pressed', async () => {
      const anna = await atDraft();
      const preview = anna.screen()!.message_id;
      const publish = anna.dataOf('Опубликовать');
      played.wordpress.faults.add({ match: `GET /${anna.path}/wp-json`, fault: { kind: 'slow', ms: 1_000 } });
      await Promise.all([1, 2, 3].map(() => anna.forges(publish, preview)));
      await anna.sees('Статья опубликована', LONG);
      await isOnSiteOnce(anna);
      expect(await anna.balance()).toBe(1_270);
    });

    it('without its description on a site that has no SEO plugin, until one press installs one', async () => {
      const anna = await atDraft();
      await anna.presses('Опубликовать');
      await anna.sees(/поисковикам эта тема его не показывает.*Статья опубликована/s, LONG);
      await anna.presses('Установить SEO-плагин');
      await anna.sees(/^SEO-плагин · .*бесплатный плагин SEOPress/s);
      await anna.presses('Установить SEOPress');
      await anna.sees(/^SEOPress установлен и включён.*На сайте работает SEOPress/s, LONG);
      expect(anna.site.seoPlugin()).toBe('seopress');
      await anna.forges(`conn:${anna.connectionId}:manage`);
      await anna.sees('Состояние');
      expect(anna.labels()).not.toContain('Установить SEO-плагин');
    });

    it('E02: not by a site that is out of order; the connection says so, and another try succeeds', async () => {
      const anna = await atDraft();
      const down = {
        match: `/${anna.path}/`,
        times: always,
        fault: { kind: 'status', status: 500 },
      } as const;
      played.wordpress.faults.add(down);
      await anna.presses('Опубликовать');
      await anna.sees(/^⚠ На сайте произошла внутренняя ошибка/, LONG);
      expect(anna.labels()).toEqual([
        'Опубликовать ещё раз',
        'Проверить подключение',
        ...otherEnds,
        'Перегенерировать (0/2)',
        'Отмена — вернуть токены',
      ]);
      expect(await statusOf(anna)).toBe('error');
      expect(await anna.balance()).toBe(1_270);
      await anna.presses('Проверить подключение');
      await anna.sees(/не отвечает как нужно\. На сайте произошла.*Черновик хранится 24 часа/s);
      played.wordpress.faults.clear();
      await anna.presses('Проверить подключение');
      await anna.sees(/отвечает, публиковать можно.*Черновик хранится 24 часа/s);
      await anna.presses('Опубликовать ещё раз');
      await anna.sees('Статья опубликована', LONG);
      await isOnSiteOnce(anna);
      expect(await statusOf(anna)).toBe('active');
    });

    it('and found again when the site dropped the connection after taking it', async () => {
      const anna = await atDraft();
      played.wordpress.faults.add({
        match: `POST /${anna.path}/wp-json/wp/v2/posts`,
        fault: { kind: 'reset-after' },
      });
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
      await isOnSiteOnce(anna);
    });

    it('and is unknown, when the site cannot be asked; the next press finds it', async () => {
      const anna = await unsure();
      await anna.presses('Опубликовать ещё раз');
      await anna.sees('Статья опубликована', LONG);
      await isOnSiteOnce(anna);
    });

    it('and the outcome is unknown: a person who comes back to the draft later does not publish it twice either', async () => {
      const anna = await unsure();
      anna.says('/start');
      await anna.sees('Главное меню');
      await anna.forges(`draft:${anna.draftId}:open`);
      await anna.sees(DRAFT_TITLE);
      await anna.presses(/^Опубликовать$/);
      await anna.sees('Статья опубликована', LONG);
      await isOnSiteOnce(anna);
    });

    it('E18: not after its day; the tokens have come back once', async () => {
      const anna = await atDraft();
      await ageDraft(played.bot.app.sql, anna.draftId);
      await played.bot.app.expireDrafts();
      await anna.sees('пролежал сутки');
      expect(await anna.balance()).toBe(1_500);
      await anna.presses('Опубликовать');
      const shown = await anna.sees(/^Предпросмотр устарел.*токены за него уже вернулись/s);
      expect(anna.labels(shown)).toEqual(expect.arrayContaining(['Написать статью', 'К категории']));
      expect(anna.site.posts.values()).toEqual([]);
      expect(await anna.balance()).toBe(1_500);
    });

    it('not to a connection that was deleted meanwhile; cancelled, it gives everything back', async () => {
      const anna = await atDraft();
      await played.bot.app.sql`delete from platform_connections where id = ${anna.connectionId}`;
      await anna.presses('Опубликовать');
      await anna.sees(/^⚠ Подключение к сайту удалено/);
      expect(await anna.balance()).toBe(1_270);
      await anna.presses('Отмена — вернуть токены');
      await anna.sees(/^Статья отменена, черновик удалён\. Вернулось 230 токенов\./);
      expect(await anna.balance()).toBe(1_500);
    });
  });

  async function atDraft(draft: { regenerations?: number } = {}) {
    const anna = await played.customer();
    const draftId = await aWaitingDraft(played.bot.app.sql, anna, draft);
    await anna.forges(`draft:${draftId}:open`);
    await anna.sees(DRAFT_TITLE);
    return Object.assign(anna, { draftId });
  }

  /** The site has taken the post, and neither said so nor lets anybody look. */
  async function unsure() {
    const anna = await atDraft();
    const { faults } = played.wordpress;
    faults.add({ match: `POST /${anna.path}/wp-json/wp/v2/posts`, fault: { kind: 'hang-after' } });
    await anna.presses('Опубликовать');
    await expect.poll(() => anna.site.posts.values()).toHaveLength(1);
    faults.clear();
    faults.add({ match: `/${anna.path}/`, times: always, fault: { kind: 'reset' } });
    await anna.sees(/^⚠ Ответ сайта .* потерялся: статья могла опубликоваться\. Проверьте сайт\./, LONG);
    faults.clear();
    return anna;
  }

  async function isOnSiteOnce({ id, site }: Customer): Promise<void> {
    expect(site.posts.values()).toHaveLength(1);
    const logged = await played.bot.app.sql`select status from publication_logs where user_id = ${id}`;
    expect([...logged]).toEqual([{ status: 'success' }]);
  }

  async function statusOf({ connectionId }: Customer) {
    const [row] = await played.bot.app
      .sql`select status from platform_connections where id = ${connectionId}`;
    return row?.status;
  }

  async function spends({ id }: Customer, tokens: number): Promise<void> {
    await played.bot.app.sql`select charge_balance(${id}, ${tokens}, ${`spent:${id}`}, 'review')`;
  }
});
