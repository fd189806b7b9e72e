import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerUnreadable, ApiRefused } from '../../../src/clients/http/api-refused.ts';
import { createMax, type Max } from '../../../src/platforms/max/client.ts';
import { type MaxStandIn, startMaxStandIn } from '../../../src/sandbox/max/start.ts';
import type { Bot } from '../../../src/sandbox/max/wire.ts';

const chatId = '-70000000000001';
const anna = { id: 42, name: 'Анна' };
const token = 'token-of-max-bot';
let service: MaxStandIn;
let bot: Bot;
let max: Max;

beforeEach(async () => {
  service = await startMaxStandIn();
  bot = service.world.addBot({ token, name: 'Магазин' });
  service.world.addChat({ id: Number(chatId), bots: { [bot.user_id]: {} } });
  max = createMax({ baseUrl: service.url, retries: 2, waitMs: () => 1 });
});
afterEach(() => service.close());

describe('the client of MAX', () => {
  it('sends, changes and removes a message', async () => {
    const { mid } = await max.send(token, { chatId }, { text: 'раз' });
    await max.edit(token, mid, { text: '<b>два</b>', format: 'html' });
    expect(service.world.message(mid)?.body.text).toBe('<b>два</b>');
    await max.remove(token, mid);
    expect(service.world.messages()).toEqual([]);
  });

  it('answers a pressed button', async () => {
    const { chat_id } = service.people.start(bot, anna);
    const { mid } = await max.send(token, { chatId: String(chat_id) }, { text: 'Выберите' });
    const { callback_id } = service.people.press(bot, anna, mid, 'delivery');
    await max.answer(token, callback_id, { message: { text: 'Доставка' } });
    expect(service.world.message(mid)?.body.text).toBe('Доставка');
  });

  it('subscribes to updates and leaves them', async () => {
    await max.subscribe(token, { url: 'https://bot.example/max', secret: 'abcde' });
    await max.unsubscribe(token, 'https://bot.example/max');
    await expect(max.unsubscribe(token, 'https://bot.example/max')).rejects.toThrow(ApiRefused);
  });

  it('takes a refusal in the body for a refusal although the status is 200', async () => {
    const { mid } = await max.send(token, { chatId }, { text: 'раз' });
    const body = { success: false, message: 'too late' };
    service.faults.add({ match: 'DELETE', fault: { kind: 'status', status: 200, body } });
    await expect(max.remove(token, mid)).rejects.toThrow('too late');
  });

  it('repeats a read that failed in a way that may pass, and no other', async () => {
    service.faults.add({ match: 'GET /me', fault: { kind: 'status', status: 503 } });
    service.faults.add({ match: 'GET /me', fault: { kind: 'reset' } });
    expect(await max.me(token)).toMatchObject({ name: 'Магазин' });
    service.faults.add({ match: 'GET /me', fault: { kind: 'status', status: 403 } });
    await expect(max.me(token)).rejects.toMatchObject({ status: 403, word: 'chat.denied' });
    expect(await max.me(token)).toMatchObject({ name: 'Магазин' });
  });

  it('never repeats what creates something', async () => {
    service.faults.add({ match: 'POST', fault: { kind: 'status', status: 503 } });
    await expect(max.send(token, { chatId }, { text: 'раз' })).rejects.toMatchObject({ status: 503 });
    expect(service.world.messages()).toEqual([]);
  });

  it('says when it cannot read what MAX answered', async () => {
    service.faults.add({ match: 'GET', fault: { kind: 'status', status: 200, body: { unlike: 'a bot' } } });
    await expect(max.me(token)).rejects.toThrow(AnswerUnreadable);
    const odd = { status: 502, body: 'no JSON of MAX' };
    service.faults.add({ match: 'POST', fault: { kind: 'status', ...odd } });
    await expect(max.send(token, { chatId }, { text: 'x' })).rejects.toMatchObject({
      status: 502,
      word: null,
    });
  });
});
