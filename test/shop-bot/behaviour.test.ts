import { describe, expect, it } from 'vitest';
import { demoRules } from '../../src/sandbox/demo-shop.ts';
import { ruleSchema } from '../../src/shop-bot/rule.ts';
import { forEachDatabase, opening } from '../support/stores.ts';
import { aShop } from './a-shop.ts';

/** The list of behaviours in the shop bot's reference, quoted line by line. */
forEachDatabase((sql) => {
  const shop = opening(() => aShop(sql()));
  let people = 1_000;
  const somebody = () => {
    people += 1;
    return shop().customer(people);
  };

  describe('«Bot responses are sent via the same MAX adapter contract; no separate outbound path»', () => {
    it('answers the five topics of the shop by words and by buttons', async () => {
      const customer = somebody();
      expect(await customer.say('Сколько стоит ДОСТАВКА?')).toContain('Везём по Ижевску');
      expect(await customer.say('можно картой?')).toContain('Принимаем карты');
      expect(await customer.press('warranty')).toContain('гарантию 2 года');
      expect(await customer.press('contacts')).toContain('Пушкинская, 165');
      expect(await customer.say('Хочу вернуть товар')).toContain('номер заказа');
    });

    it('records the attempt before the call and the provider id after it', async () => {
      const customer = somebody();
      await customer.say('доставка');
      await expect.poll(async () => (await shop().outbox()).at(-1)?.status).toBe('sent');
      const row = (await shop().outbox()).at(-1)!;
      expect(row).toMatchObject({ chat_id: customer.chatId, attempts: 1 });
      expect(row.provider_message_id).toBe(customer.answers().at(-1)!.body.mid);
      expect(row.attempted_at!.getTime()).toBeLessThanOrEqual(row.sent_at!.getTime());
    });
  });

  it('«bot_logs.meta includes trace_id and idempotency_key», and the log names rule, version and both states', async () => {
    const customer = somebody();
    await customer.say('возврат');
    const [line] = (await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId);
    expect(line).toMatchObject({
      message_text: 'возврат',
      matched_rule_id: 'returns',
      rule_version: 1,
      state_before: 'default',
      state_after: 'returns_order',
      response_preview: expect.stringContaining('Помогу с возвратом'),
      meta: { trace_id: expect.any(String), idempotency_key: expect.stringContaining(customer.chatId) },
    });
  });

  it('«Inbound dedup: If insert conflicts on unique key, skip engine/outbound response (webhook duplicate)»', async () => {
    const customer = somebody();
    const update = customer.sayUpdate('доставка');
    expect((await shop().post(update)).body).toEqual({ success: true });
    expect((await shop().post(update)).body).toEqual({ success: true, dropped: 'duplicate' });
    await expect.poll(() => customer.answers().length).toBe(1);
    const lines = (await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId);
    expect(lines).toHaveLength(1);
  });

  it('«Outbox dedup: already answered for this inbound message» is not answered again', async () => {
    const customer = somebody();
    const update = customer.sayUpdate('оплата');
    await shop().post(update);
    await sql()`delete from bot_inbox where chat_id = ${customer.chatId}`; // as if the inbox had been lost
    await shop().post(update);
    await expect.poll(() => customer.answers().length).toBe(1);
    const rows = (await shop().outbox()).filter(({ chat_id }) => chat_id === customer.chatId);
    expect(rows).toHaveLength(1);
  });

  it('«Rule matching mode: case-insensitive contains over pattern.keywords», with ё as е and spaces collapsed', async () => {
    const customer = somebody();
    expect(await customer.say('КОГДА   ПРИДЁТ заказ?')).toContain('Везём по Ижевску');
    expect(await customer.say('гаранти.*')).toContain('гарантию 2 года');
  });

  it('«State timeout rule: if expires_at < now(), reset state/context to default before matching»', async () => {
    const customer = somebody();
    await customer.say('возврат');
    await sql()`update bot_state set expires_at = now() - interval '1 second' where chat_id = ${customer.chatId}`;
    expect(await customer.say('ТС-10452')).toContain('не совсем понял');
    expect(await customer.state()).toMatchObject({ state: 'default', context: { turns: 0, vars: {} } });
  });

  it('«Turn guard: if turns >= max_turns then force escalation (operator/contacts) and reset state»', async () => {
    const customer = somebody();
    await customer.say('возврат');
    for (const turn of [1, 2, 3, 4, 5]) {
      await customer.say(turn % 2 === 1 ? 'а сколько стоит доставка' : 'а оплата картой');
      expect(await customer.state()).toMatchObject({ state: 'returns_order', context: { turns: turn } });
    }
    expect(await customer.say('и ещё про доставку')).toContain('передал ваш вопрос сотруднику');
    expect(await customer.state()).toMatchObject({
      state: 'default',
      context: { turns: 0, phase: 'escalated' },
    });
    await expect.poll(() => shop().operatorLines().at(-1)).toContain('затянулся');
  });

  describe('«If matched rule found: render template, update state if next_state defined»', () => {
    it('fills the template with what the customer said, escaped', async () => {
      const customer = somebody();
      await customer.say('возврат');
      await customer.say('ТС-10452');
      const answer = await customer.say('потому что <b>лампа</b> & шнур');
      expect(answer).toContain('<b>ТС-10452</b>');
      expect(answer).toContain('потому что &lt;b&gt;лампа&lt;/b&gt; &amp; шнур');
    });

    it('leaves a missing name empty and warns in the log', async () => {
      const rule = ruleSchema.parse({
        ...{ rule_id: 'bonus', intent: 'bonus', pattern: { keywords: ['бонус'] } },
        response_template: 'У вас {{points}} баллов',
      });
      await shop().bot.stores.rules.save(shop().id, [rule]);
      const customer = somebody();
      expect(await customer.say('мои бонусы')).toBe('У вас  баллов');
      expect((await shop().logs()).at(-1)?.meta.warnings).toEqual(['{{points}} has no value']);
    });

    it('keeps the state where the rule has no next one', async () => {
      const customer = somebody();
      await customer.say('возврат');
      await customer.say('а где вы находитесь, какой у вас адрес?');
      expect(await customer.state()).toMatchObject({ state: 'returns_order' });
      expect(await customer.say('ТС-1')).toContain('Почему возвращаете');
    });
  });

  describe('«If no match: fallback: уточнение / эскалация (config)»', () => {
    it('asks with the topics as buttons, then gives the contacts and calls the operator', async () => {
      const customer = somebody();
      expect(await customer.say('абракадабра')).toContain('не совсем понял');
      const keyboard = customer.answers().at(-1)!.body.attachments[0]!.payload as { buttons: unknown[][] };
      expect(keyboard.buttons).toHaveLength(5);
      expect(await customer.say('ыыы')).toContain('+7 3412 55-01-18');
      await expect.poll(() => shop().operatorLines().at(-1)).toContain('ыыы');
      expect(await customer.say('вы тут?')).toContain('уже знает');
      await expect.poll(() => shop().operatorLines().at(-1)).toContain('пишет ещё: «вы тут?»');
      expect(await customer.say('доставка')).toContain('Везём по Ижевску');
    });

    it('takes the words of the shop where it has its own', async () => {
      const own = await aShop(sql(), { settings: { texts: { clarify: 'Переспрошу: о чём вы?' } } });
      expect(await own.customer(1).say('абракадабра')).toBe('Переспрошу: о чём вы?');
      await own.close();
    });
  });

  describe('«One multi-step scenario: ask order number → ask reason → return instructions»', () => {
    it('is played to its end by words', async () => {
      const customer = somebody();
      expect(await customer.say('Хочу оформить возврат')).toContain('номер заказа');
      expect(await customer.say('№?!')).toContain('Не похоже на ответ');
      expect(await customer.say('ТС-10452')).toContain('Почему возвращаете');
      expect(await customer.say('Свет слишком холодный')).toMatch(/ТС-10452[\s\S]*Пушкинская, 165/u);
      expect(await customer.state()).toMatchObject({
        state: 'default',
        context: { vars: {}, phase: 'idle' },
      });
      await expect
        .poll(() => shop().operatorLines().at(-1))
        .toContain('заказ ТС-10452, причина «Свет слишком холодный»');
    });

    it('is played to its end by buttons, with a photo of the damage', async () => {
      const customer = somebody();
      await customer.press('returns');
      await customer.say('ТС-7');
      expect(await customer.press('return_damaged')).toContain('Пришлите фото');
      expect(await customer.say('сейчас')).toContain('Не похоже на ответ');
      expect(await customer.photo()).toContain('Брак или повреждение');
    });

    it.each(['ТС-10452', 'Заказ № ТС-10452', 'номер заказа: ТС-10452.', '№ТС-10452', 'мой заказ ТС-10452'])(
      'takes the number of the order as people write it: «%s»',
      async (words) => {
        const customer = somebody();
        await customer.say('возврат');
        expect(await customer.say(words)).toContain('Заказ <b>ТС-10452</b>');
      },
    );

    it.each([
      'отмена',
      'Отмена!',
      'отменить',
      '/start',
      'МЕНЮ',
      'оператор',
      'Позовите, пожалуйста, оператора!',
    ])('is left at any step by the word «%s»', async (word) => {
      const customer = somebody();
      await customer.say('возврат');
      await customer.say(word);
      expect(await customer.state()).toMatchObject({ state: 'default', context: { vars: {} } });
    });
  });

  it('answers media with «понимаю только текст» where no photo is expected', async () => {
    const customer = somebody();
    expect(await customer.photo()).toContain('понимаю только текст');
  });

  it('greets a customer who starts the bot, with the topics', async () => {
    const customer = somebody();
    const user = { user_id: customer.userId, name: 'Анна', is_bot: false };
    const started = { update_type: 'bot_started', timestamp: 5, chat_id: Number(customer.chatId), user };
    expect((await shop().post(started)).status).toBe(200);
    await expect.poll(() => customer.last()).toContain('Я бот магазина «Тёплый свет»');
  });

  it('masks phones and addresses of mail in the log, and shortens nothing the customer is told', async () => {
    const customer = somebody();
    await customer.say('доставка, мой телефон +7 912 345-67-89, почта anna@example.com');
    const line = (await shop().logs()).filter(({ chat_id }) => chat_id === customer.chatId).at(-1);
    expect(line?.message_text).toBe('доставка, мой телефон ***, почта ***');
  });

  it('keeps what a version said: a change of a rule is a new version, and the log says which one answered', async () => {
    const { stores } = shop().bot;
    const delivery = demoRules.find(({ rule_id }) => rule_id === 'delivery')!;
    const customer = somebody();
    const changed = { ...delivery, response_template: 'Теперь доставка бесплатна.' };
    expect(await stores.rules.save(shop().id, [changed])).toEqual([
      { ruleId: 'delivery', version: 2, outcome: 'changed' },
    ]);
    expect(await stores.rules.save(shop().id, [changed])).toMatchObject([{ version: 2, outcome: 'same' }]);
    expect(await customer.say('доставка')).toBe('Теперь доставка бесплатна.');
    expect((await shop().logs()).at(-1)).toMatchObject({ matched_rule_id: 'delivery', rule_version: 2 });
    await expect(
      sql()`update bot_rules set response_template = 'другое' where workspace_id = ${shop().id} and version = 1`,
    ).rejects.toThrow(/version 1 of rule/u);
    await stores.rules.save(shop().id, [delivery]);
  });

  describe('small talk', () => {
    it('is answered, and is no reason to call a person', async () => {
      const customer = somebody();
      expect(await customer.say('Здравствуйте!')).toContain('Чем помочь?');
      expect(await customer.say('Добрый день')).toContain('Чем помочь?');
      expect(await customer.say('Здравствуйте, сколько стоит доставка?')).toContain('Везём по Ижевску');
      expect(await customer.say('Спасибо')).toContain('Пожалуйста!');
      expect(await customer.say('благодарю')).toContain('Пожалуйста!');
      expect(await customer.say('а живой человек есть?')).toContain('Позвать сотрудника?');
    });
  });

  describe('the operator', () => {
    it('gets a line that leads to the customer, however long their words are', async () => {
      const customer = somebody();
      await customer.say('абракадабра');
      await customer.say('"ы&'.repeat(1_333));
      const link = `<a href="max://user/${customer.userId}">Покупатель ${customer.userId}</a>: «`;
      await expect.poll(() => shop().operatorLines().at(-1)).toContain(`Бот не понял вопрос. ${link}`);
      expect((await shop().outbox()).at(-1)?.status).not.toBe('failed');
    });

    it('sees the photo of the damage', async () => {
      const customer = somebody();
      await customer.press('returns');
      await customer.say('ТС-77');
      await customer.press('return_damaged');
      await customer.photo();
      await expect.poll(() => shop().operatorLines().at(-1)).toMatch(/заказ ТС-77[\s\S]*Фото: http/u);
    });

    it('is told when the answer of a rule could not be sent', async () => {
      const rule = ruleSchema.parse({
        ...{ rule_id: 'broken', intent: 'broken', pattern: { keywords: ['сломанное правило'] } },
        response_template: '<b>не закрыт',
      });
      await shop().bot.stores.rules.save(shop().id, [rule]);
      expect(await somebody().say('сломанное правило')).toContain('передал ваш вопрос сотруднику');
      await expect.poll(() => shop().operatorLines().at(-1)).toContain('Бот не смог ответить');
    });
  });

  it('promises nobody where there is no chat to call a person from, and says nothing of what it was not told', async () => {
    const own = await aShop(sql(), {
      settings: { operator_chat: null, vars: { shop: 'Лампы', phone: '55-01-18' }, topics: [] },
    });
    const customer = own.customer(1);
    expect(await customer.say('абракадабра')).toBe('Я не совсем понял вопрос. Напишите, пожалуйста, иначе.');
    expect(await customer.say('ыыы')).toBe('Тут лучше ответит сотрудник: 55-01-18.');
    expect(await customer.say('ыыы')).toBe('Тут лучше ответит сотрудник: 55-01-18.');
    await own.close();
  });
});
