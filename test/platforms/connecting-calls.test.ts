import { expect, it } from 'vitest';
import { createMax } from '../../src/platforms/max/client.ts';
import { createTelegramChannels } from '../../src/platforms/telegram/client.ts';
import { startRecorder } from '../support/recorder.ts';

it('asks Telegram about a channel as its Bot API takes it, field by field', async () => {
  const answers: Record<string, unknown> = {
    getMe: { id: 7, is_bot: true, first_name: 'Писарь' },
    getChat: { id: -1001, type: 'channel', title: 'Цветы' },
    getChatMember: { status: 'administrator', can_post_messages: true },
  };
  const recorder = await startRecorder(({ path }) => ({
    ok: true,
    result: answers[path.split('/').at(-1)!],
  }));
  const telegram = createTelegramChannels({ apiRoot: recorder.url });
  await telegram.me('1:T');
  await telegram.chat('1:T', '@cvety');
  await telegram.member('1:T', '-1001', 7);
  await recorder.close();
  const call = (method: string, body: object) => ({
    ...{ method: 'POST', path: `/bot1:T/${method}`, query: {}, body },
    headers: { authorization: undefined, 'content-type': 'application/json' },
  });
  expect(recorder.requests).toEqual([
    call('getMe', {}),
    call('getChat', { chat_id: '@cvety' }),
    call('getChatMember', { chat_id: '-1001', user_id: 7 }),
  ]);
});

it('asks MAX about a chat, and for chats that a bot was added to, as its API takes it', async () => {
  const answers: Record<string, unknown> = {
    '/me': { user_id: 5, name: 'Писарь' },
    '/chats/-70': { chat_id: -70, type: 'channel', status: 'active' },
    '/chats/-70/members/me': { is_admin: true, permissions: ['write'] },
    '/updates': { updates: [{ update_type: 'bot_added', chat_id: -70 }], marker: 12 },
  };
  const recorder = await startRecorder(({ path }) => answers[path]);
  const max = createMax({ baseUrl: recorder.url });
  await max.me('T');
  await max.chat('T', '-70');
  await max.membership('T', '-70');
  expect(await max.added('T', { marker: null, seconds: 25 })).toEqual({ chatIds: ['-70'], marker: 12 });
  await max.added('T', { marker: 12, seconds: 25 });
  await recorder.close();
  const read = (path: string, query = {}) => ({
    ...{ method: 'GET', path, query, body: null },
    headers: { authorization: 'T', 'content-type': '' },
  });
  expect(recorder.requests).toEqual([
    read('/me'),
    read('/chats/-70'),
    read('/chats/-70/members/me'),
    read('/updates', { timeout: '25', types: 'bot_added' }),
    read('/updates', { timeout: '25', types: 'bot_added', marker: '12' }),
  ]);
});
