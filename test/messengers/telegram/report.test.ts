import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTelegramApi } from '../../../src/clients/telegram-api.ts';
import type { Happenings } from '../../../src/engine/happenings.ts';
import { updateTypes } from '../../../src/messengers/telegram/adapter.ts';
import { createReporter } from '../../../src/messengers/telegram/report.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const ANNA = 1001;
let telegram: TelegramStandIn;
beforeAll(async () => {
  telegram = await startTelegramStandIn({ token });
  await api().getUpdates({ allowed_updates: [...updateTypes], timeout: 0 });
  telegram.people.say(ANNA, '/start');
});
afterAll(() => telegram.close());
beforeEach(hearNothing);

const api = () => openTelegramApi(token, { apiRoot: telegram.url, timeoutSeconds: 5 });

/** What waits at Telegram goes to the handlers; the rest is returned. */
async function report(own: Partial<Happenings> = {}, options = {}) {
  const calls: [string, ...unknown[]][] = [];
  const noted = new Proxy({} as Happenings, {
    get:
      (_, name: keyof Happenings) =>
      async (...args: never[]) => {
        calls.push([name, ...args]);
        const handler = own[name] as ((...given: never[]) => unknown) | undefined;
        return handler ? handler(...args) : name === 'mayPay' ? null : undefined;
      },
  });
  const reporter = createReporter(api(), noted, pino({ level: 'silent' }), options);
  const others: unknown[] = [];
  for (const update of telegram.pendingUpdates()) {
    const reported = reporter(update as never);
    if (reported) await reported;
    else others.push(update);
  }
  return { calls, others };
}

async function hearNothing(): Promise<void> {
  const last = telegram.pendingUpdates().at(-1);
  if (last) await api().getUpdates({ offset: last.update_id + 1, timeout: 0 });
}

const invoice = { title: 'Пакет', description: '1500 токенов', payload: 'p1' };

async function bill(): Promise<number> {
  const { title, description, payload } = invoice;
  const sent = await api().sendInvoice(ANNA, title, description, payload, 'XTR', [
    { label: 'Пакет', amount: 50 },
  ]);
  return sent.message_id;
}

async function subscribe(): Promise<string> {
  const { title, description } = invoice;
  const prices = [{ label: 'Месяц', amount: 70 }];
  const link = await api().createInvoiceLink(title, description, 'sub', '', 'XTR', prices, {
    subscription_period: 2_592_000,
  });
  telegram.people.pay(ANNA, link);
  await report();
  return telegram.people.charges(ANNA).at(-1)!.id;
}

describe('a payment', () => {
  it('is asked about, agreed to, and told of with the id of its charge', async () => {
    const { answer } = telegram.people.pay(ANNA, await bill());
    const asked = await report();
    expect(asked.calls).toEqual([['mayPay', { userId: ANNA, currency: 'XTR', amount: 50, payload: 'p1' }]]);
    expect(await answer()).toEqual({});
    await hearNothingBefore('successful_payment');
    const [charge] = telegram.people.charges(ANNA).slice(-1);
    const { calls } = await report();
    expect(calls).toEqual([
      [
        'paid',
        { userId: ANNA, currency: 'XTR', amount: 50, payload: 'p1', chargeId: charge!.id, renewal: null },
      ],
    ]);
  });

  it.each([
    ['is refused in the words of the handler', { mayPay: async () => 'Тариф изменился' }, 'Тариф изменился'],
    [
      'is refused when it could not be checked',
      { mayPay: () => Promise.reject(new Error('the database is away')) },
      'Не получилось проверить заказ. Деньги не списаны, попробуйте ещё раз.',
    ],
    [
      'is refused when the check takes too long: Telegram would not wait',
      { mayPay: () => new Promise<null>(() => undefined) },
      'Не получилось проверить заказ. Деньги не списаны, попробуйте ещё раз.',
    ],
  ])('%s', async (_, own, text) => {
    const before = telegram.people.charges(ANNA).length;
    const { answer } = telegram.people.pay(ANNA, await bill());
    await report(own, { checkoutMs: 30 });
    expect(await answer()).toMatchObject({ text });
    expect(telegram.people.charges(ANNA)).toHaveLength(before);
  });

  it('whose update comes again after the answer does not stop the others', async () => {
    telegram.people.pay(ANNA, await bill());
    await report();
    await expect(report()).resolves.toBeDefined();
  });

  it('that was refunded is told of, and a second refund is called one', async () => {
    telegram.people.pay(ANNA, await bill());
    await report();
    const { id } = telegram.people.charges(ANNA).at(-1)!;
    await hearNothing();
    await api().refundStarPayment(ANNA, id);
    const { calls } = await report();
    expect(calls).toEqual([
      ['refunded', { userId: ANNA, currency: 'XTR', amount: 50, payload: 'p1', chargeId: id }],
    ]);
    await expect(api().refundStarPayment(ANNA, id)).rejects.toThrow('CHARGE_ALREADY_REFUNDED');
  });
});

describe('a subscription', () => {
  it('tells until when it is paid, and whether this is its first month', async () => {
    const id = await subscribe();
    const first = await report();
    expect(first.calls.at(-1)).toMatchObject(['paid', { chargeId: id, renewal: { isFirst: true } }]);
    await hearNothing();
    const { charge_id } = telegram.people.renew(ANNA, id)!;
    const { calls } = await report();
    expect(calls).toMatchObject([
      ['paid', { chargeId: charge_id, payload: 'sub', renewal: { isFirst: false } }],
    ]);
  });

  it('that the person or the bot ends is told of', async () => {
    const id = await subscribe();
    await hearNothing();
    telegram.people.cancelSubscription(ANNA, id);
    await api().editUserStarSubscription(ANNA, id, false);
    const { calls } = await report();
    expect(calls).toEqual([
      ['subscriptionChanged', { userId: ANNA, payload: 'sub', state: 'canceled' }],
      ['subscriptionChanged', { userId: ANNA, payload: 'sub', state: 'active' }],
    ]);
  });
});

describe('a person', () => {
  it('who blocks the bot, and lets it in again, is told of', async () => {
    telegram.people.block(ANNA);
    telegram.people.unblock(ANNA);
    const { calls } = await report();
    expect(calls).toEqual([
      ['blocked', ANNA, true],
      ['blocked', ANNA, false],
    ]);
  });

  it('who gives the bot rights in a channel by picking it is told of, and the pick is left to the dialogue', async () => {
    const { id } = telegram.channels.add({
      title: 'Букеты',
      username: 'bukety',
      botStatus: 'left',
      owner: ANNA,
    });
    await api().sendMessage(ANNA, 'Какой канал?', {
      reply_markup: {
        keyboard: [
          [
            {
              text: 'Выбрать канал',
              request_chat: {
                request_id: 7,
                chat_is_channel: true,
                request_title: true,
                bot_administrator_rights: { can_post_messages: true } as never,
              },
            },
          ],
        ],
      },
    });
    telegram.people.shareChat(ANNA, 7, id);
    const { calls, others } = await report();
    expect(calls).toEqual([
      [
        'membershipChanged',
        { chatId: String(id), title: 'Букеты', username: null, userId: ANNA, isMember: true, mayPost: true },
      ],
    ]);
    expect(others).toMatchObject([
      { message: { chat_shared: { request_id: 7, chat_id: id, title: 'Букеты' } } },
    ]);
  });
});

it('a handler that fails leaves the update to be brought again', async () => {
  telegram.people.block(ANNA);
  const failing = { blocked: () => Promise.reject(new Error('the database is away')) };
  await expect(report(failing)).rejects.toThrow('the database is away');
  telegram.people.unblock(ANNA);
});

/** Drops what the bot has dealt with already. */
async function hearNothingBefore(kind: string): Promise<void> {
  const first = telegram.pendingUpdates().find(({ message }) => message && kind in message);
  await api().getUpdates({ offset: first!.update_id, timeout: 0 });
}
