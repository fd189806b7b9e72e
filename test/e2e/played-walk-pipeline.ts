import { expect } from 'vitest';
import { addCategory, addProject } from '../support/accounts.ts';
import { aCluster } from '../support/article-customer.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { grantAccess } from '../support/grant-access.ts';
import { addPhotos } from '../support/own-photos.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { LONG, PASSWORD, PHRASE, type PlayedBot, SLOW_MS, seesPreview } from '../support/played-bot.ts';
import { refusingDrafts } from '../support/refusing-database.ts';
import { saysItInWords } from './played-walk-article.ts';
import { takesTheArticle } from './played-walk-ends.ts';
import { leavesAtTheQuestions, tellsWhatOnlyTheyKnow } from './played-walk-own-knowledge.ts';
import { playPipelineMaterial } from './played-walk-pipeline-material.ts';
import {
  meetsMissingTable,
  type PipelineWay,
  pipelineSteps,
  playPipelineSteps,
} from './played-walk-pipeline-steps.ts';

const way: PipelineWay = {
  goal: 'Написать статью',
  title: 'Статья',
  place: 'сайт',
  resume: /^Продолжить: статья/,
  phrases: 100,
};

/** People who press «Написать статью»: what they are asked, what they see, what it costs them, what arrives. */
export async function playArticlePipeline(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers, wordpress } = played;
  const steps = pipelineSteps(played, way);
  const { begins, atTheFirstQuestion, turns, leaves, answersBadlyFirst, findsPhrases, choosesATopic } = steps;
  await Promise.all([
    playPipelineSteps(played, way, {
      ready,
      withoutTopic: played.newcomer,
      passesPlace: (anna) => anna.presses('Только предпросмотр'),
    }),
    comesWithNothing(),
    choosesASiteAndATopic(),
    leavesAndComesBack(),
    seesOnlyAPreview(),
    waitsLong(),
    takesOwnPhotos(),
    meetsTroubleAtThePreview(),
    cannotPay(),
    getsNoArticle(),
    comesTooLate(),
    tellsOwnKnowledge(),
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
  await cannotListPhrases();
  await playPipelineMaterial(played, way);

  async function saysWhatToChange(): Promise<void> {
    const anna = await ready();
    await writes(anna);
    await saysItInWords(anna);
  }

  /** From nothing to a preview: four answers about the business, no site, one topic. */
  async function comesWithNothing(): Promise<void> {
    const anna = await atTheFirstQuestion();
    await answersBadlyFirst(anna);
    await anna.presses('Пропустить');
    await anna.sees('Статья (2/5) — сайт');
    await anna.presses('Только предпросмотр');
    await anna.sees(/Статья \(3\/5\) — категория.*О чём будем писать/s);
    anna.says('?');
    await anna.sees(/^Введите название от 2 до 100 символов/);
    anna.says('Римские шторы');
    await anna.sees(/Статья \(4\/5\) — готовность\nШторы · Римские шторы.*Без них не начать/s);
    await findsPhrases(anna, /Статья \(5\/5\) — стоимость.*Статья без публикации/s);
    await anna.presses('Создать статью');
    await seesPreview(anna);
    expect(anna.labels()).toContain('Подключить сайт и опубликовать');
    await anna.presses('Подключить сайт и опубликовать');
    await anna.sees('Подключение WordPress (1/3)');
    await anna.presses('Отмена');
    await seesPreview(anna);
    await looksAtThePreviewInstead(anna);
  }

  /** E50: whichever question of a site is too much. */
  async function looksAtThePreviewInstead(anna: ScriptedPerson): Promise<void> {
    const { address } = played.nextSite();
    const steps = [[], [address], [address, 'admin']];
    for (const said of steps) {
      await anna.presses('Подключить сайт и опубликовать');
      await anna.sees('(1/3)');
      for (const [n, words] of said.entries()) {
        anna.says(words);
        await anna.sees(`(${n + 2}/3)`);
      }
      await anna.presses('Только предпросмотр');
      await seesPreview(anna);
    }
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
    await anna.presses('Проверить ещё раз');
    await anna.sees('(2/3)');
    await anna.presses('Другой адрес');
    await anna.sees('(1/3)');
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
    await anna.sees(/^Сайт не принял логин или пароль.*\(3\/3\)/s);
    await anna.presses('Другой логин');
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
    await anna.sees(/^Я попробовал адрес из проекта.*Сайт не отвечает/s, LONG);
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
    await anna.presses('Другой адрес');
    await anna.sees('(1/3)');
    anna.says(address);
    await anna.sees('уже подключён к вашему проекту «Кухни».');
    await anna.presses('Подключить');
    await anna.sees('(2/3)');
    await anna.presses('Отмена');
    await anna.sees('Статья (2/5)');
    await anna.presses('Подключить WordPress');
    anna.says(address);
    await anna.sees('уже подключён к вашему проекту «Кухни».');
    await anna.presses('Только предпросмотр');
    await anna.sees('готовность');
    await anna.presses('Другая категория');
    await anna.sees('Статья (3/5)');
    await anna.presses('Назад');
    await anna.sees('Статья (2/5)');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
  }

  async function choosesASiteAndATopic(): Promise<void> {
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
    await choosesATopic(boris);
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
    await leaves(anna);
    await anna.presses(/^Продолжить: статья/);
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
    wordpress.faults.add({ match: posts, fault: { kind: 'slow', ms: SLOW_MS } });
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
    const keep = await refusingDrafts(bot.app.sql, anna, 'cancelled');
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

  /** Not beside another walk: the table that is taken away is everybody's. */
  async function cannotListPhrases(): Promise<void> {
    const anna = await ready();
    const { hide, show } = await meetsMissingTable(played, anna, way);
    await hide();
    await anna.presses('Другая фраза');
    await anna.sees(/стоимость.*Не получилось начать/s);
    await show();
  }

  /** With a description: nothing is missing before the price. */
  async function ready(options: Parameters<PlayedBot['customer']>[0] = {}) {
    const customer = await played.customer(options);
    await bot.app
      .sql`update categories set description = 'Кухни по размерам' where id = ${customer.categoryId}`;
    return customer;
  }
}
