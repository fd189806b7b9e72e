import { afterEach, describe, expect, it } from 'vitest';
import type { Action } from '../../src/engine/incoming.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

const PASSWORD = 'abcd efgh ijkl mnop';
const aPhoto: Action = { kind: 'other' };
const aNote: Action = {
  kind: 'file',
  caption: '',
  album: null,
  file: { fileId: 'f', name: 'пароль.txt', mimeType: 'text/plain', size: 19 },
};
const ways: [string, Action][] = [
  ['typed', { kind: 'text', text: PASSWORD }],
  ['photographed', aPhoto],
  ['attached', aNote],
];

let stage: Stage;
afterEach(() => stage.close());

/** Somebody who is asked for the application password, and may send so many updates a minute. */
async function askedForPassword(throttlePerMinute?: number) {
  stage = openStage(throttlePerMinute === undefined ? {} : { throttlePerMinute });
  const anna = stage.person(stage.start());
  await anna.does(pressOf({ pattern: 'project:{pid}:conn_add:wordpress', params: { pid: 5 } }, null));
  await anna.says('romashka.ru');
  await anna.says('anna');
  expect(anna.sees()).toContain('Пароль приложения для romashka.ru?');
  return anna;
}

describe('a password that was asked for', () => {
  it.each(ways)('does not stay in the chat when %s', async (_, action) => {
    const anna = await askedForPassword();
    expect(await anna.does(action)).toContain('erased');
  });

  it('is taken as text alone, and the person is told where the picture went', async () => {
    const anna = await askedForPassword();
    await anna.does(aPhoto);
    expect(anna.sees()).toMatch(/^Пожалуйста, отправьте текстовое сообщение.*удаляю/u);
  });

  it('does not stay there when sent a second time, while the first is being tried', async () => {
    const anna = await askedForPassword();
    stage.ports.connectWordPress.isSlow();
    await anna.says(PASSWORD);
    expect(await anna.says(PASSWORD)).toContain('erased');
    expect(anna.sees()).toMatch(/^Уже выполняется/);
    expect(stage.ports.connectWordPress.calls).toHaveLength(1);
  });

  it.each(ways)('does not stay there when %s by somebody who is not heard for a while', async (_, action) => {
    const anna = await askedForPassword(3);
    expect(await anna.does(action)).toContain('erased');
    expect(anna.sees()).toMatch(/^Слишком много сообщений/u);
  });
});

describe('a password without a question', () => {
  const pasted = 'aB3d Ef5h iJk1 mN0p Qr5t uVwX';

  it('does not stay in the chat or in the session, and the question stands', async () => {
    stage = openStage();
    const anna = stage.person(stage.start());
    await anna.does(pressOf({ pattern: 'project:{pid}:conn_add:wordpress', params: { pid: 5 } }, null));
    await anna.says('romashka.ru');
    expect(await anna.says(pasted)).toContain('erased');
    expect(anna.sees()).toMatch(/^Похоже, вы прислали пароль.*логин/su);
    expect(await stage.store.peek(7)).not.toContain('Ef5h');
  });

  it('is erased outside of a dialogue too', async () => {
    stage = openStage();
    const anna = stage.person(stage.start());
    await anna.commands('start');
    expect(await anna.says(`Вот: 123456789:${'A'.repeat(35)}`)).toContain('erased');
  });
});

describe('what is no password', () => {
  it('stays in the chat: a command, and everything at a step that asks for nothing secret', async () => {
    const anna = await askedForPassword();
    expect(await anna.commands('help')).not.toContain('erased');
    await anna.commands('cancel');
    expect(await anna.does(aPhoto)).not.toContain('erased');
    expect(await anna.says(PASSWORD)).not.toContain('erased');
  });

  it('stays there too when its sender is not heard for a while', async () => {
    const anna = await askedForPassword(4);
    await anna.commands('cancel');
    expect(await anna.says('Ау')).not.toContain('erased');
    const boris = stage.person(stage.start(), 8);
    for (let update = 0; update < 4; update += 1) await boris.says('Ау');
    expect(await boris.says('Ау')).not.toContain('erased');
  });
});
