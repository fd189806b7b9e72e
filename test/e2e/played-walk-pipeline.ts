import { expect } from 'vitest';
import { addCategory, addProject } from '../support/accounts.ts';
import { aCluster } from '../support/article-customer.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { grantAccess } from '../support/grant-access.ts';
import { addPhotos } from '../support/own-photos.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { LONG, PASSWORD, PHRASE, type PlayedBot, seesPreview } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';
import { saysItInWords } from './played-walk-article.ts';
import { takesTheArticle } from './played-walk-ends.ts';
import { leavesAtTheQuestions, tellsWhatOnlyTheyKnow } from './played-walk-own-knowledge.ts';
import { playPipelineMaterial } from './played-walk-pipeline-material.ts';
import { readsFromASite } from './played-walk-projects.ts';

// Longer than it takes until the bot says that it takes long.
const SLOW_SITE_MS = 11_000;

/** People who press «Написать статью»: what they are asked, what they see, what it costs them, what arrives. */
export async function playArticlePipeline(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers, wordpress } = played;
  await Promise.all([
    comesWithNothing(),
    choosesAmongMany(),
    leavesAndComesBack(),
    seesOnlyAPreview(),
    waitsLong(),
    takesOwnPhotos(),
    meetsTroubleAtThePreview(),
    cannotPay(),
    getsNoArticle(),
    comesTooLate(),
    meetsADatabaseThatRefuses(),
    changesTheirMind(),
    tellsOwnKnowledge(),
    readsFromASite(bot, suppliers.firecrawl, atTheFirstQuestion),
    readsASecondSite(),
    saysWhatToChange(),
    takesTheArticle(played, async () => {
      const anna = await ready();
      await writes(anna);
      return anna;
    }),
  ]);
  // What they break, or mend, others would feel too, so they come one by one.
  await connectsTheirSite();
  await findsTheirSiteElsewhere();
  await meetsADatabaseOutOfOrder();
  await playPipelineMaterial(played);

  async function saysWhatToChange(): Promise<void> {
    const anna = await ready();
    await writes(anna);
    await saysItInWords(anna);
  }

  async function atTheFirstQuestion(): Promise<ScriptedPerson> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Написать статью');
    await anna.sees('Новый проект (1/4)');
    return anna;
  }

  /** Beside a project that is there already. */
  async function readsASecondSite(): Promise<void> {
    const anna = await played.newcomer();
    await addProject(bot, anna, 'Полки');
    await begins(anna);
    await anna.presses('+ Проект');
    anna.says('kukhni-na-zakaz.ru');
    await anna.sees('Вот что я прочитал', LONG);
    await anna.presses('Отмена');
    await anna.sees('Статья (1/5)');
    await anna.presses('+ Проект');
    anna.says('kukhni-na-zakaz.ru');
    await anna.sees('Вот что я прочитал', LONG);
    await anna.presses('Телефон');
    await anna.sees('Напишите, как правильно');
    await anna.presses('Отмена');
    await anna.sees('Статья (1/5)');
  }

  /** From nothing to a preview: four answers about the business, no site, one topic. */
  async function comesWithNothing(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Написать статью');
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
    await anna.sees('Статья (2/5) — сайт');
    await anna.presses('Только предпросмотр');
    await anna.sees(/Статья \(3\/5\) — категория.*О чём будем писать/s);
    anna.says('?');
    await anna.sees(/^Введите название от 2 до 100 символов/);
    anna.says('Римские шторы');
    await anna.sees(/Статья \(4\/5\) — готовность\nШторы · Римские шторы.*Без них не начать/s);
    await anna.presses('Подобрать фразы (100)');
    await anna.sees('(2/3)');
    anna.says('Казань');
    await anna.sees(/Готово: .*✓ Фразы/s, LONG);
    await anna.presses('Дальше');
    await anna.sees(/Статья \(5\/5\) — стоимость.*Статья без публикации/s);
    await anna.presses('Отмена');
    await anna.sees(/^Вы уверены\? Прогресс сохранится\./);
    await anna.presses('Продолжить');
    await anna.sees('стоимость');
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Дальше');
    await anna.sees('стоимость');
    await anna.presses('Создать статью');
    await seesPreview(anna);
    expect(anna.labels()).toContain('Подключить сайт и опубликовать');
    await anna.presses('Подключить сайт и опубликовать');
    await anna.sees('Подключение WordPress (1/3)');
    await anna.presses('Отмена');
    await seesPreview(anna);
  }

  async function connectsTheirSite(): Promise<void> {
    const anna = await played.newcomer();
    await addCategory(bot, anna.projectId, 'Шторы');
    const { address, path, identifier } = played.nextSite();
    await begins(anna);
    await anna.sees('Статья (2/5) — сайт');
    await anna.presses('Подключить WordPress');
    await anna.sees('(1/3)');
    anna.says('это не адрес');
    await anna.sees(/^Это не похоже на адрес сайта/);
    wordpress.faults.add({ match: `/${path}/`, times: 20, fault: { kind: 'reset' } });
    anna.says(address);
    await anna.sees(/^Сайт недоступен\. Проверьте URL/);
    wordpress.faults.clear();
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('a'.repeat(101));
    await anna.sees(/^Введите логин WordPress/);
    await anna.presses('Отмена');
    await anna.sees('Статья (2/5)');
    await anna.presses('Подключить WordPress');
    await anna.sees('(1/3)');
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    await anna.presses('Как получить');
    await anna.sees('Как получить пароль приложения:');
    anna.says('мой обычный пароль');
    await anna.sees(/^Введите Application Password/);
    await anna.presses('Отмена');
    await anna.sees('Статья (2/5)');
    await anna.presses('Подключить WordPress');
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says('aaaa bbbb cccc dddd eeee ffff');
    await anna.sees(/^Не удалось подключиться\. Сайт не принял логин или пароль.*Статья \(2\/5\)/s);
    await anna.presses('Подключить WordPress');
    anna.says(address);
    await anna.sees('(2/3)');
    const limit = `rate:${anna.id}:platform_connection`;
    await bot.app.sql`
      insert into key_values (key, value, expires_at) values (${limit}, '100', now() + interval '1 hour')
      on conflict (key) do update set value = '100'`;
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says(PASSWORD);
    await anna.sees(/^Слишком часто.*\(3\/3\)/s);
    await bot.app.sql`delete from key_values where key = ${limit}`;
    await anna.presses('Ещё раз');
    await anna.sees(new RegExp(`готовность\nКухни → ${identifier} · Шторы`));
  }

  /** E41; and access that is granted on the site itself, whose address the project knows. */
  async function findsTheirSiteElsewhere(): Promise<void> {
    const anna = await played.newcomer();
    const { address, path } = played.nextSite();
    await bot.app.sql`update projects set website_url = ${address} where id = ${anna.projectId}`;
    await addCategory(bot, anna.projectId, 'Шторы');
    await begins(anna);
    await anna.sees('Статья (2/5)');
    await leaves(anna);
    await anna.presses(/^Продолжить: статья/);
    await anna.sees('Статья (2/5)');
    wordpress.faults.add({ match: `/${path}/`, times: 20, fault: { kind: 'reset' } });
    await anna.presses('Подключить WordPress');
    await anna.sees(/^Сайт недоступен/, LONG);
    wordpress.faults.clear();
    await anna.presses(/^Взять /);
    await anna.sees('(2/3)');
    await anna.presses('Я разрешил');
    await anna.sees(/^Разрешение с сайта пока не пришло/);
    await grantAccess(bot, anna);
    await anna.sees('готовность', LONG);
    await leaves(anna);

    const second = await addProject(bot, anna, 'Шкафы');
    await addCategory(bot, second, 'Шкафы-купе');
    await anna.presses('Начать заново');
    await anna.sees('Статья (1/5) — проект');
    await anna.presses('Шкафы');
    await anna.presses('Подключить WordPress');
    await anna.sees('(1/3)');
    anna.says(address);
    await anna.sees('уже подключён к вашему проекту «Кухни».');
    await anna.presses('Отмена');
    await anna.sees('Статья (2/5)');
    await anna.presses('Подключить WordPress');
    anna.says(address);
    await anna.sees('уже подключён к вашему проекту «Кухни».');
    await anna.presses('Подключить');
    await anna.sees('(2/3)');
    await anna.presses('Отмена');
    await anna.sees('Статья (2/5)');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
  }

  async function choosesAmongMany(): Promise<void> {
    const anna = await ready();
    const projects = [];
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) projects.push(await addProject(bot, anna, `Проект ${n}`));
    await begins(anna);
    await anna.sees('Статья (1/5) — проект');
    await turns(anna);
    await anna.presses('Кухни');
    await anna.sees('стоимость');
    await anna.presses('Другой проект');
    await anna.sees('Статья (1/5)');
    await anna.presses('+ Проект');
    await anna.sees('Новый проект (1/4)');
    for (const [i, answer] of ['', 'Двери', 'ИП Дверь', 'Двери на заказ'].entries()) {
      if (answer) anna.says(answer);
      await anna.sees(`(${i + 1}/4)`);
      await anna.presses('Отмена');
      await anna.sees('Статья (1/5)');
      await anna.presses('+ Проект');
      for (const again of ['', 'Двери', 'ИП Дверь', 'Двери на заказ'].slice(1, i + 1)) {
        await anna.sees(/\(\d\/4\)/);
        anna.says(again);
      }
      await anna.sees(`(${i + 1}/4)`);
    }
    anna.says('https://dveri.example');
    await anna.sees('Статья (2/5) — сайт');
    await anna.presses('Другой проект');
    await bot.app.sql`delete from projects where id = ${projects[7]!}`;
    await anna.presses('Проект 8');
    await anna.sees(/^Этого проекта больше нет: выберите другой\..*Статья \(1\/5\)/s);
    await leaves(anna, 'Отмена');

    await manySitesAndTopics();
  }

  async function manySitesAndTopics(): Promise<void> {
    const boris = await ready();
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) await addCategory(bot, boris.projectId, `Тема ${n}`);
    const other = played.nextSite();
    await bot.app.sql`
      insert into platform_connections (project_id, platform_type, identifier, credentials)
      select ${boris.projectId}, 'wordpress', ${other.identifier} || n, credentials
      from platform_connections, generate_series(1, 8) n where id = ${boris.connectionId}`;
    await begins(boris);
    await boris.sees('Статья (2/5) — сайт');
    await turns(boris);
    await boris.presses(new RegExp(`^${boris.identifier}$`));
    await boris.sees('Статья (3/5) — категория');
    await turns(boris);
    await boris.presses('Назад');
    await boris.sees('Статья (2/5)');
    await boris.presses('Только предпросмотр');
    await boris.sees('Статья (3/5)');
    await boris.presses('+ Категория');
    await boris.sees('О чём будем писать');
    await boris.presses('Отмена');
    await boris.sees('О чём пишем?');
    const keep = await refusing(bot.app.sql, 'categories', `new.name = 'Полки ${boris.id}'`);
    await boris.presses('+ Категория');
    boris.says(`Полки ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await boris.presses('Отмена');
    await boris.sees('О чём пишем?');
    await keep();
    await leaves(boris);
    await boris.presses(/^Продолжить: статья/);
    await boris.sees('О чём пишем?');
    await turns(boris);
    await boris.presses('Кухни на заказ');
    await boris.sees('стоимость');
    await boris.presses('Другая категория');
    await boris.sees('Статья (3/5)');
    await boris.presses('Другой проект');
    await boris.sees('Статья (1/5)');
    await boris.presses('Кухни');
    await boris.sees('Статья (2/5)');
    await boris.presses('Только предпросмотр');
    await boris.sees('О чём пишем?');
    await turns(boris);
    await boris.presses('Кухни на заказ');
    await boris.sees('стоимость');
    await boris.presses('К чеклисту');
    await boris.sees('готовность');
    await boris.presses('Другая категория');
    await boris.sees('Статья (3/5)');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
  }

  async function tellsOwnKnowledge(): Promise<void> {
    const anna = await ready({ images: 0 });
    await begins(anna);
    await anna.sees('стоимость');
    await leavesAtTheQuestions(anna);
    await tellsWhatOnlyTheyKnow(played, anna);
  }

  /** E49. */
  async function leavesAndComesBack(): Promise<void> {
    const anna = await ready();
    await begins(anna);
    await anna.sees('стоимость');
    anna.says('/cancel');
    await anna.sees('Прогресс сохранится 24 часа');
    expect(anna.labels()).toContain('Продолжить: статья «Кухни на заказ»');
    await anna.presses('Написать статью');
    await anna.sees(/Незаконченная статья.*Шаг: стоимость/s);
    await anna.presses('Продолжить');
    await anna.sees('стоимость');
    anna.says('/start');
    await anna.presses('Отменить');
    await anna.sees('Незаконченная статья отменена.');
    expect(anna.labels()).not.toContain('Начать заново');
  }

  /** A draft without a site: it is connected from the preview, and the article goes there. */
  async function seesOnlyAPreview(): Promise<void> {
    const anna = await ready();
    await bot.app.sql`delete from platform_connections where id = ${anna.connectionId}`;
    await begins(anna);
    await anna.presses('Только предпросмотр');
    await anna.sees('стоимость');
    await anna.presses('Создать статью');
    await seesPreview(anna);
    anna.says('Меню');
    await anna.sees('Прогресс сохранится 24 часа');
    await anna.presses(/^Продолжить: статья/);
    await seesPreview(anna);
    await bot.app
      .sql`update projects set website_url = ${wordpress.addressOf(anna.path)} where id = ${anna.projectId}`;
    anna.says('Меню');
    await anna.sees('Главное меню');
    await anna.presses(/^Продолжить: статья/);
    await seesPreview(anna);
    await anna.presses('Подключить сайт и опубликовать');
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says(PASSWORD);
    await anna.sees(`Сайт: ${anna.identifier}`);
    await anna.presses('Опубликовать');
    await anna.sees(/Статья опубликована/, LONG);
    expect(anna.site.posts.values()).toHaveLength(1);

    // The last article's category and site are there: one press more, and the next one is being written.
    await begins(anna);
    await anna.sees(/стоимость\nКухни → /);
    await anna.presses('Другой проект');
    await anna.sees('Статья (1/5)');
    await anna.presses('Отмена');
  }

  async function takesOwnPhotos(): Promise<void> {
    const anna = await ready();
    await addPhotos(bot, anna, ['Кухня в Казани']);
    await begins(anna);
    await anna.presses('Взять мои фото (1)');
    await anna.sees('Ваши фото: 1, бесплатно');
  }

  async function waitsLong(): Promise<void> {
    const anna = await ready({ images: 0 });
    await begins(anna);
    await anna.presses('+ картинка');
    await anna.sees('Картинки: 1');
    await anna.presses('− картинка');
    await anna.sees('без картинок');
    const release = models.hold('article', anna.company);
    await anna.presses('Создать статью');
    await anna.sees(/✓ Смотрю выдачу Google и конкурентов\n▸ Пишу текст/, LONG);
    await anna.sees('Дольше обычного', LONG);
    release();
    await seesPreview(anna);
    const again = models.hold('article', anna.company);
    await anna.presses(/^Перегенерировать/);
    await anna.sees(/▸ Пишу текст/, LONG);
    await anna.sees('Дольше обычного', LONG);
    again();
    await seesPreview(anna);
    await bot.app.sql`update article_previews set regeneration_count = 2 where user_id = ${anna.id}`;
    anna.says('Меню');
    await anna.sees('Главное меню');
    await anna.presses(/^Продолжить: статья/);
    await seesPreview(anna);
    await anna.presses(/^Перегенерировать/);
    await anna.sees('Ещё один вариант?');
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees('Ещё один вариант?');
    await anna.presses('Оставить как есть');
    await anna.presses(/^Перегенерировать/);
    anna.says('/cancel');
    await seesPreview(anna);
    await anna.presses(/^Перегенерировать/);
    await bot.app
      .sql`select charge_balance(${anna.id}, balance, ${`spent:${anna.id}`}, 'review') from users where id = ${anna.id}`;
    await anna.presses(/^Написать за/);
    await anna.sees(/^⚠ Недостаточно токенов/, LONG);
    await buysAndGoesOn(bot, anna, 'starter');
    await seesPreview(anna);
    const posts = `POST /${anna.path}/wp-json/wp/v2/posts`;
    wordpress.faults.add({ match: posts, fault: { kind: 'slow', ms: SLOW_SITE_MS } });
    await anna.presses('Опубликовать');
    await anna.sees('Дольше обычного: сайт отвечает медленно.', LONG);
    await anna.sees('Статья опубликована', LONG);
  }

  async function meetsTroubleAtThePreview(): Promise<void> {
    const many = Array.from({ length: 12 }, (_, i) => aCluster(`полки ${i}`, { total_volume: 5 }));
    const anna = await ready({ keywords: [aCluster(PHRASE), aCluster('шкафы на заказ'), ...many] });
    await begins(anna);
    await anna.presses('Другая фраза');
    await anna.sees('О чём написать?');
    await anna.presses('Назад');
    await anna.sees('стоимость');
    await anna.presses('Другая фраза');
    await anna.sees('О чём написать?');
    await anna.presses('Ещё фразы');
    await anna.sees('О чём написать?');
    anna.says('/cancel');
    await anna.sees('стоимость');
    await anna.presses('Другая фраза');
    await anna.sees('О чём написать?');
    await leaves(anna);
    await anna.presses(/^Продолжить: статья/);
    await anna.sees('стоимость');
    await anna.presses('Другая фраза');
    await anna.sees('О чём написать?');
    await anna.presses(/шкафы на заказ/);
    await anna.sees('Фраза: «шкафы на заказ»');
    await anna.presses('Создать статью');
    await seesPreview(anna);
    anna.site.change({ applicationPasswords: false });
    await anna.presses('Опубликовать');
    await anna.sees(/^⚠ Сайт не узнал пользователя/, LONG);
    suppliers.openRouter.moods.add({ kind: 'fails', task: 'article', prompt: anna.company, times: null });
    await anna.presses(/^Перегенерировать/);
    await anna.sees(/^⚠ Нейросеть сейчас не отвечает/, LONG);
    const keep = await refusing(
      bot.app.sql,
      'article_previews',
      `new.user_id = ${anna.id} and new.status = 'cancelled'`,
    );
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^⚠ Что-то пошло не так/);
    await keep();
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^Статья отменена, черновик удалён\. Вернулось \d+ токен/);
    expect(await anna.balance()).toBe(1_500);
  }

  /** E01, E51. */
  async function cannotPay(): Promise<void> {
    const anna = await ready();
    await begins(anna);
    await anna.sees('стоимость');
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Создать статью');
    await anna.sees(/Недостаточно токенов\. Нужно 230, у вас 10\./);
    await leaves(anna);
    await buysAndGoesOn(bot, anna, 'starter');
    await anna.sees('стоимость');
    expect(anna.labels()).toContain('Создать статью');
  }

  /** E12, E35. */
  async function getsNoArticle(): Promise<void> {
    const anna = await ready();
    suppliers.openRouter.moods.add({ kind: 'fails', task: 'article', prompt: anna.company, times: null });
    await begins(anna);
    await anna.presses('Создать статью');
    await anna.sees(/^Статья не получилась\. Нейросеть сейчас не отвечает.*Вернулось 230 токенов/s, LONG);
    expect(anna.labels()).toEqual(['Ещё раз', 'Другая категория', 'Меню']);
    expect(await anna.balance()).toBe(1_500);
    await anna.presses('Ещё раз');
    await anna.sees('стоимость');
  }

  /** E18, in every way in which a person can learn of it. */
  async function comesTooLate(): Promise<void> {
    for (const label of ['Опубликовать', /^Перегенерировать/]) {
      const anna = await ready();
      await writes(anna);
      await bot.app
        .sql`update article_previews set expires_at = now() - interval '1 second' where user_id = ${anna.id}`;
      await anna.presses(label);
      await anna.sees(/^Предпросмотр устарел/, LONG);
    }
    const anna = await ready();
    await writes(anna);
    anna.says('Меню');
    await anna.sees('Главное меню');
    await bot.app
      .sql`update article_previews set expires_at = now() - interval '1 second' where user_id = ${anna.id}`;
    await anna.presses(/^Продолжить: статья/);
    await anna.sees(/^Предпросмотр устарел/);
  }

  async function writes(anna: ScriptedPerson): Promise<void> {
    await begins(anna);
    await anna.presses('Создать статью');
    await seesPreview(anna);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.sees('ИИ пишет');
    for (const n of [0, 1, 2, 3]) {
      await anna.presses('Написать статью');
      for (const [i, answer] of ['', 'Шторы', 'ИП Штора', 'Пошив штор'].slice(0, n + 1).entries()) {
        if (answer) anna.says(answer);
        await anna.sees(`(${i + 1}/4)`);
      }
      await anna.presses('Отмена');
      await anna.sees('Главное меню');
    }
    const keep = await refusing(bot.app.sql, 'projects', `new.user_id = ${anna.id}`);
    await anna.presses('Написать статью');
    for (const [i, answer] of ['', 'Шторы', 'ИП Штора', 'Пошив штор'].entries()) {
      if (answer) anna.says(answer);
      await anna.sees(`(${i + 1}/4)`);
    }
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
    await keep();

    const boris = await played.newcomer();
    await begins(boris);
    await boris.presses('Только предпросмотр');
    await boris.sees('О чём будем писать');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    const refuses = await refusing(bot.app.sql, 'categories', `new.name = 'Полки ${boris.id}'`);
    await boris.presses('Написать статью');
    await boris.presses('Только предпросмотр');
    await boris.sees('О чём будем писать');
    boris.says(`Полки ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    await refuses();
  }

  /** One by one: it is out of order for everybody. */
  async function meetsADatabaseOutOfOrder(): Promise<void> {
    const anna = await ready();
    const hide = () => bot.app.sql`alter table platform_content_overrides rename to hidden_overrides`;
    const show = () => bot.app.sql`alter table hidden_overrides rename to platform_content_overrides`;
    await hide();
    await begins(anna);
    await anna.sees('Ничего не потеряно.');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
    await anna.presses('Написать статью');
    await anna.sees('Ничего не потеряно.');
    await show();
    await anna.presses('Повторить');
    await anna.sees('стоимость');
    await hide();
    await anna.presses('Другая фраза');
    await anna.sees(/стоимость.*Не получилось начать/s);
    await show();
  }

  async function meetsADatabaseThatRefuses(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Написать статью');
    const keepProjects = await refusing(bot.app.sql, 'projects', `new.user_id = ${anna.id}`);
    for (const answer of ['Шторы', 'ИП Штора', 'Пошив штор на заказ']) {
      await anna.sees(/\(\d\/4\)/);
      anna.says(answer);
    }
    await anna.sees('(4/4)');
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await keepProjects();
    await anna.presses('Повторить');
    await anna.sees('Статья (2/5)');
    const keepCategories = await refusing(bot.app.sql, 'categories', `new.name = 'Тюль ${anna.id}'`);
    await anna.presses('Только предпросмотр');
    anna.says(`Тюль ${anna.id}`);
    await anna.sees('Категория пока не создана.');
    await keepCategories();
    await anna.presses('Повторить');
    await anna.sees('готовность');
  }

  /** With a description: nothing is missing before the price. */
  async function ready(options: Parameters<PlayedBot['customer']>[0] = {}) {
    const customer = await played.customer(options);
    await bot.app
      .sql`update categories set description = 'Кухни по размерам' where id = ${customer.categoryId}`;
    return customer;
  }

  async function begins(anna: ScriptedPerson): Promise<void> {
    anna.says('/start');
    await anna.sees('Главное меню');
    await anna.presses('Написать статью');
  }

  /** The keyboard is another one before it is pressed. */
  async function turns(anna: ScriptedPerson): Promise<void> {
    await anna.presses('▶');
    await expect.poll(() => anna.labels(), { timeout: 30_000 }).toContain('2/2');
  }

  async function leaves(anna: ScriptedPerson, by = 'Меню'): Promise<void> {
    if (by === 'Меню') anna.says('Меню');
    else await anna.presses(by);
    await anna.sees('Главное меню');
  }
}
