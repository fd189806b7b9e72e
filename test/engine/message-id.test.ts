import { expect, it } from 'vitest';
import { isAtOrBelow, isBelow } from '../../src/engine/message-id.ts';
import { freshSession, parseSession } from '../../src/engine/session.ts';
import { to } from '../../src/screens/kit/link.ts';
import { openStage } from './stage.ts';

it.each([
  ['11', '9', true],
  ['9', '11', false],
  ['9', '9', false],
  ['110512345678901234567:mid.b', '110512345678901234566:mid.a', true],
  ['0012:mid.a', '9:mid.b', true],
  ['mid.b', 'mid.a', false],
  ['12', 'mid.a', false],
])('%s below %s: %s', (id, other, expected) => {
  expect(isBelow(id, other)).toBe(expected);
});

it('a message is at its own place, ordered or not', () => {
  expect(isAtOrBelow('mid.a', 'mid.a')).toBe(true);
  expect(isAtOrBelow('mid.a', 'mid.b')).toBe(false);
  expect(isAtOrBelow('12', '11')).toBe(true);
});

it.each([
  ['numbers', (count: number) => String(count)],
  ['names behind their order', (count: number) => `${count}:mid.${count * 7919}`],
  ['names without any order', (count: number) => `mid.${count * 7919}`],
])('a dialogue goes its way where messages have %s', async (_, nameOf) => {
  const stage = openStage({ nameOf });
  const anna = stage.person(stage.start());
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  const question = anna.chat().at(-1)!.id;
  await anna.says('Ромашка');
  expect(stage.shows.at(-1)!.retire?.messageId).toBe(question);
  await anna.says('ООО «Ромашка»');
  await anna.says('Доставка цветов');
  await anna.presses('Пропустить');
  expect(stage.shows.at(-1)).toMatchObject({ replace: anna.chat().at(-1)!.id });
  expect((await stage.session()).page.pattern).toBe('project:{pid}:created');
  await stage.close();
});

it('a session that was stored when messages had numbers is read as before', () => {
  const stored = { ...freshSession(5, to('nav:dashboard')), shape: 1, repeatedFor: 77 };
  expect(parseSession(JSON.stringify(stored))).toMatchObject({ repeatedFor: '77', parked: [] });
});
