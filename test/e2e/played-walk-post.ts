import { expect, vi } from 'vitest';
import type { Served } from '../support/accounts.ts';
import { aCluster } from '../support/article-customer.ts';
import type { TestBot } from '../support/bot.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { AUTOMATION_OFFER, LONG, PHRASE, type PlayedBot } from '../support/played-bot.ts';
import { aChannelConnection, aWaitingPost } from '../support/waiting-post.ts';
import {
  failsToWrite,
  losesTheAnswer,
  playPostWork,
  THE_POST,
  waitsLongForTheText,
  wordsOf,
} from './played-walk-post-work.ts';

const LONG_WAIT = { timeout: LONG.timeoutMs, interval: 50 };

let channels = 0;

export type Poster = Awaited<ReturnType<typeof aPoster>>;

/** With a category to write about and a channel whose admin is our bot. */
export async function aPoster(
  { bot, newcomer }: { bot: Served & Pick<TestBot, 'telegram'> } & Pick<PlayedBot, 'newcomer'>,
  {
    images = 1,
    prices = '',
    keywords = [aCluster(PHRASE)] as unknown,
    description = null as string | null,
  } = {},
) {
  const person = await newcomer();
  const [category] = await bot.app.sql<[{ id: number }]>`
    insert into categories (project_id, name, description, prices, keywords, image_settings)
    values (${person.projectId}, 'Кухни на заказ', ${description}, ${prices}, ${JSON.stringify(keywords)}::text::jsonb,
      ${JSON.stringify({ count: images })}::text::jsonb) returning id`;
  channels += 1;
  const username = `kuhni_${channels}`;
  const { id: channelId } = bot.telegram.channels.add({ title: 'Кухни', username });
  const connectionId = await aChannelConnection(bot.app.sql, person, { id: channelId, username });
  return Object.assign(person, {
    ...{ categoryId: category.id, connectionId, channelId, username },
    chat: String(channelId),
    posts: () => bot.telegram.channels.posts(channelId),
    arrivals: () => bot.telegram.channels.arrivals(channelId),
  });
}

export const atThePostPrice = async (anna: Poster) => {
  await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
  await anna.sees(/^Пост для Telegram · @kuhni_\d+/);
};

/** People who have a post written: what they see, what it costs them, what arrives in their channel. */
export async function playSocialPostPublish(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  const { sql } = bot.app;
  await Promise.all([
    playPostWork(played, { withPost, price: 40, isKept: false }),
    publishesTheThirdVersion(),
    waitsLongForTheFirst(),
    cannotPay(),
    getsNoPost(),
    sendsItToAnotherChannel(),
    decidesLater(),
  ]);

  async function publishesTheThirdVersion(): Promise<void> {
    const anna = await aPoster(played, { prices: 'Кухня — 90 000 ₽' });
    await anna.presses('Проекты');
    await anna.presses('Кухни');
    await anna.presses('Категории');
    await anna.presses('Кухни на заказ');
    await anna.presses('Опубликовать пост');
    await anna.sees(/^Пост для Telegram · @kuhni_\d+.*не больше 40 токенов \(текст 10, картинка 30\)/s);
    expect(anna.labels()).toEqual(['Создать пост', 'Отмена']);
    const release = models.hold('social_post', anna.company);
    await anna.presses('Создать пост');
    await anna.sees(/^Пишу пост по фразе «кухни на заказ».*▸ Пишу текст/s);
    release();
    const first = await anna.sees(THE_POST, LONG);
    // With the text as its caption, or above it where the text is too long for one.
    expect(anna.messages().some(({ photo }) => photo !== undefined)).toBe(true);
    expect(await anna.balance()).toBe(1_460);
    expect(anna.labels()).toEqual([
      'Опубликовать',
      'Перегенерировать (0/2)',
      'Вписать свой текст',
      'Отмена — вернуть токены',
    ]);

    await anna.presses(/^Перегенерировать/);
    const second = await anna.sees(THE_POST, LONG);
    expect(wordsOf(second)).not.toBe(wordsOf(first));
    expect(anna.labels()).toContain('Перегенерировать (1/2)');

    anna.says('к');
    await anna.sees(/^Напишите, что изменить/);
    const releaseWish = models.hold('social_post', anna.company);
    anna.says('короче, без эмодзи, добавь цену');
    await anna.sees(/^Правлю пост: короче/);
    releaseWish();
    await vi.waitFor(() => expect(anna.labels()).toContain('Перегенерировать (~40 токенов)'), LONG_WAIT);
    const third = anna.screen()!;
    expect(wordsOf(third)).toMatch(/90 000 ₽/);
    expect(await anna.balance(), 'the first two are free').toBe(1_460);

    await anna.presses('Опубликовать');
    await anna.sees(
      /^Пост опубликован · @kuhni_\d+.*Списано 40 токенов\nНа балансе 1\u2009460 токенов/s,
      LONG,
    );
    expect(anna.labels()).toEqual([
      ...['Открыть пост', 'Ещё пост', 'Добавить описание'],
      ...[...AUTOMATION_OFFER, 'К категории', 'К публикациям', 'Меню'],
    ]);
    const posted = anna.posts();
    const [post] = posted;
    expect(post?.photo).toBeDefined();
    const arrived = posted.map(wordsOf).join('');
    expect(wordsOf(third).slice(0, arrived.length), 'as it was shown').toBe(arrived);
    const logged = await sql`
      select status, platform_type as platform, content_type as type, tokens_spent as tokens, post_url as url
      from publication_logs where user_id = ${anna.id}`;
    expect([...logged]).toEqual([
      {
        status: 'success',
        platform: 'telegram',
        type: 'social_post',
        tokens: 40,
        url: `https://t.me/${anna.username}/${post?.message_id}`,
      },
    ]);
  }

  async function waitsLongForTheFirst(): Promise<void> {
    const anna = await aPoster(played, { images: 0 });
    await atThePostPrice(anna);
    await waitsLongForTheText(models, anna, 'Создать пост');
  }

  /** E01: nothing was asked of anybody, and the question stands. */
  async function cannotPay(): Promise<void> {
    const anna = await aPoster(played);
    await atThePostPrice(anna);
    await sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Создать пост');
    await anna.sees(/^Недостаточно токенов\. Нужно 40, у вас 10\..*Пост для /s);
    await anna.presses('Отмена');
    await anna.sees(/^Пост отменён\./);
    expect(await anna.balance()).toBe(10);
    await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
    await anna.sees(/На балансе: 10 токенов\. Не хватает 30\./);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Пост для .*На балансе: 1.010 токенов/s);
    expect(anna.labels()).toEqual(['Создать пост', 'Отмена']);
  }

  /** E12: no model writes. */
  async function getsNoPost(): Promise<void> {
    const anna = await aPoster(played);
    failsToWrite(suppliers, anna);
    await atThePostPrice(anna);
    await anna.presses('Создать пост');
    await anna.sees(/^Пост не получился\. Нейросеть сейчас не отвечает.*Вернулось 40 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
  }

  /** X10: the same text goes elsewhere, without another charge. */
  async function sendsItToAnotherChannel(): Promise<void> {
    const { anna } = await withPost();
    const { id: botId } = await bot.app.api.getMe();
    bot.telegram.channels.stand(anna.channelId, botId, { status: 'left' });
    await anna.presses('Опубликовать');
    await anna.sees(/^⚠ .*Так пост выйдет/s, LONG);
    await anna.presses('Другой канал');
    await anna.sees(/Пост «кухни на заказ» · Telegram.*Другого места для него в проекте нет/s);
    await anna.presses('+ Telegram');
    const other = bot.telegram.channels.add({ title: 'Запасной', owner: anna.id, botStatus: 'left' });
    await anna.sees('Кнопка «Выбрать канал»');
    bot.telegram.people.shareChat(anna.id, 1, other.id);
    await anna.sees(/Запасной — подключено.*Ждёт отправки пост «кухни на заказ»/s);
    await anna.presses('Вернуться к посту');
    await anna.presses('Запасной');
    await anna.sees(/Готово: пост теперь для «Запасной».*Сейчас он для «Запасной»/s);
    await anna.presses('Открыть пост');
    await anna.sees(THE_POST);
    await anna.presses('Опубликовать');
    await anna.sees(/^Пост опубликован · Запасной/, LONG);
    expect(bot.telegram.channels.posts(other.id)).toHaveLength(1);
    expect(anna.arrivals()).toEqual([]);
    expect(await anna.balance(), 'paid once').toBe(1_460);
  }

  async function decidesLater(): Promise<void> {
    const { anna, postId } = await withPost();
    await losesTheAnswer(bot, anna);
    anna.says('/cancel');
    await anna.presses('Открыть пост');
    await anna.sees(/^Ответ потерялся: пост мог выйти/);
    await anna.forges(`post:${postId}:again`);
    await anna.sees(/^Пост опубликован/, LONG);
  }

  async function withPost({ regenerations = 0 } = {}) {
    const anna = await aPoster(played, { images: 0 });
    const postId = await aWaitingPost(sql, anna, { regenerations, place: anna.chat });
    await anna.forges(`post:${postId}:open`);
    await anna.sees(THE_POST);
    return { anna, postId };
  }
}
