import { expect } from 'vitest';
import { buysAndGoesOn } from '../support/buys.ts';
import { LONG, type PlayedBot, SLOW_MS } from '../support/played-bot.ts';
import { refusing, refusingDrafts } from '../support/refusing-database.ts';
import { ageDraft } from '../support/waiting-draft.ts';
import type { Poster } from './played-walk-post.ts';

/** Its hashtags: no screen around it has any. */
export const THE_POST = /#[а-яё]+/;

type WrittenPost = {
  /** Looking at a post that was written and paid, with this many of its free versions used. */
  withPost(options?: { regenerations?: number }): Promise<{ anna: Poster; postId: number }>;
  /** What it cost, and what a version of it costs beyond the free ones. */
  price: number;
  /** It waits for its person, and gives its tokens back when its day is over; one that is not kept does neither (E27). */
  isKept: boolean;
};

/** People with a written post, wherever it was ordered: what they change, what it costs them, what arrives. */
export async function playPostWork(
  played: PlayedBot,
  { withPost, price, isKept }: WrittenPost,
): Promise<void> {
  const { bot, models, suppliers } = played;
  const { sql } = bot.app;
  const paid = 1_500 - price;
  const regenerate = `Перегенерировать (~${price} токенов)`;
  const cancelled = new RegExp(`^Пост отменён\\. Вернулось ${price} токенов`);
  await Promise.all([
    waitsLongForAnotherVersion(),
    waitsLongForTheChannel(),
    writesTheTextThemselves(),
    paysForTheThirdChange(),
    cannotPayAnotherVersion(),
    isRefusedByTheChannel(),
    losesTheAnswerAndSeesThePost(),
    losesTheAnswerAndSendsAgain(),
    losesTheAnswerAndTakesTheTokens(),
    leavesItUndecided(),
    comesTooLate(),
  ]);

  async function waitsLongForAnotherVersion(): Promise<void> {
    const { anna } = await withPost();
    await waitsLongForTheText(models, anna, 'Перегенерировать (0/2)');
  }

  async function waitsLongForTheChannel(): Promise<void> {
    const { anna } = await withPost();
    bot.telegram.faults.add({
      ...{ match: 'sendMessage', chat: anna.chat },
      fault: { kind: 'slow', ms: SLOW_MS },
    });
    const again = anna.dataOf('Опубликовать');
    await anna.presses('Опубликовать');
    await anna.sees(/^Публикую пост .*несколько секунд/s);
    // E07: a second press does nothing.
    await anna.forges(again);
    await anna.sees('Дольше обычного: площадка отвечает медленно.', LONG);
    await anna.sees('Пост опубликован', LONG);
    expect(anna.posts()).toHaveLength(1);
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
    expect(await anna.balance(), 'it is free').toBe(paid);
    expect(anna.labels()).toContain('Перегенерировать (0/2)');
    await anna.presses('Вписать свой текст');
    await ageDraft(sql, postId);
    anna.says('Поздно.');
    await anna.sees(/^Пост устарел/);

    const { anna: other } = await withPost();
    await other.presses('Вписать свой текст');
    other.says('/cancel');
    await other.sees(cancelled);
    expect(await other.balance()).toBe(1_500);
  }

  async function paysForTheThirdChange(): Promise<void> {
    const { anna, postId } = await withPost({ regenerations: 2 });
    await anna.presses(regenerate);
    await anna.sees(
      new RegExp(`^Ещё вариант.*стоит ${price} токенов\\..*На балансе: 1\u2009${paid - 1_000} токенов`, 's'),
    );
    await anna.presses('Назад');
    await anna.sees(THE_POST);
    anna.says('добавь про гарантию');
    await anna.sees(/^Правка\nдобавь про гарантию.*стоит 10 токенов/s);
    await anna.presses('Да, за 10 токенов');
    await anna.sees(/Про гарантию.*Так пост выйдет/s, LONG);
    expect(await anna.balance()).toBe(paid - 10);

    // X18: a paid version that fails gives its price back, and the text stays.
    failsToWrite(suppliers, anna);
    await anna.presses(/^Перегенерировать/);
    await anna.presses(/^Да, за/);
    await anna.sees(
      new RegExp(`^⚠ Нейросеть сейчас не отвечает.*Вернулось ${price} токенов.*Про гарантию`, 's'),
      LONG,
    );
    expect(await anna.balance()).toBe(paid - 10);
    await ageDraft(sql, postId);
    await anna.presses(/^Перегенерировать/);
    await anna.presses(/^Да, за/);
    await anna.sees(/^Пост устарел/);

    const { anna: other } = await withPost({ regenerations: 2 });
    await other.presses(/^Перегенерировать/);
    other.says('/cancel');
    await other.sees(cancelled);
  }

  /** E10, E51: at the price of a version, and at the post after it was refused. */
  async function cannotPayAnotherVersion(): Promise<void> {
    const { anna } = await withPost({ regenerations: 2 });
    await sql`select charge_balance(${anna.id}, balance, ${`spent:${anna.id}`}, 'review') from users where id = ${anna.id}`;
    await anna.presses(regenerate);
    await anna.sees(new RegExp(`На балансе: 0 токенов\\. Не хватает ${price}\\.`));
    await anna.presses(`Да, за ${price} токенов`);
    await anna.sees(/^⚠ Недостаточно токенов/, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    const post = await anna.sees(THE_POST);
    expect(wordsOf(post)).not.toContain('Недостаточно');
    await anna.presses(regenerate);
    await anna.sees(/На балансе: 1.000 токенов\./);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/^Продолжаем\.\n\nЕщё вариант.*На балансе: 2.000 токенов\./s);
  }

  /** X07, X10: back to the post; the charge stays; cancelling gives it back. */
  async function isRefusedByTheChannel(): Promise<void> {
    const { anna } = await withPost();
    const { id: botId } = await bot.app.api.getMe();
    bot.telegram.channels.stand(anna.channelId, botId, { status: 'administrator', mayPost: false });
    await anna.presses('Опубликовать');
    await anna.sees(/^⚠ Бот не администратор канала или не может публиковать.*Так пост выйдет/s, LONG);
    expect(anna.labels()).toEqual(expect.arrayContaining(['Опубликовать ещё раз', 'Проверить снова']));
    expect(await anna.balance()).toBe(paid);
    const keep = await refusingDrafts(sql, anna, 'cancelled');
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(/^⚠ Что-то пошло не так/);
    await keep();
    await anna.presses('Отмена — вернуть токены');
    await anna.sees(cancelled);
    expect(await anna.balance()).toBe(1_500);
    expect(anna.arrivals()).toEqual([]);
  }

  async function losesTheAnswerAndSeesThePost(): Promise<void> {
    const { anna, postId } = await withLostAnswer();
    expect(anna.labels()).toEqual([
      'Открыть канал',
      'Он там',
      'Его нет — отправить ещё раз',
      'Его нет — вернуть токены',
    ]);
    const keep = await refusingDrafts(sql, anna, 'published');
    await anna.presses('Он там');
    await anna.sees(/^⚠ Что-то пошло не так.*Ответ потерялся/s);
    await keep();
    await anna.presses('Он там');
    await anna.sees(/^Пост опубликован/);
    expect(await anna.balance(), 'the charge stays').toBe(paid);
    expect(await statusOf(postId)).toBe('success');
    expect(anna.arrivals()).toHaveLength(1);
  }

  async function losesTheAnswerAndSendsAgain(): Promise<void> {
    const { anna } = await withLostAnswer();
    await anna.presses('Его нет — отправить ещё раз');
    await anna.sees(/^Пост опубликован/, LONG);
    expect(await anna.balance()).toBe(paid);
    const logged = await sql<{ status: string }[]>`
      select status from publication_logs where user_id = ${anna.id} order by id`;
    expect(logged.map(({ status }) => status)).toEqual(['failed', 'success']);
  }

  async function losesTheAnswerAndTakesTheTokens(): Promise<void> {
    const { anna, postId } = await withLostAnswer();
    await anna.presses('Его нет — вернуть токены');
    await anna.sees(cancelled);
    expect(await anna.balance()).toBe(1_500);
    expect(await statusOf(postId)).toBe('cancelled');
  }

  async function leavesItUndecided(): Promise<void> {
    const { anna } = await withLostAnswer();
    anna.says('/cancel');
    await anna.sees(/^Пост ждёт вашего ответа.*72 часа/s);

    const { anna: other, postId } = await withLostAnswer();
    await sql`update article_previews set status = 'cancelled' where id = ${postId}`;
    await other.presses('Он там');
    await other.sees(/^Пост устарел/);
  }

  async function comesTooLate(): Promise<void> {
    const { anna, postId } = await withPost();
    await ageDraft(sql, postId);
    await anna.presses('Опубликовать');
    await anna.sees(/^Пост устарел/, LONG);
    expect(anna.arrivals()).toEqual([]);
    expect(await anna.balance()).toBe(isKept ? 1_500 : paid);
  }

  async function withLostAnswer() {
    const { anna, postId } = await withPost();
    await losesTheAnswer(bot, anna);
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

/** At any button that has a post written. */
export async function waitsLongForTheText(
  models: PlayedBot['models'],
  anna: Poster,
  label: string,
): Promise<void> {
  const release = models.hold('social_post', anna.company);
  await anna.presses(label);
  await anna.sees('Дольше обычного: внешние сервисы отвечают медленно.', LONG);
  release();
  await anna.sees(THE_POST, LONG);
}

/** Publishes a post, which arrives, and of which the bot hears nothing. */
export async function losesTheAnswer({ telegram }: PlayedBot['bot'], anna: Poster): Promise<void> {
  telegram.faults.add({ match: 'sendMessage', chat: anna.chat, fault: { kind: 'reset-after' } });
  await anna.presses('Опубликовать');
  await anna.sees(/^Ответ потерялся: пост мог выйти/, LONG);
}

/** No model writes for this person. */
export function failsToWrite({ openRouter }: PlayedBot['suppliers'], { company }: Poster): void {
  openRouter.moods.add({ kind: 'fails', task: 'social_post', prompt: company, times: null });
}

/** A picture carries them as its caption. */
export const wordsOf = ({ text, caption }: { text?: string; caption?: string }): string =>
  text ?? caption ?? '';
