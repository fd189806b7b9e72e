import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { to } from '../../src/screens/kit/link.ts';
import { toasts } from '../../src/screens/kit/system.ts';
import { eventually } from './eventually.ts';
import { openStage, pressOf, projectCreated, type Stage } from './stage.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;
const EXPIRED = 'Сессия истекла. Начните заново';
const KEPT =
  'Ответы о проекте «Ромашка» сохранены на сутки: продолжить можно из главного меню или в разделе «Проекты».';
const ENDED = 'Бот обновился, и прежний диалог завершён. Начните заново';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

type Anna = ReturnType<Stage['person']>;

async function inWizard(): Promise<Anna> {
  const anna = stage.person(stage.start());
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  await anna.says('Ромашка');
  return anna;
}

async function whileSaving(): Promise<Anna> {
  const anna = await inWizard();
  await anna.says('ООО «Ромашка»');
  await anna.says('Доставка цветов');
  stage.ports.saveProject.isSlow();
  await anna.says('https://romashka.ru');
  return anna;
}

const deeds: [string, (anna: Anna) => Promise<unknown>, string][] = [
  ['text', (anna) => anna.says('ООО «Ромашка»'), 'Главное меню'],
  ['a file', (anna) => anna.does({ kind: 'other' }), 'Главное меню'],
  ['a button of the flow', (anna) => anna.presses('Отмена'), 'Главное меню'],
  ['the reply keyboard', (anna) => anna.says('Меню'), 'Главное меню'],
  ['/start', (anna) => anna.commands('start'), 'С возвращением'],
  ['/cancel', (anna) => anna.commands('cancel'), 'Главное меню'],
  [
    'a button of the menu',
    (anna) => anna.does(pressOf({ pattern: 'nav:projects', params: {} }, anna.chat()[0]!.id)),
    'Проекты',
  ],
  [
    'a button whose project is gone',
    (anna) => anna.does(pressOf({ pattern: 'project:{pid}:card', params: { pid: 1 } }, anna.chat()[0]!.id)),
    'Проекты',
  ],
];

describe('a flow that was left alone', () => {
  it.each(deeds)('for more than half an hour is over: %s', async (_, act, page) => {
    const anna = await inWizard();
    stage.pass(HALF_AN_HOUR_MS + 1);
    await act(anna);
    expect(lastShown(anna)).toBe(`${EXPIRED}\n${KEPT}\n\n${page}`);
    expect((await stage.session()).flow).toBeNull();
    await anna.says('ООО «Ромашка»');
    expect(lastShown(anna)).not.toContain(EXPIRED);
  });

  it('and that had asked for a password does not leave the one that comes too late in the chat', async () => {
    const anna = stage.person(stage.start());
    await anna.does(pressOf({ pattern: 'project:{pid}:conn_add:wordpress', params: { pid: 5 } }, null));
    await anna.says('romashka.ru');
    await anna.says('anna');
    stage.pass(HALF_AN_HOUR_MS + 1);
    expect(await anna.says('abcd efgh ijkl mnop')).toContain('erased');
    expect(lastShown(anna)).toContain(EXPIRED);
    expect(await anna.says('спасибо')).not.toContain('erased');
  });

  it('for half an hour to the second still takes the answer', async () => {
    const anna = await inWizard();
    stage.pass(HALF_AN_HOUR_MS);
    await anna.says('ООО «Ромашка»');
    expect(anna.sees()).toContain('Новый проект (3/4)');
  });

  it('but every deed gives it another half hour', async () => {
    const anna = await inWizard();
    for (const text of ['x', 'ООО «Ромашка»', 'Доставка цветов']) {
      stage.pass(HALF_AN_HOUR_MS - 1);
      await anna.says(text);
    }
    expect(anna.sees()).toContain('Новый проект (4/4)');
  });

  it('is not over while it works, however long that takes', async () => {
    const anna = await whileSaving();
    stage.pass(5 * HALF_AN_HOUR_MS);
    await anna.says('Ну как там?');
    expect(anna.sees()).toMatch(/^Уже выполняется/);
    stage.pass(5 * HALF_AN_HOUR_MS);
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('starts the next flow with the news that the old one is over', async () => {
    const anna = await inWizard();
    stage.pass(HALF_AN_HOUR_MS + 1);
    await anna.does(pressOf({ pattern: 'project:create', params: {} }, anna.chat()[0]!.id));
    expect(lastShown(anna)).toMatch(new RegExp(`^${EXPIRED}.*Новый проект \\(1/4\\)`, 's'));
  });

  it('is nothing to speak of in the menu', async () => {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    stage.pass(5 * HALF_AN_HOUR_MS);
    await anna.presses('Проекты');
    expect(anna.sees()).toBe('Проекты');
  });
});

type Stored = { flow: Record<string, unknown> & { snapshot: Record<string, unknown> } };

const ruins: [string, (stored: Stored) => unknown, RegExp][] = [
  [
    'of a flow that is no more',
    ({ flow }) => Object.assign(flow, { flow: 'Horoscope' }),
    /unknown flow "Horoscope"/,
  ],
  [
    'of a version without a way to the present one',
    ({ flow }) => Object.assign(flow, { version: 0 }),
    /version 0/,
  ],
  [
    'in a state that is no more',
    ({ flow }) => Object.assign(flow.snapshot, { value: 'mood' }),
    /ProjectCreate could not be restored.*mood/,
  ],
  [
    'in a state of another shape',
    ({ flow }) => Object.assign(flow.snapshot, { value: { a: 'b' } }),
    /ProjectCreate/,
  ],
  ['that XState rejects', ({ flow }) => Object.assign(flow, { snapshot: {} }), /could not be restored/],
  ['that is a list', ({ flow }) => Object.assign(flow, { snapshot: [] }), /could not be restored/],
];

describe('a stored session', () => {
  it.each(ruins)(
    '%s ends with a word and the menu, and the log keeps the reason',
    async (_, ruin, reason) => {
      const anna = await inWizard();
      await rewrite((stored) => ruin(stored as Stored));
      await anna.says('ООО «Ромашка»');
      expect(anna.sees()).toBe(`${ENDED}\n\nГлавное меню`);
      expect(reasons()).toMatch(reason);
      await anna.presses('Проекты');
      expect(lastShown(anna)).toBe('Проекты');
    },
  );

  it.each([
    ['that is no JSON', '{"flow":'],
    ['that is null', 'null'],
    ['of a shape from another time', '{"state":"ProjectCreate:name","data":{}}'],
  ])('%s ends with a word and the menu', async (_, text) => {
    const anna = await inWizard();
    await overwrite(text);
    await anna.says('ООО «Ромашка»');
    expect(anna.sees()).toBe(`${ENDED}\n\nГлавное меню`);
    expect(reasons()).toMatch(/damaged/);
  });

  it('whose day is over leaves a button of its last question dead, and the menu in its place', async () => {
    const anna = await inWizard();
    const question = anna.chat().at(-1)!.id;
    stage.pass(24 * 60 * 60_000 + 1);
    for (let press = 0; press < 2; press += 1)
      expect(await anna.does(pressOf(to('fsm:cancel'), question))).toEqual([toasts.stale]);
    expect(stage.shows.at(-1)).toMatchObject({ replace: question });
    expect(anna.sees()).toBe('Главное меню');
  });

  it('that cannot go on lets a button of the menu lead where it says', async () => {
    const anna = await inWizard();
    await rewrite(({ flow }) => Object.assign(flow, { version: 0 }));
    await anna.does(pressOf({ pattern: 'nav:projects', params: {} }, anna.chat()[0]!.id));
    expect(lastShown(anna)).toBe(`${ENDED}\n\nПроекты`);
  });

  it('on a page that is no more leads to the menu', async () => {
    const anna = await inWizard();
    await anna.commands('start');
    await rewrite((stored) => Object.assign(stored, { page: { pattern: 'nav:horoscope', params: {} } }));
    const bot = stage.start();
    stage.pass(60_000);
    await due(7, 1);
    await bot.sweeps();
    expect(anna.sees()).toBe(`${KEPT}\n\nГлавное меню`);
  });
});

describe('a sweep that meets old state', () => {
  it.each(ruins)('%s tells the person once, shows the menu and lives', async (_, ruin, reason) => {
    const anna = await whileSaving();
    await rewrite((stored) => ruin(stored as Stored));
    await due();
    const bot = stage.start();
    await bot.sweeps();
    expect(anna.sees()).toBe(`${ENDED}\n\nГлавное меню`);
    expect(reasons()).toMatch(reason);
    const shown = stage.shows.length;
    stage.pass(60_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
  });

  it('damaged beyond reading tells the person once too', async () => {
    const anna = await inWizard();
    await overwrite('{"flow":');
    await due();
    const bot = stage.start();
    await bot.sweeps();
    expect(anna.sees()).toBe(`${ENDED}\n\nГлавное меню`);
    const shown = stage.shows.length;
    stage.pass(60_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
  });

  it('takes over the others all the same', async () => {
    const anna = await whileSaving();
    await overwrite('{"flow":');
    const boris = stage.person(stage.start(), 8);
    await boris.commands('start');
    await due(7);
    await due(8, 1);
    const shown = stage.shows.length;
    await stage.start().sweeps();
    expect(
      stage.shows
        .slice(shown)
        .map(({ userId }) => userId)
        .toSorted(),
    ).toEqual([7, 8]);
    expect(anna.sees()).toContain(ENDED);
  });
});

describe('work left in the background by an older version', () => {
  it.each(ruins)('%s is told of beside what the person does now, once', async (_, ruin, reason) => {
    const anna = await whileSaving();
    await anna.does(pressOf({ pattern: 'project:{pid}:cat_new', params: { pid: 3 } }, null));
    await rewrite((stored) => {
      const { background } = stored as unknown as { background: [Stored['flow']] };
      ruin({ flow: background[0] });
    });
    await due();
    const bot = stage.start();
    const messages = anna.chat().length;
    await bot.sweeps();
    expect(
      anna
        .chat()
        .slice(messages)
        .map(({ text }) => text),
    ).toContain(ENDED);
    expect(reasons()).toMatch(reason);

    const shown = stage.shows.length;
    stage.pass(60_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
    await anna.movesTo(bot).says('Свадебные букеты');
    expect(anna.sees()).toContain('<b>Свадебные букеты</b> создана');
  });
});

function lastShown(anna: Anna): string {
  const { messageId } = stage.shows.at(-1)!;
  return anna.chat().find(({ id }) => id === messageId)!.text;
}

function reasons(): string {
  return stage.log
    .filter(({ msg }) => msg === 'a stored session could not go on')
    .map(({ err }) => (err as Error).message)
    .join('\n');
}

async function rewrite(change: (stored: Record<string, unknown> & Stored) => unknown): Promise<void> {
  const stored = JSON.parse((await stage.store.peek(7))!);
  change(stored);
  await overwrite(JSON.stringify(stored));
}

async function overwrite(session: string): Promise<void> {
  await inLock(7, async (hold) => {
    const saved = await stage.store.save(hold, { session, attention: hold.attention, ttlSeconds: 86_400 });
    const shown = hold.shown && { ...hold.shown, revision: saved!.revision };
    await stage.store.release(saved!, shown ? { shown } : {});
  });
}

/** The sweep is to look at this person, whose last `unseen` screens were not shown. */
async function due(userId = 7, unseen = 0): Promise<void> {
  await inLock(userId, async (hold) => {
    const owner = 'a process long dead';
    const attention = [{ of: 'screen', at: stage.clock.now, owner }];
    const saved =
      unseen > 0
        ? (await stage.store.save(hold, { session: hold.session!, attention, ttlSeconds: 86_400 }))!
        : hold;
    await stage.store.release(saved, { attention });
  });
}

async function inLock(
  userId: number,
  act: (hold: Parameters<Stage['store']['save']>[0]) => Promise<void>,
): Promise<void> {
  const admission = await stage.store.acquire({ userId, ticket: 'the test', leaseMs: 1_000 });
  if (!('hold' in admission)) throw new Error(`the session is ${admission.outcome}`);
  await act(admission.hold);
}
