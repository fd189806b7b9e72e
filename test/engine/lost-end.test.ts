import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChatClosed } from '../../src/engine/presenter.ts';
import { to } from '../../src/screens/kit/link.ts';
import { toasts } from '../../src/screens/kit/system.ts';
import { eventually } from './eventually.ts';
import { openStage, pressOf, projectCreated, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

const texts = (anna: ReturnType<Stage['person']>) => anna.chat().map(({ text }) => text);

/** The work is done and stored, but its process could not show the page on which the run has ended. */
async function withLostEnd(error = new Error('the process died here')) {
  const bot = stage.start();
  const anna = stage.person(bot);
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  for (const answer of ['Ромашка', 'ООО «Ромашка»', 'Доставка цветов']) await anna.says(answer);
  stage.ports.saveProject.isSlow();
  await anna.says('https://romashka.ru');
  stage.messengerFails(error);
  stage.ports.saveProject.calls[0]!.resolve();
  await eventually(async () => (await stage.session()).flow).toBe(null);
  await eventually(() => bot.busy()).toBe(0);
  expect(texts(anna)).not.toContain(projectCreated);
  return anna;
}

describe('a result that was decided and never seen', () => {
  it('is the answer to a dead button of an earlier screen', async () => {
    const anna = await withLostEnd();
    expect(await anna.does(pressOf(to('pc:skip'), anna.chat()[0]!.id))).toEqual([toasts.stale]);
    expect(anna.sees()).toBe(projectCreated);
    expect(texts(anna)).not.toContain('Главное меню');
  });

  it('comes below the page that an earlier button leads to', async () => {
    const anna = await withLostEnd();
    const [first] = anna.chat();
    await anna.does(pressOf(to('nav:projects'), first!.id));
    expect(anna.chat().find(({ id }) => id === first!.id)?.text).toBe('Проекты');
    expect(anna.sees()).toBe(projectCreated);
  });

  it('comes before a greeting', async () => {
    const anna = await withLostEnd();
    await anna.commands('start');
    expect(texts(anna).slice(-2)).toEqual([projectCreated, 'С возвращением']);
  });

  it('comes once: the sweep that looks for lost screens finds nothing behind it', async () => {
    const anna = await withLostEnd();
    await anna.does(pressOf(to('pc:skip'), anna.chat()[0]!.id));
    const shown = stage.shows.length;
    stage.pass(15_000);
    await stage.start().sweeps();
    expect(stage.shows).toHaveLength(shown);
  });

  it('is not brought up again for a person who had blocked the bot', async () => {
    const anna = await withLostEnd(new ChatClosed('blocked'));
    await anna.commands('start');
    expect(texts(anna)).not.toContain(projectCreated);
  });
});
