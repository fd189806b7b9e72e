import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asking } from '../../src/menu/create-menu.ts';
import { to } from '../../src/screens/kit/link.ts';
import { button, rich } from '../../src/screens/kit/screen.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

const BEGINNING = 'слово '.repeat(680); // as much as a messenger takes at once
const REST = 'ещё слова';

let taken: string[];
let refuses: boolean;
let stage: Stage;
beforeEach(() => {
  taken = [];
  refuses = false;
  const description = asking('media:{cid}:upload', {
    page: () => ({ show: { text: rich`Опишите`, keyboard: [] } }),
    wants: ['text'],
    back: () => button('Назад', to('nav:projects')),
    take(_, { text }) {
      if (refuses) return { again: rich`Слишком длинно` };
      taken.push(text);
      return { open: to('nav:projects'), notice: rich`Взято` };
    },
  });
  stage = openStage({ moreRoutes: [description] });
});
afterEach(() => stage.close());

describe('a text that the messenger cut in two', () => {
  it('is refused once, and its rest is not taken for the answer', async () => {
    const anna = await inWizard();
    const shown = anna.chat().length;
    await anna.says(BEGINNING);
    stage.pass(80);
    await anna.says(REST);
    expect(anna.chat()).toHaveLength(shown + 1);
    expect(anna.sees()).toContain('(1/4)');
  });

  it('does not swallow what the person types next', async () => {
    const anna = await inWizard();
    await anna.says(BEGINNING);
    await anna.says(REST);
    stage.pass(2_500);
    await anna.says('Ромашка');
    expect(anna.sees()).toContain('(2/4)');
  });

  it('gets one hint where nothing was asked', async () => {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    const shown = anna.chat().length;
    await anna.says(BEGINNING);
    await anna.says(REST);
    await anna.says(REST);
    expect(anna.chat()).toHaveLength(shown + 1);
  });

  it('whose beginning was taken says that the rest was not', async () => {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.does(pressOf(to('media:{cid}:upload', { cid: 9 }), null));
    await anna.says(BEGINNING);
    await anna.says(REST);
    expect(taken).toEqual([BEGINNING]);
    expect(anna.sees()).toMatch(
      /^Telegram разделил ваш текст на два сообщения, .*я прочитал только первое.*вернитесь к этому шагу/u,
    );
  });

  it('is refused once by a page too', async () => {
    refuses = true;
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.does(pressOf(to('media:{cid}:upload', { cid: 9 }), null));
    await anna.says(BEGINNING);
    const shown = anna.chat().length;
    await anna.says(REST);
    expect(anna.chat()).toHaveLength(shown);
    expect(anna.sees()).toMatch(/^Слишком длинно/u);
  });

  async function inWizard() {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.does(pressOf(to('project:create'), null));
    return anna;
  }
});
