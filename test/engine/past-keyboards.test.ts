import { afterEach, beforeEach, expect, it } from 'vitest';
import { atTheLastQuestion } from './in-the-wizard.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

const retired = () => stage.shows.map(({ retire }) => retire?.messageId ?? null);

it('a typed answer takes the buttons off the question it answers', async () => {
  const anna = stage.person(stage.start());
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  const question = anna.chat().at(-1)!.id;
  await anna.says('Ромашка');
  await anna.says('ООО «Ромашка»');
  const [second] = anna.chat().slice(-2);
  expect(retired().slice(-2)).toEqual([question, second!.id]);
});

it('an answer whose work is done at once takes them off too', async () => {
  const { anna } = await atTheLastQuestion(stage);
  const question = anna.chat().at(-1)!.id;
  await anna.says('https://romashka.ru');
  expect(retired().at(-1)).toBe(question);
});

it('leaving a flow by a command takes the buttons off its question', async () => {
  const anna = stage.person(stage.start());
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  const question = anna.chat().at(-1)!.id;
  await anna.commands('cancel');
  expect(retired().at(-1)).toBe(question);
});

it('pages of the menu keep theirs: they still lead where they say', async () => {
  const anna = stage.person(stage.start());
  await anna.commands('start');
  await anna.says('что-то');
  expect(retired()).toEqual([null, null]);
});
