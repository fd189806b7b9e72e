import { expect, vi } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { AUTOMATION_OFFER, LONG, type PlayedBot } from '../support/played-bot.ts';
import { ageDraft } from '../support/waiting-draft.ts';
import { playCrossPost } from './played-walk-cross-post.ts';
import { playTopicMaterial } from './played-walk-pipeline-material.ts';
import {
  meetsMissingTable,
  type PipelineWay,
  pipelineSteps,
  playPipelineSteps,
} from './played-walk-pipeline-steps.ts';
import { aPoster, type Poster } from './played-walk-post.ts';
import { failsToWrite, playPostWork, THE_POST, waitsLongForTheText } from './played-walk-post-work.ts';
import { playPipelineChannels } from './played-walk-social-channels.ts';

const resume = /^Продолжить: пост/;
const way: PipelineWay = {
  goal: 'Опубликовать пост',
  title: 'Пост',
  place: 'канал',
  resume,
  phrases: 50,
};

/** People who press «Опубликовать пост»: what they are asked, what they see, what it costs them, what arrives. */
export async function playSocialPipeline(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  const { sql } = bot.app;
  const steps = pipelineSteps(played, way);
  const { begins, atTheFirstQuestion, turns, leaves, answersBadlyFirst, findsPhrases, choosesATopic } = steps;
  await Promise.all([
    playPipelineSteps(played, way, { ready, withoutTopic }),
    playPostWork(played, { withPost, price: 10, isKept: true }),
    comesWithNothing(),
    choosesAChannelAndATopic(),
    leavesAndComesBack(),
    waitsLong(),
    cannotPay(),
    getsNoPost(),
    losesTheirChannel(),
    findsTheAnswerLost(),
    comesBackTooLate(),
  ]);
  await playCrossPost(played, async () => {
    const { anna } = await withPost();
    await anna.presses('Опубликовать');
    await anna.sees('Пост опубликован', LONG);
    return anna;
  });
  await playPipelineChannels(played);
  await meetsMissingTable(played, await ready(), way);
  await playTopicMaterial(played, way, (options) => aPoster(played, { images: 0, ...options }));

  /** From nothing to a post in a channel: four answers about the business, one press for the channel, one topic. */
  async function comesWithNothing(): Promise<void> {
    const anna = await atTheFirstQuestion();
    await answersBadlyFirst(anna);
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
    const keysBack = bot.telegram.people
      .messages(anna.id)
      .filter(({ text }) => text?.startsWith('Кнопки под полем ввода снова обычные'));
    expect(keysBack, 'said once').toHaveLength(1);
    anna.says('Римские шторы');
    await anna.sees(/Пост \(4\/5\) — готовность\nШторы → Шторы · Римские шторы.*Без них не начать/s);
    await findsPhrases(anna, /Пост \(5\/5\) — стоимость.*Пост для Telegram · Шторы/s);
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

  async function choosesAChannelAndATopic(): Promise<void> {
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
    await choosesATopic(boris);
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
    await waitsLongForTheText(models, anna, 'Создать пост');
    anna.says('к');
    await anna.sees(/^Напишите, что изменить/);
    anna.says('короче, без эмодзи');
    await vi.waitFor(() => expect(anna.labels()).toContain('Перегенерировать (1/2)'), {
      timeout: LONG.timeoutMs,
    });
    expect(await anna.balance()).toBe(1_490);
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
    failsToWrite(suppliers, anna);
    await begins(anna);
    await anna.presses('Создать пост');
    await anna.sees(/^Пост не получился\. Нейросеть сейчас не отвечает.*Вернулось 10 токенов/s, LONG);
    expect(anna.labels()).toEqual(['Ещё раз', 'Другая категория', 'Меню']);
    expect(await anna.balance()).toBe(1_500);
    await anna.presses('Ещё раз');
    await anna.sees('стоимость');
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

  /** Left at the post, whose answer was lost elsewhere: the question is asked here. */
  async function findsTheAnswerLost(): Promise<void> {
    const { anna: dina, postId } = await withPost();
    await leaves(dina);
    await sql`update article_previews set status = 'unknown' where id = ${postId}`;
    await dina.presses(resume);
    await dina.sees(/^Ответ потерялся: пост мог выйти/);
    await sql`update article_previews set status = 'cancelled' where id = ${postId}`;
    await dina.presses('Он там');
    await dina.sees(/^Пост устарел/);
  }

  async function comesBackTooLate(): Promise<void> {
    const { anna, postId } = await withPost();
    await leaves(anna);
    await ageDraft(sql, postId);
    await anna.presses(resume);
    await anna.sees(/^Пост устарел/);
  }

  /** With a description: nothing is missing before the price. */
  function ready(): Promise<Poster> {
    return aPoster(played, { images: 0, description: 'Кухни по размерам' });
  }

  async function withoutTopic(): Promise<Poster> {
    const boris = await aPoster(played);
    await sql`delete from categories where id = ${boris.categoryId}`;
    return boris;
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
}
