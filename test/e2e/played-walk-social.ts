import { expect, vi } from 'vitest';
import { addCategory, addProject } from '../support/accounts.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { AUTOMATION_OFFER, LONG, type PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';
import { playCrossPost } from './played-walk-cross-post.ts';
import { playTopicMaterial } from './played-walk-pipeline-material.ts';
import { aPoster, type Poster, THE_POST } from './played-walk-post.ts';
import { readsFromASite } from './played-walk-projects.ts';
import { playPipelineChannels } from './played-walk-social-channels.ts';

const SLOW_CHANNEL_MS = 11_000;
const resume = /^Продолжить: пост/;

/** People who press «Опубликовать пост»: what they are asked, what they see, what it costs them, what arrives. */
export async function playSocialPipeline(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  const { sql } = bot.app;
  await Promise.all([
    comesWithNothing(),
    changesTheirMind(),
    choosesAmongMany(),
    leavesAndComesBack(),
    waitsLong(),
    cannotPay(),
    getsNoPost(),
    writesTheTextThemselves(),
    paysForTheThirdChange(),
    isRefusedByTheChannel(),
    losesTheirChannel(),
    losesTheAnswer(),
    comesTooLate(),
    meetsADatabaseThatRefuses(),
    readsFromASite(bot, suppliers.firecrawl, atTheFirstQuestion, 'Опубликовать пост'),
    readsASecondSite(),
  ]);
  await playCrossPost(played, async () => {
    const { anna } = await withPost();
    await anna.presses('Опубликовать');
    await anna.sees('Пост опубликован', LONG);
    return anna;
  });
  await playPipelineChannels(played);
  await meetsADatabaseOutOfOrder();
  await playTopicMaterial(played, {
    person: (options) => aPoster(played, { images: 0, ...options }),
    goal: 'Опубликовать пост',
    resume,
    phrases: 50,
  });

  async function atTheFirstQuestion(): Promise<ScriptedPerson> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Опубликовать пост');
    await anna.sees('Новый проект (1/4)');
    return anna;
  }

  /** Beside a project that is there already. */
  async function readsASecondSite(): Promise<void> {
    const anna = await played.newcomer();
    await addProject(bot, anna, 'Полки');
    for (const leaves of ['Отмена', 'Телефон']) {
      await begins(anna);
      await anna.presses('+ Проект');
      anna.says('kukhni-na-zakaz.ru');
      await anna.sees('Вот что я прочитал', LONG);
      if (leaves === 'Телефон') {
        await anna.presses(leaves);
        await anna.sees('Напишите, как правильно');
      }
      await anna.presses('Отмена');
      await anna.sees('Пост (1/5)');
      await anna.presses('Отмена');
    }
  }

  /** From nothing to a post in a channel: four answers about the business, one press for the channel, one topic. */
  async function comesWithNothing(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Опубликовать пост');
    for (const [i, answer] of ['Шторы', 'ИП Штора', 'Пошив штор на заказ'].entries()) {
      await anna.sees(`Новый проект (${i + 1}/4)`);
      anna.says('?');
      await anna.sees(new RegExp(`^(Введите|Опишите).*\\(${i + 1}/4\\)`, 's'));
      anna.says(answer);
    }
    await anna.sees('Новый проект (4/4)');
    anna.says('не адрес');
    await anna.sees(/^Введите корректный URL/);
    await anna.presses('Пропустить');
    await anna.sees(/Пост \(2\/5\) — канал.*Подключите канал, группу или доску/s);
    expect(anna.labels()).toEqual(['Telegram', 'VK', 'Pinterest', 'MAX', 'Другой проект', 'Отмена']);
    await anna.presses('Telegram');
    await anna.sees('Кнопка «Выбрать канал»');
    const { id } = bot.telegram.channels.add({ title: 'Шторы', owner: anna.id, botStatus: 'left' });
    bot.telegram.people.shareChat(anna.id, 1, id);
    await anna.sees(/Пост \(3\/5\) — категория.*О чём будем писать/s);
    anna.says('?');
    await anna.sees(/^Введите название от 2 до 100 символов/);
    anna.says('Римские шторы');
    await anna.sees(/Пост \(4\/5\) — готовность\nШторы → Шторы · Римские шторы.*Без них не начать/s);
    await anna.presses('Подобрать фразы (50)');
    await anna.sees('(2/3)');
    anna.says('Казань');
    await anna.sees(/Готово: .*✓ Фразы/s, LONG);
    await anna.presses('Дальше');
    await anna.sees(/Пост \(5\/5\) — стоимость.*Пост для Telegram · Шторы/s);
    await anna.presses('Отмена');
    await anna.sees(/^Вы уверены\? Прогресс сохранится\./);
    await anna.presses('Продолжить');
    await anna.sees('стоимость');
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Дальше');
    await anna.sees('стоимость');
    await anna.presses('Создать пост');
    await anna.sees(THE_POST, LONG);
    await anna.presses('Опубликовать');
    await anna.sees(/^Пост опубликован · Шторы/, LONG);
    expect(anna.labels()).toEqual(expect.arrayContaining(['Ещё пост', ...AUTOMATION_OFFER, 'Меню']));
    expect(bot.telegram.channels.posts(id).length).toBeGreaterThan(0);

    // The last post's channel and topic are there: one press, and only the price is asked.
    await begins(anna);
    await anna.sees(/готовность\nШторы → Шторы · Римские шторы/);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.sees('ИИ пишет');
    for (const n of [0, 1, 2, 3]) {
      await anna.presses('Опубликовать пост');
      await answers(anna, n);
      await anna.presses('Отмена');
      await anna.sees('Главное меню');
    }
    const keep = await refusing(sql, 'projects', `new.user_id = ${anna.id}`);
    await anna.presses('Опубликовать пост');
    await answers(anna, 3);
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
    await keep();

    const boris = await aPoster(played);
    await sql`delete from categories where id = ${boris.categoryId}`;
    await begins(boris);
    await boris.sees('О чём будем писать');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    const refuses = await refusing(sql, 'categories', `new.name = 'Полки ${boris.id}'`);
    await boris.presses('Опубликовать пост');
    await boris.sees('О чём будем писать');
    boris.says(`Полки ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    await refuses();
  }

  async function choosesAmongMany(): Promise<void> {
    const anna = await ready();
    const projects = [];
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) projects.push(await addProject(bot, anna, `Проект ${n}`));
    await begins(anna);
    await anna.sees('Пост (1/5) — проект');
    await turns(anna);
    await anna.presses('Кухни');
    await anna.sees('стоимость');
    await anna.presses('Другой проект');
    await anna.sees('Пост (1/5)');
    for (const n of [0, 1, 2, 3]) {
      await anna.presses('+ Проект');
      await answers(anna, n);
      await anna.presses('Отмена');
      await anna.sees('Пост (1/5)');
    }
    await anna.presses('+ Проект');
    await answers(anna, 3);
    anna.says('https://dveri.example');
    await anna.sees('Пост (2/5) — канал');
    await anna.presses('Другой проект');
    await sql`delete from projects where id = ${projects[7]!}`;
    await anna.presses('Проект 8');
    await anna.sees(/^Этого проекта больше нет: выберите другой\..*Пост \(1\/5\)/s);
    await anna.presses('Отмена');
    await anna.sees('Главное меню');

    const boris = await ready();
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) await addCategory(bot, boris.projectId, `Тема ${n}`);
    await sql`
      insert into platform_connections (project_id, platform_type, identifier, credentials, metadata)
      select ${boris.projectId}, 'telegram', identifier || n, credentials, json_build_object('title', 'Канал ' || n)
      from platform_connections, generate_series(1, 8) n where id = ${boris.connectionId}`;
    await begins(boris);
    await boris.sees('Куда публикуем? Выберите канал');
    await turns(boris);
    await boris.presses(`Telegram: @${boris.username}`);
    await boris.sees('Пост (3/5) — категория');
    await turns(boris);
    await boris.presses('Назад');
    await boris.sees('Пост (2/5)');
    await leaves(boris);
    await boris.presses(resume);
    await expect.poll(() => boris.labels(), { timeout: 30_000 }).toContain('Telegram: Канал 8');
    const gone = boris.dataOf('Telegram: Канал 8');
    await sql`delete from platform_connections where metadata ->> 'title' = 'Канал 8' and project_id = ${boris.projectId}`;
    await boris.forges(gone);
    await boris.sees(/^Этот канал отключён: выберите другой/);
    await boris.presses('Telegram: Канал 7');
    await boris.sees('О чём пишем?');
    await boris.presses('+ Категория');
    await boris.sees('О чём будем писать');
    await boris.presses('Отмена');
    await boris.sees('О чём пишем?');
    const keep = await refusing(sql, 'categories', `new.name = 'Полки ${boris.id}'`);
    await boris.presses('+ Категория');
    boris.says(`Полки ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await boris.presses('Отмена');
    await boris.sees('О чём пишем?');
    await keep();
    await leaves(boris);
    await boris.presses(resume);
    await boris.sees('О чём пишем?');
    await turns(boris);
    await boris.presses('Кухни на заказ');
    await boris.sees('стоимость');
    await boris.presses('Другая категория');
    await boris.sees('Пост (3/5)');
    await boris.presses('Другой проект');
    await boris.sees('Пост (1/5)');
    await boris.presses('Кухни');
    await boris.sees('Пост (2/5)');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    await boris.presses('Опубликовать пост');
    await boris.presses('Telegram: Канал 7');
    await boris.sees('О чём пишем?');
    await turns(boris);
    await boris.presses('Кухни на заказ');
    await boris.sees('стоимость');
    await boris.presses('Другой канал');
    await boris.sees('Пост (2/5)');
    await boris.presses('Telegram: Канал 6');
    await boris.sees(/стоимость\nКухни → Канал 6 · Кухни на заказ/);
    await boris.presses('К чеклисту');
    await boris.sees('готовность');
    await boris.presses('Другая категория');
    await boris.sees('Пост (3/5)');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
  }

  /** E49, at the price, at the post and at the question whether it went out. */
  async function leavesAndComesBack(): Promise<void> {
    const anna = await ready();
    await begins(anna);
    await anna.sees('стоимость');
    anna.says('/cancel');
    await anna.sees('Прогресс сохранится 24 часа');
    expect(anna.labels()).toContain('Продолжить: пост «Кухни на заказ»');
    await anna.presses('Написать статью');
    await anna.sees(/Незаконченный пост.*Шаг: стоимость/s);
    await anna.presses('Меню');
    await anna.presses('Опубликовать пост');
    await anna.sees('Незаконченный пост');
    await anna.presses('Продолжить');
    await anna.sees('стоимость');
    await anna.presses('Создать пост');
    await anna.sees(THE_POST, LONG);
    anna.says('/start');
    await anna.sees('Прогресс сохранится 24 часа');
    await anna.presses(resume);
    await anna.sees(THE_POST);
    anna.says('/start');
    await anna.sees('Главное меню');
    await anna.presses('Отменить и вернуть токены');
    await anna.sees(/^Пост отменён\. Вернулось 10 токенов/);
    expect(await anna.balance()).toBe(1_500);
    expect(anna.labels()).not.toContain('Начать заново');
    // Written while its person was elsewhere: it is announced, and waits where they left it.
    await anna.presses('Опубликовать пост');
    const release = models.hold('social_post', anna.company);
    await anna.presses('Создать пост');
    await anna.sees('Пишу пост');
    await leaves(anna);
    release();
    await anna.sees(/^Пост готов/, LONG);
    await anna.presses('Продолжить');
    await anna.sees(THE_POST);
    await anna.presses('Опубликовать');
    await anna.sees('Пост опубликован', LONG);
  }

  async function waitsLong(): Promise<void> {
    const anna = await ready();
    await begins(anna);
    const release = models.hold('social_post', anna.company);
    await anna.presses('Создать пост');
    await anna.sees(/▸ Пишу текст/);
    await anna.sees('Дольше обычного', LONG);
    release();
    await anna.sees(THE_POST, LONG);
    const again = models.hold('social_post', anna.company);
    await anna.presses('Перегенерировать (0/2)');
    await anna.sees('Дольше обычного', LONG);
    again();
    await anna.sees(THE_POST, LONG);
    anna.says('к');
    await anna.sees(/^Напишите, что изменить/);
    anna.says('короче, без эмодзи');
    await vi.waitFor(() => expect(anna.labels()).toContain('Перегенерировать (~10 токенов)'), {
      timeout: LONG.timeoutMs,
    });
    expect(await anna.balance()).toBe(1_490);
    bot.telegram.faults.add({
      ...{ match: 'sendMessage', chat: anna.chat },
      fault: { kind: 'slow', ms: SLOW_CHANNEL_MS },
    });
    await anna.presses('Опубликовать');
    await anna.sees('Дольше обычного: площадка отвечает медленно.', LONG);
    await anna.sees('Пост опубликован', LONG);
    expect(anna.posts()).toHaveLength(1);
  }

  /** E01, E51: the price waits, and the payment leads back to it. */
  async function cannotPay(): Promise<void> {
    const anna = await ready();
    await begins(anna);
    await anna.sees('стоимость');
    await sql`select charge_balance(${anna.id}, 1495, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Создать пост');
    await anna.sees(/Недостаточно токенов\. Нужно 10, у вас 5\./);
    // Another channel is another order, and not the one that was refused.
    await anna.presses('Другая категория');
    await anna.sees('Пост (3/5)');
    await anna.presses('Кухни на заказ');
    await anna.sees('стоимость');
    await leaves(anna);
    await buysAndGoesOn(bot, anna, 'starter');
    await anna.sees('стоимость');
    await anna.presses('Создать пост');
    await anna.sees(THE_POST, LONG);
  }

  async function getsNoPost(): Promise<void> {
    const anna = await ready();
    fail(anna);
    await begins(anna);
    await anna.presses('Создать пост');
    await anna.sees(/^Пост не получился\. Нейросеть сейчас не отвечает.*Вернулось 10 токенов/s, LONG);
    expect(anna.labels()).toEqual(['Ещё раз', 'Другая категория', 'Меню']);
    expect(await anna.balance()).toBe(1_500);
    await anna.presses('Ещё раз');
    await anna.sees('стоимость');
  }

  async function writesTheTextThemselves(): Promise<void> {
    const { anna, postId } = await withPost();
    await anna.presses('Вписать свой текст');
    await anna.sees('Пришлите текст поста целиком');
    await anna.presses('Назад');
    await anna.sees(THE_POST);
    await anna.presses('Вписать свой текст');
    const keep = await refusing(sql, 'article_previews', `new.user_id = ${anna.id}`);
    anna.says('Кухни собираем за два дня.');
    await anna.sees(/^⚠ Что-то пошло не так/, LONG);
    await keep();
    anna.says('Кухни собираем за день.');
    await anna.sees(/^Кухни собираем за день\./, LONG);
    await anna.presses('Вписать свой текст');
    await ends(postId);
    anna.says('Ещё один текст поста.');
    await anna.sees(/^Пост устарел/, LONG);

    const { anna: other } = await withPost();
    await other.presses('Вписать свой текст');
    other.says('/cancel');
    await other.sees(/^Пост отменён\. Вернулось 10 токенов/);
  }

  async function paysForTheThirdChange(): Promise<void> {
    const { anna, postId } = await withPost({ regenerations: 2 });
    await anna.presses('Перегенерировать (~10 токенов)');
    await anna.sees(/^Ещё вариант.*стоит 10 токенов/s);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees('Ещё вариант');
    await anna.presses('Назад');
    await anna.sees(THE_POST);
    anna.says('добавь про гарантию');
    await anna.sees(/^Правка\nдобавь про гарантию/);
    await anna.presses(/^Да, за 10/);
    await anna.sees(/добавь про гарантию.*Так пост выйдет/s, LONG);
    const rest = await anna.balance();
    await sql`select charge_balance(${anna.id}, ${rest!}, ${`rest:${anna.id}`}, 'review')`;
    await anna.presses(/^Перегенерировать/);
    await anna.presses(/^Да, за/);
    await anna.sees(/^⚠ Недостаточно токенов/, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(THE_POST);
    await ends(postId);
    await anna.presses(/^Перегенерировать/);
    await anna.presses(/^Да, за/);
    await anna.sees(/^Пост устарел/, LONG);

    const { anna: other } = await withPost({ regenerations: 2 });
    await other.presses(/^Перегенерировать/);
    other.says('/cancel');
    await other.sees(/^Пост отменён\. Вернулось 10 токенов/);
  }

  /** X07, X10: back to the post; the charge stays; cancelling gives it back. */
  async function isRefusedByTheChannel(): Promise<void> {
    const { anna } = await withPost();
    const { id: botId } = await bot.app.api.getMe();
    bot.telegram.channels.stand(anna.channelId, botId, { status: 'administrator', mayPost: false });
    await anna.presses('Опубликовать');
    await anna.sees(/^⚠ Бот больше не администратор канала или не может публиковать/, LONG);
    expect(await anna.balance()).toBe(1_490);
    const keep = await refusing(
      sql,
      'article_previews',
      `new.user_id = ${anna.id} and new.status = 'cancelled'`,
    );
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^⚠ Что-то пошло не так/);
    await keep();
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^Пост отменён\. Вернулось 10 токенов/);
    expect(await anna.balance()).toBe(1_500);
    expect(anna.arrivals()).toEqual([]);
  }

  /** Disconnected in another window: the post waits, and says for what. */
  async function losesTheirChannel(): Promise<void> {
    const { anna } = await withPost();
    await leaves(anna);
    await sql`delete from platform_connections where id = ${anna.connectionId}`;
    await anna.presses(resume);
    await anna.sees(/^Этот канал отключён от проекта.*Или верните токены/s);
    await anna.presses('Опубликовать');
    await anna.sees(/⚠ Подключение удалено/, LONG);
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^Пост отменён\. Вернулось 10 токенов/);
    expect(await anna.balance()).toBe(1_500);

    const { anna: other } = await withPost();
    await leaves(other);
    await sql`delete from projects where id = ${other.projectId}`;
    await other.presses(resume);
    await other.sees(/^Пост устарел/);
  }

  async function losesTheAnswer(): Promise<void> {
    const { anna } = await withLostAnswer();
    const keep = await refusing(
      sql,
      'article_previews',
      `new.user_id = ${anna.id} and new.status = 'published'`,
    );
    await anna.presses('Он там');
    await anna.sees(/^⚠ Что-то пошло не так.*Ответ потерялся/s);
    await keep();
    await anna.presses('Он там');
    await anna.sees(/^Пост опубликован/);
    expect(anna.arrivals()).toHaveLength(1);

    const { anna: boris } = await withLostAnswer();
    await boris.presses('Его нет — отправить ещё раз');
    await boris.sees(/^Пост опубликован/, LONG);

    const { anna: vera } = await withLostAnswer();
    await vera.presses('Его нет — вернуть токены');
    await vera.sees(/^Пост отменён\. Вернулось 10 токенов/);
    expect(await vera.balance()).toBe(1_500);

    const { anna: gleb } = await withLostAnswer();
    gleb.says('/cancel');
    await gleb.sees(/^Пост ждёт вашего ответа.*72 часа/s);

    // Left at the post, whose answer was lost elsewhere: the question is asked here.
    const { anna: dina, postId } = await withPost();
    await leaves(dina);
    await sql`update article_previews set status = 'unknown' where id = ${postId}`;
    await dina.presses(resume);
    await dina.sees(/^Ответ потерялся: пост мог выйти/);
    await sql`update article_previews set status = 'cancelled' where id = ${postId}`;
    await dina.presses('Он там');
    await dina.sees(/^Пост устарел/);
  }

  async function comesTooLate(): Promise<void> {
    const { anna, postId } = await withPost();
    await ends(postId);
    await anna.presses('Опубликовать');
    await anna.sees(/^Пост устарел/, LONG);
    expect(anna.arrivals()).toEqual([]);
    expect(await anna.balance(), 'a kept post gives its tokens back').toBe(1_500);
    const { anna: other, postId: otherPost } = await withPost();
    await leaves(other);
    await ends(otherPost);
    await other.presses(resume);
    await other.sees(/^Пост устарел/);
  }

  async function meetsADatabaseThatRefuses(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Опубликовать пост');
    const keepProjects = await refusing(sql, 'projects', `new.user_id = ${anna.id}`);
    await answers(anna, 3);
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await keepProjects();
    await anna.presses('Повторить');
    await anna.sees('Пост (2/5)');
    const boris = await aPoster(played);
    await sql`delete from categories where id = ${boris.categoryId}`;
    const keepCategories = await refusing(sql, 'categories', `new.name = 'Тюль ${boris.id}'`);
    await begins(boris);
    await boris.sees('О чём будем писать');
    boris.says(`Тюль ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await keepCategories();
    await boris.presses('Повторить');
    await boris.sees('готовность');
  }

  /** One by one: it is out of order for everybody. */
  async function meetsADatabaseOutOfOrder(): Promise<void> {
    const anna = await ready();
    const hide = () => sql`alter table platform_content_overrides rename to hidden_overrides`;
    const show = () => sql`alter table hidden_overrides rename to platform_content_overrides`;
    await hide();
    await begins(anna);
    await anna.sees('Ничего не потеряно.');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
    await anna.presses('Опубликовать пост');
    await anna.sees('Ничего не потеряно.');
    await show();
    await anna.presses('Повторить');
    await anna.sees('стоимость');
  }

  /** With a description: nothing is missing before the price. */
  function ready(): Promise<Poster> {
    return aPoster(played, { images: 0, description: 'Кухни по размерам' });
  }

  /** Looking at a post that was written and paid. */
  async function withPost({ regenerations = 0 } = {}) {
    const anna = await ready();
    await begins(anna);
    await anna.presses('Создать пост');
    await anna.sees(THE_POST, LONG);
    const [post] = await sql<[{ id: number }]>`select id from article_previews where user_id = ${anna.id}`;
    if (regenerations > 0) {
      await sql`update article_previews set regeneration_count = ${regenerations} where id = ${post.id}`;
      await leaves(anna);
      await anna.presses(resume);
      await anna.sees(THE_POST);
    }
    return { anna, postId: post.id };
  }

  async function withLostAnswer() {
    const found = await withPost();
    bot.telegram.faults.add({ match: 'sendMessage', chat: found.anna.chat, fault: { kind: 'reset-after' } });
    await found.anna.presses('Опубликовать');
    await found.anna.sees(/^Ответ потерялся: пост мог выйти/, LONG);
    return found;
  }

  async function ends(postId: number): Promise<void> {
    await sql`update article_previews set expires_at = now() - interval '1 second' where id = ${postId}`;
  }

  function fail({ company }: Poster): void {
    suppliers.openRouter.moods.add({ kind: 'fails', task: 'social_post', prompt: company, times: null });
  }

  /** The first so many answers about a new project. */
  async function answers(anna: ScriptedPerson, count: number): Promise<void> {
    for (const [i, answer] of ['', 'Шторы', 'ИП Штора', 'Пошив штор'].slice(0, count + 1).entries()) {
      if (answer) anna.says(answer);
      await anna.sees(`(${i + 1}/4)`);
    }
  }

  async function begins(anna: ScriptedPerson): Promise<void> {
    anna.says('/start');
    await anna.sees('Главное меню');
    await anna.presses('Опубликовать пост');
  }

  /** The keyboard is another one before it is pressed. */
  async function turns(anna: ScriptedPerson): Promise<void> {
    await anna.presses('▶');
    await expect.poll(() => anna.labels(), { timeout: 30_000 }).toContain('2/2');
  }

  async function leaves(anna: ScriptedPerson): Promise<void> {
    anna.says('Меню');
    await anna.sees('Главное меню');
  }
}
