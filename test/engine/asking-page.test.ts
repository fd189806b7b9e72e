import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Input } from '../../src/engine/input.ts';
import { AppError } from '../../src/errors.ts';
import { asking } from '../../src/menu/create-menu.ts';
import { to } from '../../src/screens/kit/link.ts';
import { button, rich } from '../../src/screens/kit/screen.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

class TooLarge extends AppError {
  readonly code = 'TOO_LARGE';
  readonly userMessage = 'Файл слишком большой';
}

const page = to('media:{cid}:upload', { cid: 9 });
const photo = { fileId: 'f1', name: '', mimeType: 'image/jpeg', size: 10, width: 2, height: 1 };
const aPhoto = { kind: 'photo', photo, caption: '', album: null } as const;

let taken: Input[];
let trouble: Error | null;
let stage: Stage;
beforeEach(() => {
  taken = [];
  trouble = null;
  const upload = asking('media:{cid}:upload', {
    page: () => ({ show: { text: rich`Что добавить?`, keyboard: [] } }),
    wants: ['text', 'photo', 'album'],
    back: () => button('Готово', to('nav:projects')),
    take(_, input) {
      if (trouble) throw trouble;
      if (input.kind === 'text' && input.text === 'мало') return { again: rich`Слишком коротко` };
      taken.push(input);
      return { open: to('nav:projects'), notice: rich`Добавлено: ${taken.length}` };
    },
  });
  stage = openStage({ moreRoutes: [upload] });
});
afterEach(() => stage.close());

describe('a page that asks for something', () => {
  it('gets what the person sends next, and nothing of what comes after', async () => {
    const anna = await atPage();
    await anna.says('Букеты невесты');
    expect(anna.sees()).toBe('Добавлено: 1\n\nПроекты');
    await anna.says('ещё слово');
    expect(taken).toEqual([{ kind: 'text', text: 'Букеты невесты' }]);
    expect(anna.sees()).toContain('Не понял вас');
  });

  it('asks again when its handler does not take the answer, and says why', async () => {
    const anna = await atPage();
    await anna.says('мало');
    expect(anna.sees()).toBe('Слишком коротко\n\nЧто добавить?');
    trouble = new TooLarge();
    await anna.does(aPhoto);
    expect(anna.sees()).toBe('Файл слишком большой\n\nЧто добавить?');
    trouble = null;
    await anna.does(aPhoto);
    expect(taken).toEqual([{ kind: 'photo', photo, caption: '' }]);
  });

  it('says what it wants when something else comes', async () => {
    const anna = await atPage();
    await anna.does({ kind: 'other' });
    expect(anna.sees()).toBe('Пожалуйста, отправьте текстовое сообщение\n\nЧто добавить?');
    await anna.says('Букеты');
    expect(taken).toHaveLength(1);
  });

  it('gets photos that were sent together as one album', async () => {
    const anna = await atPage();
    for (const place of [1, 2]) await anna.does({ ...aPhoto, album: { id: 'a', place } });
    stage.pass(2_000);
    await stage.start().sweeps();
    expect(anna.sees()).toBe('Добавлено: 1\n\nПроекты');
    expect(taken).toEqual([
      {
        kind: 'album',
        items: [
          { kind: 'photo', photo },
          { kind: 'photo', photo },
        ],
        caption: '',
      },
    ]);
  });

  it.each([
    ['its own button', (anna: Anna) => anna.presses('Готово'), 'Проекты'],
    ['«Меню»', (anna: Anna) => anna.says('Меню'), 'Главное меню'],
    ['/start', (anna: Anna) => anna.commands('start'), 'С возвращением'],
    ['/cancel', (anna: Anna) => anna.commands('cancel'), 'Отменено.\n\nПроекты'],
  ])('stops asking at %s', async (_, leave, seen) => {
    const anna = await atPage();
    await leave(anna);
    expect(anna.sees()).toBe(seen);
    await anna.says('Букеты');
    expect(taken).toEqual([]);
  });

  it('stops asking after 30 minutes, and says so', async () => {
    const anna = await atPage();
    stage.pass(31 * 60_000);
    await anna.says('Букеты');
    expect(anna.sees()).toBe('Сессия истекла. Начните заново\n\nГлавное меню');
    expect(taken).toEqual([]);
  });

  it('does not take a flow that began on it for the answer', async () => {
    const anna = await atPage();
    await anna.does(pressOf(to('project:create'), anna.chat().at(-1)!.id));
    await anna.says('Ромашка');
    expect(taken).toEqual([]);
    expect(anna.sees()).toContain('называется компания');
  });

  it('erases a password and goes on asking', async () => {
    const anna = await atPage();
    expect(await anna.says('abcd EFG2 ijkl MN0P qrst UVWX')).toContain('erased');
    expect(anna.sees()).toMatch(/^Похоже, вы прислали пароль.*Что добавить\?$/su);
    expect(taken).toEqual([]);
  });

  it('is answered by another process when the first one dies with the answer stored', async () => {
    const anna = await atPage();
    const dying = stage.startDyingAtSave();
    void anna.movesTo(dying).says('Букеты');
    await expect.poll(async () => (await stage.session()).doing).not.toBeNull();
    expect(taken).toEqual([]);
    stage.pass(60_000);
    await stage.start().sweeps();
    expect(anna.sees()).toBe('Добавлено: 1\n\nПроекты');
    expect(taken).toEqual([{ kind: 'text', text: 'Букеты' }]);
  });

  it('gets one answer once, though its update comes twice', async () => {
    const anna = await atPage();
    await anna.does({ kind: 'text', text: 'Букеты' }, 5_000);
    await anna.movesTo(stage.start()).does({ kind: 'text', text: 'Букеты' }, 5_000);
    expect(taken).toHaveLength(1);
  });

  type Anna = Awaited<ReturnType<typeof atPage>>;
  async function atPage() {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.does(pressOf(page, anna.chat().at(-1)!.id));
    expect(anna.sees()).toBe('Что добавить?');
    return anna;
  }
});
