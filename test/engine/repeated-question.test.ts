import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { route } from '../../src/menu/create-menu.ts';
import { to } from '../../src/screens/kit/link.ts';
import { rich } from '../../src/screens/kit/screen.ts';
import { notices, toasts } from '../../src/screens/kit/system.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

const skip = to('pc:skip');

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

describe('a press on an older screen', () => {
  it('brings the present question once, however often it is pressed', async () => {
    const { anna, old } = await atTheSecondQuestion();
    const before = anna.chat().length;
    for (let presses = 0; presses < 3; presses += 1)
      expect(await anna.does(pressOf(skip, old))).toEqual([toasts.stale]);
    expect(anna.chat()).toHaveLength(before + 1);
    expect(anna.sees()).toContain('Новый проект (2/4)');
  });

  it('brings the next question, too, after the one before was answered', async () => {
    const { anna, old } = await atTheSecondQuestion();
    await anna.does(pressOf(skip, old));
    await anna.says('ООО «Ромашка»');
    const before = anna.chat().length;
    await anna.does(pressOf(skip, old));
    expect(anna.chat()).toHaveLength(before + 1);
    expect(anna.sees()).toContain('Новый проект (3/4)');
  });

  async function atTheSecondQuestion() {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    const old = anna.chat().at(-1)!.id;
    await anna.says('Ромашка');
    return { anna, old };
  }
});

describe('a file that came with a question', () => {
  it('is not sent again when the person types where only buttons count: they are told so', async () => {
    const { review } = JSON.parse(await readFile('test/golden/review-generation.v1.json', 'utf8'));
    const { written } = review.snapshot.context;
    written.reviews = [...written.reviews, ...written.reviews, ...written.reviews];
    await stage.stores(7, review);
    const anna = stage.person(stage.start());
    const files = () => stage.shows.map(({ screen }) => screen.file?.name ?? null);
    await anna.says('спасибо');
    expect(files(), 'a screen that was decided but not shown brings its file').toEqual(['otzyvy.txt']);
    await anna.says('а что теперь?');
    await anna.commands('novosti');
    expect(files().slice(1)).toEqual([null, null]);
    expect(stage.shows[1]!.notice).toEqual(notices.buttonWanted);
    expect(anna.sees()).toContain('Вы в процессе');
  });
});

describe('a press that deletes', () => {
  it('leaves the person with its news, also when it came twice', async () => {
    await stage.close();
    let isThere = true;
    const deletion = route('category:{cid}:delete:confirm', () => {
      if (!isThere) return { missing: true, nearest: to('nav:projects') };
      isThere = false;
      return { open: to('project:{pid}:edit', { pid: 5 }), notice: rich`Категория удалена.` };
    });
    stage = openStage({ moreRoutes: [deletion] });
    const anna = stage.person(stage.start());
    await anna.commands('start');
    const confirm = pressOf(to('category:{cid}:delete:confirm', { cid: 9 }), anna.chat().at(-1)!.id);
    expect(await anna.does(confirm)).toEqual([undefined]);
    expect(await anna.does(confirm)).toEqual([toasts.notFound]);
    expect(anna.sees()).toBe('Категория удалена.\n\nДанные проекта 5');
  });
});

describe('somebody who comes for the first time', () => {
  it('is welcomed once, also when the first process died before it could', async () => {
    const first = stage.start();
    void stage.person(first).does({ kind: 'command', name: 'start', payload: '' }, 1);
    await expect.poll(() => stage.noted).toHaveLength(1);
    first.dies();
    stage.pass(60_000);
    const anna = stage.person(stage.start());
    await anna.does({ kind: 'command', name: 'start', payload: '' }, 1);
    expect(anna.sees()).toContain('Добро пожаловать');
    await anna.commands('start');
    expect(anna.sees()).toContain('С возвращением');
  });
});
