import { expect, vi } from 'vitest';
import type { Served } from '../support/accounts.ts';
import { aCluster } from '../support/article-customer.ts';
import type { TestBot } from '../support/bot.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { AUTOMATION_OFFER, LONG, PHRASE, type PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';
import { ageDraft } from '../support/waiting-draft.ts';
import { aChannelConnection, aWaitingPost } from '../support/waiting-post.ts';

// Longer than it takes until the bot says that it takes long.
const SLOW_CHANNEL_MS = 11_000;
/** Its hashtags: no screen around it has any. */
export const THE_POST = /#[а-яё]+/;

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
    publishesTheThirdVersion(),
    waitsLongForTheText(),
    waitsLongForAnotherVersion(),
    waitsLongForTheChannel(),
    cannotPay(),
    getsNoPost(),
    writesTheTextThemselves(),
    paysForTheThirdChange(),
    isRefusedByTheChannel(),
    sendsItToAnotherChannel(),
    losesTheAnswerAndSeesThePost(),
    losesTheAnswerAndSendsAgain(),
    losesTheAnswerAndTakesTheTokens(),
    decidesLater(),
    comesTooLate(),
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
      ...[...AUTOMATION_OFFER, 'К категории', 'Меню'],
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

  async function waitsLongForTheText(): Promise<void> {
    const anna = await aPoster(played, { images: 0 });
    await atThePostPrice(anna);
    await waitsLong(anna, 'Создать пост');
  }

  async function waitsLongForAnotherVersion(): Promise<void> {
    const { anna } = await withPost();
    await waitsLong(anna, /^Перегенерировать/);
  }

  async function waitsLong(anna: Poster, label: string | RegExp): Promise<void> {
    const release = models.hold('social_post', anna.company);
    await anna.presses(label);
    await anna.sees('Дольше обычного: внешние сервисы отвечают медленно.', LONG);
    release();
    await anna.sees(THE_POST, LONG);
  }

  async function waitsLongForTheChannel(): Promise<void> {
    const { anna } = await withPost();
    bot.telegram.faults.add({
      ...{ match: 'sendMessage', chat: anna.chat },
      fault: { kind: 'slow', ms: SLOW_CHANNEL_MS },
    });
    await anna.presses('Опубликовать');
    await anna.sees(/^Публикую пост .*несколько секунд/s);
    // E07: a second press does nothing.
    await anna.forges('pub:social:publish');
    await anna.sees('Дольше обычного: площадка отвечает медленно.', LONG);
    await anna.sees('Пост опубликован', LONG);
    expect(anna.posts()).toHaveLength(1);
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
    await cannotPayAnotherVersion();
  }

  /** E10, E51: at the price of a version, and at the post after it was refused. */
  async function cannotPayAnotherVersion(): Promise<void> {
    const { anna } = await withPost({ regenerations: 2 });
    await sql`select charge_balance(${anna.id}, balance, ${`spent:${anna.id}`}, 'review') from users where id = ${anna.id}`;
    await anna.presses('Перегенерировать (~40 токенов)');
    await anna.sees(/На балансе: 0 токенов\. Не хватает 40\./);
    await anna.presses('Да, за 40 токенов');
    await anna.sees(/^⚠ Недостаточно токенов/, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    const post = await anna.sees(THE_POST);
    expect(wordsOf(post)).not.toContain('Недостаточно');
    await anna.presses('Перегенерировать (~40 токенов)');
    await anna.sees(/На балансе: 1.000 токенов\./);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/^Продолжаем\.\n\nЕщё вариант.*На балансе: 2.000 токенов\./s);
  }

  /** E12: no model writes. */
  async function getsNoPost(): Promise<void> {
    const anna = await aPoster(played);
    fail(anna);
    await atThePostPrice(anna);
    await anna.presses('Создать пост');
    await anna.sees(/^Пост не получился\. Нейросеть сейчас не отвечает.*Вернулось 40 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
  }

  async function writesTheTextThemselves(): Promise<void> {
    const { anna, postId } = await withPost();
    await anna.presses('Вписать свой текст');
    await anna.sees(/^Свой текст\n.*4\u2009096 символов/s);
    await anna.presses('Назад');
    await anna.sees(THE_POST);
    await anna.presses('Вписать свой текст');
    const keep = await refusing(sql, 'article_previews', `new.user_id = ${anna.id}`);
    anna.says('Замер сразу.');
    await anna.sees(/^⚠ Что-то пошло не так.*Свой текст/s);
    await keep();
    anna.says('Замер <бесплатно> & сразу: kuhni.ru');
    await anna.sees(/^Замер <бесплатно> & сразу: kuhni.ru/);
    expect(await anna.balance(), 'it is free').toBe(1_460);
    expect(anna.labels()).toContain('Перегенерировать (0/2)');
    await anna.presses('Вписать свой текст');
    await ageDraft(sql, postId);
    anna.says('Поздно.');
    await anna.sees(/^Пост устарел/);

    const { anna: other } = await withPost();
    await other.presses('Вписать свой текст');
    other.says('/cancel');
    await other.sees(/^Пост отменён\. Вернулось 40 токенов/);
    expect(await other.balance()).toBe(1_500);
  }

  async function paysForTheThirdChange(): Promise<void> {
    const { anna, postId } = await withPost({ regenerations: 2 });
    await anna.presses('Перегенерировать (~40 токенов)');
    await anna.sees(/^Ещё вариант.*стоит 40 токенов\..*На балансе: 1\u2009460 токенов/s);
    await anna.presses('Назад');
    await anna.sees(THE_POST);
    anna.says('добавь про гарантию');
    await anna.sees(/^Правка\nдобавь про гарантию.*стоит 10 токенов/s);
    await anna.presses('Да, за 10 токенов');
    await anna.sees(/добавь про гарантию.*Так пост выйдет/s, LONG);
    expect(await anna.balance()).toBe(1_450);

    // X18: a paid version that fails gives its price back, and the text stays.
    fail(anna);
    await anna.presses(/^Перегенерировать/);
    await anna.presses(/^Да, за/);
    await anna.sees(/^⚠ Нейросеть сейчас не отвечает.*Вернулось 40 токенов.*добавь про гарантию/s, LONG);
    expect(await anna.balance()).toBe(1_450);
    await ageDraft(sql, postId);
    await anna.presses(/^Перегенерировать/);
    await anna.presses(/^Да, за/);
    await anna.sees(/^Пост устарел/);

    const { anna: other } = await withPost({ regenerations: 2 });
    await other.presses(/^Перегенерировать/);
    other.says('/cancel');
    await other.sees(/^Пост отменён\. Вернулось 40 токенов/);
  }

  /** X07, X10: back to the post; the charge stays; cancelling gives it back. */
  async function isRefusedByTheChannel(): Promise<void> {
    const { anna } = await withPost();
    const { id: botId } = await bot.app.api.getMe();
    bot.telegram.channels.stand(anna.channelId, botId, { status: 'administrator', mayPost: false });
    await anna.presses('Опубликовать');
    await anna.sees(/^⚠ Бот больше не администратор канала или не может публиковать.*Так пост выйдет/s, LONG);
    expect(anna.labels()).toEqual(expect.arrayContaining(['Опубликовать ещё раз', 'Проверить снова']));
    expect(await anna.balance()).toBe(1_460);
    const keep = await refusing(
      sql,
      'article_previews',
      `new.user_id = ${anna.id} and new.status = 'cancelled'`,
    );
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^⚠ Что-то пошло не так/);
    await keep();
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^Пост отменён\. Вернулось 40 токенов/);
    expect(await anna.balance()).toBe(1_500);
    expect(anna.arrivals()).toEqual([]);
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

  async function losesTheAnswerAndSeesThePost(): Promise<void> {
    const { anna, postId } = await withLostAnswer();
    expect(anna.labels()).toEqual([
      'Открыть канал',
      'Он там',
      'Его нет — отправить ещё раз',
      'Его нет — вернуть токены',
    ]);
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
    expect(await anna.balance(), 'the charge stays').toBe(1_460);
    expect(await statusOf(postId)).toBe('success');
    expect(anna.arrivals()).toHaveLength(1);
  }

  async function losesTheAnswerAndSendsAgain(): Promise<void> {
    const { anna, postId } = await withLostAnswer();
    await anna.presses('Его нет — отправить ещё раз');
    await anna.sees(/^Пост опубликован/, LONG);
    expect(await anna.balance()).toBe(1_460);
    const logged = await sql<{ status: string }[]>`
      select status from publication_logs where user_id = ${anna.id} order by id`;
    expect(logged.map(({ status }) => status)).toEqual(['failed', 'success']);
    expect(postId).toBeGreaterThan(0);
  }

  async function losesTheAnswerAndTakesTheTokens(): Promise<void> {
    const { anna, postId } = await withLostAnswer();
    await anna.presses('Его нет — вернуть токены');
    await anna.sees(/^Пост отменён\. Вернулось 40 токенов/);
    expect(await anna.balance()).toBe(1_500);
    expect(await statusOf(postId)).toBe('cancelled');
  }

  async function decidesLater(): Promise<void> {
    const { anna, postId } = await withLostAnswer();
    anna.says('/cancel');
    await anna.sees(/^Пост ждёт вашего ответа.*72 часа/s);
    await anna.presses('Открыть пост');
    await anna.sees(/^Ответ потерялся: пост мог выйти/);
    await anna.forges(`post:${postId}:again`);
    await anna.sees(/^Пост опубликован/, LONG);

    const { anna: other, postId: otherPost } = await withLostAnswer();
    await sql`update article_previews set status = 'cancelled' where id = ${otherPost}`;
    await other.presses('Он там');
    await other.sees(/^Пост устарел/);
  }

  async function comesTooLate(): Promise<void> {
    const { anna, postId } = await withPost();
    await ageDraft(sql, postId);
    await anna.presses('Опубликовать');
    await anna.sees(/^Пост устарел/);
    expect(anna.arrivals()).toEqual([]);
  }

  function fail({ company }: Poster): void {
    suppliers.openRouter.moods.add({ kind: 'fails', task: 'social_post', prompt: company, times: null });
  }

  async function withPost({ regenerations = 0 } = {}) {
    const anna = await aPoster(played, { images: 0 });
    const postId = await aWaitingPost(sql, anna, { regenerations, place: anna.chat });
    await anna.forges(`post:${postId}:open`);
    await anna.sees(THE_POST);
    return { anna, postId };
  }

  async function withLostAnswer() {
    const { anna, postId } = await withPost();
    bot.telegram.faults.add({ match: 'sendMessage', chat: anna.chat, fault: { kind: 'reset-after' } });
    await anna.presses('Опубликовать');
    await anna.sees(/^Ответ потерялся: пост мог выйти/, LONG);
    expect(anna.arrivals()).toHaveLength(1);
    expect(await statusOf(postId)).toBe('unknown');
    return { anna, postId };
  }

  async function statusOf(postId: number): Promise<string | undefined> {
    const [row] = await sql<{ status: string }[]>`
      select status from publication_logs where operation_key like ${`draft:${postId}:publish:%`} order by id desc`;
    return row?.status;
  }
}

/** A picture carries them as its caption. */
const wordsOf = ({ text, caption }: { text?: string; caption?: string }): string => text ?? caption ?? '';
