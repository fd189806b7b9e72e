import { describe, expect, it } from 'vitest';
import { demoRules } from '../../src/sandbox/demo-shop.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { ruleSchema } from '../../src/shop-bot/rule.ts';
import { forEachDatabase, opening } from '../support/stores.ts';
import { aShop } from './a-shop.ts';

forEachDatabase((sql) => {
  const shop = opening(() => aShop(sql()));
  let people = 5_000;
  const somebody = () => {
    people += 1;
    return shop().customer(people);
  };
  const rowsOf = async (chatId: string) =>
    (await shop().outbox()).filter(({ chat_id }) => chat_id === chatId);
  const statusOf = async (chatId: string) => (await rowsOf(chatId)).map(({ status }) => status);
  /** An answer that is passed over while its row is locked waits for the sweep, which the product runs every two seconds. */
  const sweptStatusOf = async (chatId: string) => {
    await shop().bot.sweep.once();
    return statusOf(chatId);
  };
  const strike = (fault: Fault, chat: string, times = 1) =>
    shop().standIn.faults.add({ match: 'POST /messages', chat, times, fault });

  describe('the same webhook', () => {
    it('ten times at once is answered once, in two processes as well', async () => {
      const customer = somebody();
      const update = customer.sayUpdate('доставка');
      const other = shop().newBot();
      const call = { endpointId: 'bot', secret: shop().secret, bytes: 500, json: JSON.stringify(update) };
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, async (_, i) =>
          i % 2 === 0 ? (await shop().post(update)).status : (await other.receive(call)).outcome,
        ),
      );
      expect(outcomes.filter((one) => one === 'answered' || one === 200 || one === 'duplicate')).toHaveLength(
        10,
      );
      await expect.poll(() => statusOf(customer.chatId)).toEqual(['sent']);
      expect(customer.answers()).toHaveLength(1);
      expect((await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId)).toHaveLength(1);
      await other.stop();
    });

    it('out of order leaves every message with its own answer, and the log with the order they were taken in', async () => {
      const customer = somebody();
      const updates = ['ТС-1', 'возврат', 'доставка'].map((text) => customer.sayUpdate(text));
      for (const update of updates) expect((await shop().post(update)).status).toBe(200);
      await expect.poll(() => sweptStatusOf(customer.chatId)).toEqual(['sent', 'sent', 'sent']);
      const lines = (await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId);
      expect(lines.map(({ state_before, state_after }) => [state_before, state_after])).toEqual([
        ['default', 'default'],
        ['default', 'returns_order'],
        ['returns_order', 'returns_order'],
      ]);
    });
  });

  describe('many messages of one chat at once', () => {
    it('are decided one after another by two processes, and answered in that order', async () => {
      const customer = somebody();
      const other = shop().newBot();
      const updates = Array.from({ length: 12 }, (_, i) => customer.sayUpdate(i % 2 ? 'доставка' : 'оплата'));
      await Promise.all(
        updates.map((update, i) => {
          const json = JSON.stringify(update);
          const { receive } = i % 3 === 0 ? other : shop().bot;
          return receive({ endpointId: 'bot', secret: shop().secret, bytes: json.length, json });
        }),
      );
      await expect.poll(async () => new Set(await sweptStatusOf(customer.chatId))).toEqual(new Set(['sent']));
      const rows = await rowsOf(customer.chatId);
      expect(customer.answers().map(({ body }) => body.mid)).toEqual(
        rows.map((row) => row.provider_message_id),
      );
      expect(await customer.state()).toMatchObject({ state: 'default' });
      const [{ revision }] = await sql()<[{ revision: number }]>`
        select revision from bot_state where chat_id = ${customer.chatId}`;
      expect(revision).toBe(12);
      await other.stop();
    });
  });

  describe('a process that dies', () => {
    it('between the transaction and the send: a sweep sends the answer, once', async () => {
      const customer = somebody();
      const dead = { ...shop().newBot() };
      await dead.stop();
      // The transaction of a process that died behind it: decided, never attempted.
      await sql()`
        insert into bot_outbox (workspace_id, chat_id, inbound_provider_message_id, response_hash, payload)
        select ${shop().id}, ${customer.chatId}, 'mid.lost', 'hash', ${sql().json({
          ...{ text: 'Ответ погибшего процесса', buttons: [], media: null, to: { chatId: customer.chatId } },
          ...{ auth_ref: 'demo-shop-bot', trace_id: 't', idempotency_key: 'k' },
        })}`;
      await Promise.all([shop().bot.sweep.once(), shop().bot.sweep.once()]);
      await expect.poll(() => statusOf(customer.chatId)).toEqual(['sent']);
      expect(customer.answers().map(({ body }) => body.text)).toEqual(['Ответ погибшего процесса']);
    });

    it('between the send and its note: the answer is unknown, and not sent again', async () => {
      const customer = somebody();
      await customer.say('доставка');
      await expect.poll(() => statusOf(customer.chatId)).toEqual(['sent']);
      // What was written before the note came: the attempt.
      await sql()`
        update bot_outbox set status = 'sending', sent_at = null, provider_message_id = null,
          attempted_at = now() - interval '2 minutes' where chat_id = ${customer.chatId}`;
      await shop().bot.sweep.once();
      expect(await statusOf(customer.chatId)).toEqual(['unknown']);
      await shop().bot.sweep.once();
      expect(customer.answers()).toHaveLength(1);
      // The next message of the chat does not wait for it.
      expect(await customer.say('оплата')).toContain('Принимаем карты');
    });
  });

  describe('MAX', () => {
    it('answers 429: the answer goes when it may, and the bot asks nothing meanwhile', async () => {
      const own = await aShop(sql());
      const [customer, next] = [own.customer(1), own.customer(2)];
      const statuses = async () =>
        (await own.outbox()).map(({ status, attempts }) => `${status} ${attempts}`);
      const fault = { kind: 'status', status: 429, retryAfter: 1 } as const;
      own.standIn.faults.add({ match: 'POST /messages', chat: customer.chatId, fault });
      await own.post(customer.sayUpdate('доставка'));
      await expect.poll(statuses).toEqual(['queued 1']);
      expect((await own.outbox())[0]?.last_error).toMatchObject({ code: '429' });
      await own.post(next.sayUpdate('доставка'));
      // The other chat waits with it, or goes when the second is over: either way nothing is lost or counted.
      await expect
        .poll(async () => {
          await own.bot.sweep.once();
          return statuses();
        })
        .toEqual(['sent 2', 'sent 1']);
      expect([customer.answers().length, next.answers().length]).toEqual([1, 1]);
      await own.close();
    });

    it('takes so many calls a second: the bot keeps below, and what waits is not lost when it stops', async () => {
      const own = await aShop(sql(), { bot: { graceMs: 0, callsPerSecond: 0.001 } });
      const [first, second] = [own.customer(1), own.customer(2)];
      const statuses = async () =>
        (await own.outbox()).map(({ status, attempts }) => `${status} ${attempts}`);
      await own.post(first.sayUpdate('доставка'));
      await expect.poll(statuses).toEqual(['sent 1']);
      await own.post(second.sayUpdate('доставка'));
      await own.bot.sweep.once(); // claims it, and puts it off: its turn is too far away
      await expect.poll(statuses).toEqual(['sent 1', 'queued 0']);
      await own.bot.stop();
      expect(await statuses()).toEqual(['sent 1', 'queued 0']);
      const next = own.newBot({ graceMs: 0 });
      await sql()`update bot_outbox set next_try_at = now() where workspace_id = ${own.id}`;
      await next.sweep.once();
      await expect.poll(statuses).toEqual(['sent 1', 'sent 1']);
      expect(second.answers()).toHaveLength(1);
      await next.stop();
      await own.close();
    });

    it.each<[string, Fault]>([
      ['answers 500', { kind: 'status', status: 500 }],
      ['hangs', { kind: 'hang' }],
      ['takes the answer and drops the connection', { kind: 'reset-after' }],
      ['takes the answer and says nothing', { kind: 'hang-after' }],
    ])('%s: the answer is unknown, and the next one goes', async (_, fault) => {
      const own = await aShop(sql(), { maxTimeoutMs: 2_000 });
      const customer = own.customer(1);
      const statuses = async () => (await own.outbox()).map(({ status }) => status);
      own.standIn.faults.add({ match: 'POST /messages', chat: customer.chatId, fault });
      await own.post(customer.sayUpdate('доставка'));
      await expect.poll(statuses).toEqual(['unknown']);
      await own.bot.sweep.once();
      expect(await statuses()).toEqual(['unknown']);
      await own.post(customer.sayUpdate('оплата'));
      await expect.poll(statuses).toEqual(['unknown', 'sent']);
      await own.close();
    });

    it('answers 503: nothing was taken, so it is tried again', async () => {
      const customer = somebody();
      strike({ kind: 'status', status: 503 }, customer.chatId);
      await shop().post(customer.sayUpdate('доставка'));
      await expect.poll(() => statusOf(customer.chatId)).toEqual(['queued']);
    });

    it('refuses for good, as when the customer stopped the bot: failed, with the reason', async () => {
      const customer = somebody();
      shop().standIn.people.stop(shop().maxBot, { id: customer.userId, name: 'x' });
      await shop().post(customer.sayUpdate('доставка'));
      await expect.poll(() => statusOf(customer.chatId)).toEqual(['failed']);
      expect((await rowsOf(customer.chatId))[0]?.last_error).toMatchObject({ code: 'chat.denied' });
    });
  });

  describe('rules', () => {
    it('removed in mid-scenario: the customer is back at the start and is asked what they want', async () => {
      const own = await aShop(sql());
      const customer = own.customer(1);
      await customer.say('возврат');
      await sql()`delete from bot_rules where workspace_id = ${own.id} and state = 'returns_order'`;
      expect(await customer.say('ТС-1')).toContain('не совсем понял');
      expect(await customer.state()).toMatchObject({ state: 'default', context: { misses: 1 } });
      expect((await own.logs()).at(-1)).toMatchObject({
        state_before: 'returns_order',
        state_after: 'default',
      });
      await own.close();
    });

    it('that match nothing, or none at all: a question, then contacts', async () => {
      const own = await aShop(sql(), { rules: [] });
      const customer = own.customer(1);
      expect(await customer.say('доставка')).toContain('не совсем понял');
      expect(await customer.say('доставка')).toContain('передал ваш вопрос сотруднику');
      await own.close();
    });

    it('ten thousand of them: the right one answers', async () => {
      const many = Array.from({ length: 10_000 }, (_, i) =>
        ruleSchema.parse({
          ...{ rule_id: `rule-${i}`, intent: 'x', response_template: `Товар ${i} есть` },
          pattern: { keywords: [`номер ${i}.`, `артикул ${i}.`, `модель-${i}.`] },
        }),
      );
      const own = await aShop(sql(), { rules: many });
      expect(await own.customer(1).say(`есть ли модель-9998.? ${'товар номер '.repeat(300)}`)).toBe(
        'Товар 9998 есть',
      );
      await own.close();
    });
  });

  describe('a message', () => {
    it.each([
      ['of 4,000 characters', 'а'.repeat(4_000)],
      ['of emoji only', '🙂🙃🙂'],
      ['in another script', '你们几点开门？ שלום'],
      ['with what a database cannot store', 'до\u0000ставка \ud800'],
      ['that looks like markup', '<script>{{phone}}</script> & доставка'],
    ])('%s is answered and logged', async (_, text) => {
      const customer = somebody();
      expect(await customer.say(text)).not.toBe('');
      expect((await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId)).toHaveLength(1);
    });
  });

  describe('a stranger', () => {
    it('with a forged secret, or a right one at another address, is turned away', async () => {
      const update = somebody().sayUpdate('доставка');
      expect((await shop().post(update, { key: 'forged-secret' })).status).toBe(401);
      const elsewhere = shop().address.replace(/bot$/u, 'another');
      expect((await shop().post(update, { to: elsewhere })).status).toBe(401);
      expect((await fetch(shop().address, { method: 'POST', body: '{}' })).status).toBe(401);
    });

    it('cannot reach the rules of another shop by the payload of a button', async () => {
      const foreign = ruleSchema.parse({
        ...{ rule_id: 'secret_prices', intent: 'x', pattern: { keywords: ['цены'] } },
        response_template: 'Закупочные цены',
      });
      const other = await aShop(sql(), { rules: [...demoRules, foreign] });
      const customer = somebody();
      expect(await customer.press('secret_prices')).toContain('кнопка из старого сообщения');
      await other.close();
    });
  });

  it('an old button does not act on a scenario that has gone elsewhere', async () => {
    const customer = somebody();
    expect(await customer.press('return_size')).toContain('кнопка из старого сообщения');
    expect(await customer.state()).toMatchObject({ state: 'default' });
  });

  it('a press that comes without the number of its chat is answered in the chat of its person', async () => {
    const customer = somebody();
    await customer.say('возврат');
    expect((await shop().post(customer.pressUpdate('@cancel', 0))).status).toBe(200);
    await expect.poll(() => customer.last()).toContain('остановился');
    expect(await customer.state()).toMatchObject({ state: 'default' });
  });

  it.each([
    [
      'another kind of update',
      { update_type: 'bot_stopped', timestamp: 1, chat_id: 1, user: { user_id: 1 } },
    ],
    [
      'a message in a group',
      {
        update_type: 'message_created',
        timestamp: 1,
        message: {
          sender: { user_id: 1, is_bot: false },
          recipient: { chat_id: -5, chat_type: 'chat' },
          body: { mid: 'mid.g', text: 'доставка' },
        },
      },
    ],
  ])('%s is taken and left alone', async (_, update) => {
    expect((await shop().post(update)).status).toBe(200);
    expect(
      await sql()`select from bot_inbox where workspace_id = ${shop().id} and chat_id in ('-5', '1')`,
    ).toHaveLength(0);
  });

  it('what is no update, or too large, is refused; a flood is told to wait and counted', async () => {
    const own = await aShop(sql(), { ingressRps: 2 });
    await sql()`update workspace_endpoints set max_payload_bytes = 2000 where workspace_id = ${own.id}`;
    expect((await own.post('{')).status).toBe(400);
    const large = own.customer(1).sayUpdate('д'.repeat(2_000));
    expect((await own.post(large)).status).toBe(413);
    const customer = own.customer(2);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await own.post(customer.sayUpdate('доставка'))).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const events = await sql()<{ action: string }[]>`
      select distinct action from events where workspace_id = ${own.id} order by action`;
    expect(events.map(({ action }) => action)).toEqual(['ingress_payload_rejected', 'ingress_rate_limited']);
    await own.close();
  });

  it('a dialogue of a later release is left for a process that knows it', async () => {
    const customer = somebody();
    await customer.say('возврат');
    await sql()`update bot_state set context = context || '{"v": 99}' where chat_id = ${customer.chatId}`;
    expect((await shop().post(customer.sayUpdate('ТС-1'))).status).toBe(500);
    expect(await customer.state()).toMatchObject({ state: 'returns_order', context: { v: 99 } });
  });

  it('a damaged dialogue begins anew, and the log says so', async () => {
    const customer = somebody();
    await customer.say('возврат');
    await sql()`update bot_state set context = '{"turns": "many"}' where chat_id = ${customer.chatId}`;
    expect(await customer.say('доставка')).toContain('Везём');
    const line = (await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId).at(-1);
    expect(line?.meta.warnings).toEqual(['the stored dialogue was unreadable']);
  });
});
