import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeConnections } from '../../src/store/connections.ts';
import { testSealing } from '../support/article-works.ts';
import { grounds } from '../support/bot.ts';
import {
  always,
  atThePrice,
  type Customer,
  LONG,
  PASSWORD,
  type PlayedBot,
  seesPreview,
  startPlayedBot,
} from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { ageDraft, aWaitingDraft, DRAFT_TITLE } from '../support/waiting-draft.ts';

describe.each(grounds)('a person who leaves an article, %s', (ground) => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot(ground);
  });
  afterEach(async () => {
    played.mend();
    expect([...(await unbalanced(played.bot.app.sql))]).toEqual([]);
  });
  afterAll(() => played.stop());

  describe('while it is written', () => {
    it('X15, G1, N6: by /start is in the menu at once; the article comes, is opened and published', async () => {
      const anna = await whileWriting();
      anna.says('/start');
      await anna.sees(/^Статья по фразе .* пишется дальше: за неё списано не больше .*Главное меню/s);
      played.models.releaseAll();
      await anna.sees(/^Статья готова: «.*Черновик хранится 24 часа/s, LONG);
      expect(anna.labels()).toEqual(['Открыть', 'К категории', 'Меню']);
      expect(await anna.balance()).toBe(1_300);
      await anna.presses('Открыть');
      await seesPreview(anna);
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
      expect(anna.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_300);
    });

    it('X16, G4, N6: by /cancel is in the menu at once; what fails meanwhile is told, with what came back', async () => {
      const anna = await whileWriting('article_outline');
      played.suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
      anna.says('/cancel');
      await anna.sees(/^Статья по фразе .* пишется дальше: за неё списано не больше .*Главное меню/s);
      played.models.releaseAll();
      await anna.sees(/^Статья не получилась\..*Вернулось 200 токенов/s, LONG);
      expect(await anna.balance()).toBe(1_500);
      anna.says('Что дальше?');
      await anna.sees(/^Не понял вас/);
    });

    it('E26, G7, N6: by beginning something else goes on with that; the article comes beside it', async () => {
      const anna = await whileWriting();
      await anna.forges(`project:${anna.projectId}:cat_new`);
      await anna.sees(/^Статья по фразе .* пишется дальше.*Новая категория/s);
      played.models.releaseAll();
      await anna.sees(/^Статья готова: «/, LONG);
      anna.says('Шкафы-купе');
      await anna.sees('Категория Шкафы-купе создана.');
    });

    it('E24, E42: and deletes the category has the tokens back once, and nothing is kept', async () => {
      const anna = await whileWriting();
      await anna.forges(`category:${anna.categoryId}:delete`);
      await anna.sees(/Удалить категорию Кухни на заказ\?.*1 черновик.*вернётся 200 токенов/s);
      await anna.presses('Да, удалить');
      await anna.sees(/Категория «Кухни на заказ» удалена\. Вернулось 200 токенов/);
      expect(await anna.balance()).toBe(1_500);
      played.models.releaseAll();
      await anna.sees(/Статья не получилась\. Этой категории больше нет\./, LONG);
      expect(await anna.balance()).toBe(1_500);
    });
  });

  describe('while it is published', () => {
    it('X15, N6: is told where it is when it is there', async () => {
      const { anna } = await whilePublishing();
      anna.says('/start');
      await anna.sees(/публикуется на .*результат придёт сюда.*Главное меню/s);
      await anna.sees(/^(• .*)?Статья опубликована на /s, LONG);
      expect(anna.labels()).toContain('Открыть на сайте');
      expect(anna.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_270);
    });

    it('E02, X16, N6: is told why it is not there, opens the draft and publishes it after all', async () => {
      const { anna } = await whilePublishing();
      anna.site.change({ applicationPasswords: false });
      anna.says('/cancel');
      await anna.sees(/публикуется на .*результат придёт сюда.*Главное меню/s);
      await anna.sees(
        new RegExp(`^«${DRAFT_TITLE}»: Сайт не узнал пользователя.*Черновик цел\\.`, 's'),
        LONG,
      );
      expect(await anna.balance()).toBe(1_270);
      anna.site.change({ applicationPasswords: true });
      await anna.presses('Открыть');
      await seesPreview(anna);
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
      expect(anna.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_270);
    });

    it('X02: keeps the post and pays for it, though the day of the draft ends meanwhile', async () => {
      const { anna, draftId } = await whilePublishing();
      await ageDraft(played.bot.app.sql, draftId);
      await played.bot.app.expireDrafts();
      await anna.sees('Статья опубликована', LONG);
      expect(anna.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_270);
    });
  });

  describe('at the preview', () => {
    it('X15, G1: by /start keeps the draft for its day; then the tokens come back by themselves', async () => {
      const { anna, draftId } = await atDraft();
      anna.says('/start');
      await anna.sees(/^Черновик «.+» хранится 24 часа: откройте категорию «Кухни.*» .*Главное меню/s);
      expect(await anna.balance()).toBe(1_270);
      await ageDraft(played.bot.app.sql, draftId);
      await played.bot.app.expireDrafts();
      await anna.sees(/^Черновик статьи «кухни на заказ» пролежал сутки и удалён\. Вернулось 230 токенов\./);
      expect(await anna.balance()).toBe(1_500);
    });

    it('X16: by /cancel has everything back and is where the flow began', async () => {
      const { anna } = await atDraft();
      anna.says('/cancel');
      await anna.sees(
        /^Статья отменена, черновик удалён\. Вернулось 230 токенов\..*Категория: Кухни на заказ/s,
      );
      expect(await anna.balance()).toBe(1_500);
    });

    it('E26, G7: by beginning something else is told of both, and the draft stays', async () => {
      const { anna, draftId } = await atDraft();
      await anna.forges(`project:${anna.projectId}:cat_new`);
      await anna.sees(
        /^Предыдущий процесс \(создание статьи\) прерван\. Начинаем создание категории\.\nЧерновик «.+» хранится 24 часа: .+\n\nНовая категория/,
      );
      expect(await anna.balance()).toBe(1_270);
      await anna.forges(`draft:${draftId}:open`);
      await anna.sees(DRAFT_TITLE);
    });

    it('E24, E42: by deleting the category has the tokens back once; the old buttons do nothing', async () => {
      const { anna } = await atDraft();
      const preview = anna.screen()!.message_id;
      const publish = anna.dataOf('Опубликовать');
      await anna.forges(`category:${anna.categoryId}:delete`);
      await anna.presses('Да, удалить');
      await anna.sees(/удалена\. Вернулось 230 токенов/);
      await anna.forges(publish, preview);
      await anna.seesToast(/уже не действует/);
      expect(anna.site.posts.values()).toEqual([]);
      expect(await anna.balance()).toBe(1_500);
    });
  });

  describe('and comes back to it later', () => {
    it('finds the draft, though its category has no phrases any more', async () => {
      const { anna, draftId } = await leftDraft();
      await played.bot.app.sql`update categories set keywords = '[]' where id = ${anna.categoryId}`;
      await anna.forges(`draft:${draftId}:open`);
      await anna.sees(DRAFT_TITLE);
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
    });

    it('is not told of tokens that came back, when it was published', async () => {
      const { anna, draftId } = await leftDraft();
      await anna.forges(`draft:${draftId}:open`);
      await anna.sees(DRAFT_TITLE);
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
      await anna.forges(`draft:${draftId}:open`);
      await anna.sees(
        /^Этого черновика уже нет: он опубликован, отменён или пролежал сутки\..*Главное меню/s,
      );
      expect(await anna.balance()).toBe(1_270);
    });
  });

  describe('and finds its site disconnected', () => {
    it('connects the site again, and publishes the article there for the one charge', async () => {
      const { anna, draftId } = await homeless();
      await anna.forges(`draft:${draftId}:open`);
      await anna.sees(/Сайт, для которого писалась статья, отключён от проекта, а других нет/);
      await anna.presses('Подключить WordPress');
      await connects(anna, played.wordpress.addressOf(anna.path));
      await anna.sees(`Ждёт сайта статья «${DRAFT_TITLE}»`);
      await anna.presses('Открыть черновик');
      await anna.sees(new RegExp(`${DRAFT_TITLE}.*Сайт: ${anna.identifier}`, 's'));
      await anna.presses('Опубликовать');
      await anna.sees(`Статья опубликована на ${anna.identifier}`, LONG);
      expect(anna.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_270);
    });

    it('chooses among the others, and is asked first whether it is not on the old one', async () => {
      const { anna, draftId } = await unsure();
      const [shop, blog] = [await anotherSite(anna), await anotherSite(anna)];
      await anna.forges(`conn:${anna.connectionId}:delete`);
      await anna.presses('Да, удалить');
      await anna.sees('удалено.');
      await anna.forges(`draft:${draftId}:open`);
      await anna.sees(new RegExp(`Куда её опубликовать\\?.*могла уже попасть на ${anna.identifier}`, 's'));
      expect(anna.labels()).toEqual([
        shop.identifier,
        blog.identifier,
        'Подключить WordPress',
        'К категории',
        'Отмена — вернуть токены',
      ]);
      await anna.presses(blog.identifier);
      await anna.sees(
        new RegExp(`^⚠ Статья могла уже попасть на ${anna.identifier}.*Сайт: ${blog.identifier}`, 's'),
      );
      expect(blog.site.posts.values()).toEqual([]);
      await anna.presses('Всё равно опубликовать');
      await anna.sees(`Статья опубликована на ${blog.identifier}`, LONG);
      expect(blog.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_270);
    });

    it('finds what the old site has after all, once it is connected again', async () => {
      const { anna } = await unsure();
      await anna.forges(`conn:${anna.connectionId}:delete`);
      await anna.presses('Да, удалить');
      await anna.forges(`project:${anna.projectId}:conn_add:wordpress`);
      await connects(anna, played.wordpress.addressOf(anna.path));
      await anna.presses('Открыть черновик');
      await anna.sees(new RegExp(`^⚠ Статья могла уже выйти на .*${DRAFT_TITLE}`, 's'));
      await anna.presses('Опубликовать');
      await anna.sees('Статья опубликована', LONG);
      expect(anna.site.posts.values()).toHaveLength(1);
      expect(await anna.balance()).toBe(1_270);
    });

    it('in the middle of the preview is led to a choice', async () => {
      const { anna } = await atDraft();
      const shop = await anotherSite(anna);
      await played.bot.app.sql`delete from platform_connections where id = ${anna.connectionId}`;
      await anna.presses('Опубликовать');
      await anna.sees(/^⚠ Подключение к сайту удалено\./);
      await anna.presses('Выбрать сайт');
      await anna.sees(`Сайт: ${shop.identifier}`);
      await anna.presses('Опубликовать');
      await anna.sees(`Статья опубликована на ${shop.identifier}`, LONG);
      expect(shop.site.posts.values()).toHaveLength(1);
    });

    it('has the tokens back at a press, or after a day by themselves', async () => {
      const { anna, draftId } = await homeless();
      await anna.forges(`draft:${draftId}:open`);
      await anna.presses('Отмена — вернуть токены');
      await anna.sees(/^Статья отменена, черновик удалён\. Вернулось 230 токенов\./);
      expect(await anna.balance()).toBe(1_500);
      const late = await homeless();
      await ageDraft(played.bot.app.sql, late.draftId);
      await played.bot.app.expireDrafts();
      await late.anna.sees('Вернулось 230 токенов.');
    });
  });

  async function homeless() {
    const { anna, draftId } = await leftDraft();
    await anna.forges(`conn:${anna.connectionId}:delete`);
    await anna.presses('Да, удалить');
    await anna.sees('удалено.');
    return { anna, draftId };
  }

  /** The site has taken the article, and it cannot be read there. */
  async function unsure() {
    const { anna, draftId } = await atDraft();
    const { faults } = played.wordpress;
    faults.add({ match: `POST /${anna.path}/wp-json/wp/v2/posts`, fault: { kind: 'hang-after' } });
    await anna.presses('Опубликовать');
    await expect.poll(() => anna.site.posts.values()).toHaveLength(1);
    faults.clear();
    faults.add({ match: `/${anna.path}/`, times: always, fault: { kind: 'reset' } });
    await anna.sees('статья могла опубликоваться', LONG);
    faults.clear();
    return { anna, draftId };
  }

  async function connects(anna: Customer, address: string): Promise<void> {
    await anna.sees('(1/3)');
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says(PASSWORD);
    await anna.sees('подключён к проекту');
  }

  async function anotherSite({ id, projectId }: Customer) {
    const { site, address, identifier } = played.nextSite();
    await makeConnections(played.bot.app.sql, testSealing).save(id, {
      projectId,
      platform: 'wordpress',
      identifier,
      credentials: { url: address, login: 'admin', app_password: PASSWORD },
      metadata: { url: address },
    });
    return { site, identifier };
  }

  /** The text, or its outline, is with the model, and stays there until it is released. */
  async function whileWriting(task = 'article'): Promise<Customer> {
    const anna = await played.customer({ images: 0 });
    played.models.hold(task, anna.company);
    await atThePrice(anna);
    await anna.presses('Создать статью');
    await anna.sees('▸ Пишу текст', LONG);
    return anna;
  }

  /** The site takes its time to answer whether the person may publish there. */
  async function whilePublishing() {
    const draft = await atDraft();
    const { anna } = draft;
    played.wordpress.faults.add({
      match: `GET /${anna.path}/wp-json/wp/v2/users`,
      fault: { kind: 'slow', ms: 2_500 },
    });
    await anna.presses('Опубликовать');
    await anna.sees('Публикую «');
    return draft;
  }

  async function leftDraft() {
    const anna = await played.customer();
    return { anna, draftId: await aWaitingDraft(played.bot.app.sql, anna) };
  }

  async function atDraft() {
    const { anna, draftId } = await leftDraft();
    await anna.forges(`draft:${draftId}:open`);
    await anna.sees(DRAFT_TITLE);
    return { anna, draftId };
  }
});
