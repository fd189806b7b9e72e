import { expect, vi } from 'vitest';
import { buys, buysAndGoesOn } from '../support/buys.ts';
import { LONG, type PlayedBot, SLOW_MS } from '../support/played-bot.ts';
import { refusing, refusingDrafts } from '../support/refusing-database.ts';
import { aChannelConnection } from '../support/waiting-post.ts';
import type { Poster } from './played-walk-post.ts';

const REVIEW = /Так пост выйдет: Telegram · @more_/;
let channels = 0;

/** People who send a published post to their other channels (E52). `published`: on its result, from the pipeline. */
export async function playCrossPost(played: PlayedBot, published: () => Promise<Poster>): Promise<void> {
  const { bot, models, suppliers } = played;
  const { sql } = bot.app;
  await Promise.all([
    sendsItToThree(),
    losesEveryAnswer(),
    getsNoAdaptation(),
    hasEnough(),
    comesTooLate(),
    hasNowhereToGo(),
  ]);

  async function sendsItToThree(): Promise<void> {
    const { anna, places } = await withChannels(3);
    await anna.presses('Кросс-пост (10)');
    await anna.sees(/^Кросс-пост.*10 токенов за канал, всего 30 токенов/s);
    await anna.presses(/^☑ .*@more_/);
    await expect.poll(() => anna.labels().filter((label) => label.startsWith('☐'))).toHaveLength(1);
    await anna.presses(/^☐ /);
    await expect.poll(() => anna.labels().filter((label) => label.startsWith('☑'))).toHaveLength(3);
    await anna.presses('Отмена');
    await anna.sees(/^Хорошо, пост остаётся там, где вышел.*Пост опубликован/s);
    await anna.presses('Кросс-пост (10)');
    await anna.sees('Кросс-пост');
    anna.says('Меню');
    await anna.sees('Прогресс сохранится 24 часа');
    await anna.presses('Опубликовать пост');
    await anna.sees(/Незаконченный пост.*Шаг: кросс-пост/s);
    await anna.presses('Продолжить');
    await anna.sees(/^Кросс-пост/);
    const before = (await anna.balance())!;

    const release = models.hold('cross_post', anna.company);
    await anna.presses(/^Адаптировать: 3 канала \(30\)/);
    await anna.sees(/^Адаптирую пост · Telegram · @more_\d+ \(1\/3\)/);
    await anna.sees('Дольше обычного', LONG);
    release();
    await anna.sees(REVIEW, LONG);
    expect(await anna.balance(), 'one channel at a time').toBe(before - 10);
    const forget = await refusing(sql, 'article_previews', `new.user_id = ${anna.id}`);
    anna.says('Кухни собираем за два дня.');
    await anna.sees(/^⚠ Что-то пошло не так/, LONG);
    await forget();
    anna.says('без эмодзи');
    await anna.sees(/^⚠ Похоже на просьбу.*пришлите весь пост.*Так пост выйдет/s, LONG);
    anna.says('Кухни собираем за день.');
    await anna.sees(/^Кухни собираем за день\./, LONG);
    bot.telegram.faults.add({
      ...{ match: 'sendMessage', chat: String(places[0]) },
      fault: { kind: 'slow', ms: SLOW_MS },
    });
    await anna.presses('Опубликовать в Telegram');
    await anna.sees('Дольше обычного: площадка отвечает медленно.', LONG);
    await anna.sees(/Так пост выйдет.*\(2\/3\)/s, LONG);
    expect(wordsIn(places[0]!)).toEqual(['Кухни собираем за день.']);
    await anna.presses('Пропустить');
    await anna.sees(/Так пост выйдет.*\(3\/3\)/s, LONG);
    expect(await anna.balance(), 'a skipped one comes back').toBe(before - 20);

    // E52: refused by the channel. Its tokens come back, and the original stays.
    const { id: botId } = await bot.app.api.getMe();
    bot.telegram.channels.stand(places[2]!, botId, { status: 'administrator', mayPost: false });
    await anna.presses('Опубликовать в Telegram');
    await anna.sees(/^Не вышло: Telegram · @more_.*Вернулось 10 токенов.*Исходный пост на месте/s, LONG);
    expect(await anna.balance()).toBe(before - 10);
    bot.telegram.channels.stand(places[2]!, botId, { status: 'administrator' });
    await anna.presses('Повторить (10)');
    await anna.sees(REVIEW, LONG);
    await anna.presses('Опубликовать в Telegram');
    await anna.sees(
      /^Telegram · @more_\d+: вышел — https:.*пропущен, токены вернулись.*вышел.*Пост опубликован/s,
      LONG,
    );
    expect(await anna.balance()).toBe(before - 20);
    expect(places.map((place) => wordsIn(place).length > 0)).toEqual([true, false, true]);
    // What has it is not offered again.
    await anna.presses('Кросс-пост (10)');
    await anna.sees(/^Кросс-пост/);
    expect(anna.labels().filter((label) => label.startsWith('☑'))).toHaveLength(1);
    const logged = await sql<{ type: string; tokens: number }[]>`
      select content_type as type, tokens_spent as tokens from publication_logs
      where user_id = ${anna.id} and status = 'success' order by id`;
    expect(logged.map(({ type }) => type)).toEqual(['social_post', 'cross_post', 'cross_post']);
  }

  /** Every channel has an unknown of its own. */
  async function losesEveryAnswer(): Promise<void> {
    const { anna, places } = await withChannels(5);
    for (const place of places)
      bot.telegram.faults.add({ match: 'sendMessage', chat: String(place), fault: { kind: 'reset-after' } });
    await anna.presses('Кросс-пост (10)');
    await anna.presses(/^Адаптировать: 5 каналов/);
    await lost(anna);
    const keep = await refusingDrafts(sql, anna, 'published');
    await anna.presses('Он там');
    await anna.sees(/^⚠ Что-то пошло не так.*Ответ потерялся/s);
    await keep();
    await anna.presses('Он там');
    await lost(anna);
    await anna.presses('Его нет — отправить ещё раз');
    await lost(anna);
    await anna.presses('Его нет — вернуть токены');
    await lost(anna);
    await anna.presses('Решу позже');
    await lost(anna);
    anna.says('/cancel');
    await anna.sees(/вышел.*вышел.*пропущен.*ответ потерялся.*ответ потерялся/s);
    expect(await anna.balance()).toBe(1_490 - 40);
  }

  async function lost(anna: Poster): Promise<void> {
    await anna.sees(REVIEW, LONG);
    await anna.presses('Опубликовать в Telegram');
    await anna.sees(/^Ответ потерялся: пост мог выйти/, LONG);
  }

  async function getsNoAdaptation(): Promise<void> {
    const { anna } = await withChannels(3);
    await sql`select charge_balance(${anna.id}, balance - 5, ${`spent:${anna.id}`}, 'review') from users where id = ${anna.id}`;
    await anna.presses('Кросс-пост (10)');
    await anna.sees(/На балансе: 5 токенов\. Не хватает 25\./);
    await anna.presses(/^Адаптировать: 3/);
    await anna.sees(/^Не вышло.*Недостаточно токенов\. Нужно 10, у вас 5\./s, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/^Продолжаем\.\n\nНе вышло/);
    suppliers.openRouter.moods.add({ kind: 'fails', task: 'cross_post', prompt: anna.company, times: null });
    await anna.presses('Повторить (10)');
    await anna.sees(/^Не вышло.*Нейросеть сейчас не отвечает.*Вернулось 10 токенов/s, LONG);
    await anna.presses('Пропустить');
    await anna.sees(/^Не вышло.*Нейросеть/s, LONG);
    expect(await anna.balance()).toBe(1_005);
    await anna.presses('Закончить');
    await anna.sees(/не вышел, токены вернулись.*Остальные \(1\) не тронуты.*Пост опубликован/s);
    await sql`select charge_balance(${anna.id}, balance, ${`rest:${anna.id}`}, 'review') from users where id = ${anna.id}`;
    await anna.presses('Кросс-пост (10)');
    await anna.sees('Не хватает 30');
    await buys(bot, anna, 'mini');
    await anna.presses(/^Продолжить/);
    await anna.sees(/^Продолжаем\.\n\nКросс-пост.*На балансе: 1.000 токенов/s);
  }

  async function hasEnough(): Promise<void> {
    const { anna, places } = await withChannels(2);
    await anna.presses('Кросс-пост (10)');
    await anna.presses(/^Адаптировать: 2/);
    await anna.sees(REVIEW, LONG);
    const keep = await refusingDrafts(sql, anna, 'cancelled');
    await anna.presses('Пропустить');
    await anna.sees(/^⚠ Что-то пошло не так.*Так пост выйдет/s, LONG);
    // Their own words, without the complaint: the next one is seen to be another.
    anna.says('Кухни собираем за день.');
    await anna.sees(/^Кухни собираем за день\..*Так пост выйдет/s, LONG);
    const { id: botId } = await bot.app.api.getMe();
    bot.telegram.channels.stand(places[0]!, botId, { status: 'administrator', mayPost: false });
    await anna.presses('Опубликовать в Telegram');
    await anna.sees(/^⚠ Что-то пошло не так.*Так пост выйдет/s, LONG);
    await keep();
    await sql`
      update article_previews set expires_at = now() - interval '1 second'
      where user_id = ${anna.id} and status = 'draft'`;
    await anna.presses('Опубликовать в Telegram');
    await anna.sees(/^Не вышло.*устарел/s, LONG);
    expect(await anna.balance()).toBe(1_490);
    await anna.presses('Повторить (10)');
    await anna.sees(REVIEW, LONG);
    await anna.presses('Закончить — вернуть токены');
    await anna.sees(/пропущен, токены вернулись.*Остальные \(1\) не тронуты/s);
    expect(await anna.balance()).toBe(1_490);
    expect(places.flatMap(wordsIn)).toEqual([]);
  }

  async function comesTooLate(): Promise<void> {
    const { anna } = await withChannels(1);
    await sql`update article_previews set content_html = null where user_id = ${anna.id}`;
    await anna.presses('Кросс-пост (10)');
    await anna.sees(/^Текст этого поста уже не хранится.*Пост опубликован/s);
    expect(anna.labels()).not.toContain('Кросс-пост (10)');
  }

  async function hasNowhereToGo(): Promise<void> {
    const anna = await published();
    expect(anna.labels()).not.toContain('Кросс-пост (10)');
    expect(await anna.forges('pipeline:crosspost:1')).not.toBeNull();
  }

  /** On the result of a post, in a project with more channels. */
  async function withChannels(count: number) {
    const anna = await published();
    const places: number[] = [];
    for (let n = 0; n < count; n += 1) {
      channels += 1;
      const username = `more_${channels}`;
      const { id } = bot.telegram.channels.add({ title: 'Ещё', username });
      await aChannelConnection(sql, anna, { id, username });
      places.push(id);
    }
    await anna.presses('К публикациям');
    await anna.presses(/^✅/);
    await vi.waitFor(() => expect(anna.labels()).toContain('Кросс-пост (10)'), { timeout: 30_000 });
    return { anna, places };
  }

  function wordsIn(place: number): string[] {
    return bot.telegram.channels.posts(place).map(({ text, caption }) => text ?? caption ?? '');
  }
}
