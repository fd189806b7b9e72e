import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TookTooLong } from '../../src/engine/in-time.ts';
import { NotApplied } from '../../src/engine/not-applied.ts';
import type { SessionStore } from '../../src/engine/session-store.ts';
import { action, slowAction } from '../../src/menu/create-menu.ts';
import { to } from '../../src/screens/kit/link.ts';
import { rich } from '../../src/screens/kit/screen.ts';
import { eventually } from './eventually.ts';
import { openStage, pressOf, projectCreated, type Stage } from './stage.ts';

const raise = to('project:{pid}:tz:{i}', { pid: 5, i: 1 });
let deeds: number;
let trouble: Error | null;
let stage: Stage;
beforeEach(() => {
  deeds = 0;
  trouble = null;
  const change = action('project:{pid}:tz:{i}', () => {
    if (trouble) throw trouble;
    deeds += 1;
    return { open: to('nav:projects'), notice: rich`Сделано раз: ${deeds}` };
  });
  const connect = action('schedule:{sid}:on', () => ({
    start: { flow: 'ConnectPinterest', input: { projectId: 5, projectName: 'Ромашка' } },
    origin: to('nav:projects'),
  }));
  stage = openStage({ moreRoutes: [change, connect] });
});
afterEach(() => stage.close());

describe('a button of the menu that changes something', () => {
  it('does it once, and the person goes on', async () => {
    const anna = await atHome(stage.store);
    await anna.does(pressOf(raise, anna.chat().at(-1)!.id));
    expect(anna.sees()).toBe('Сделано раз: 1\n\nПроекты');
    expect((await stage.session()).doing).toBeNull();
  });

  it('does it once when another process is first to store its decision', async () => {
    const anna = await atHome(stage.store);
    const late = anna.movesTo(stage.start(losingSaves(stage.store, 1)));
    const press = pressOf(raise, anna.chat().at(-1)!.id);
    await late.does(press, 900).catch(() => undefined);
    if (deeds === 0) await late.does(press, 900);
    expect(deeds).toBe(1);
    expect(anna.sees()).toBe('Сделано раз: 1\n\nПроекты');
  });

  it('has not done it when the decision could not be stored', async () => {
    const anna = await atHome(stage.store);
    const late = anna.movesTo(stage.start(losingSaves(stage.store, 100)));
    await expect(late.does(pressOf(raise, null), 901)).rejects.toThrow(NotApplied);
    expect(deeds).toBe(0);
  });

  it('does it after all when the process died between the decision and the deed', async () => {
    const anna = await atHome(stage.store);
    const dying = stage.startDyingAtSave();
    void anna.movesTo(dying).does(pressOf(raise, null));
    await expect.poll(async () => (await stage.session()).doing).not.toBeNull();
    expect(deeds).toBe(0);
    stage.pass(60_000);
    await stage.start().sweeps();
    expect(anna.sees()).toBe('Сделано раз: 1\n\nПроекты');
    expect(deeds).toBe(1);
  });

  it('that fails by a mistake of ours does not stand in the way of the next press', async () => {
    const anna = await atHome(stage.store);
    trouble = new Error('a bug');
    await expect(anna.does(pressOf(raise, null))).rejects.toThrow('a bug');
    expect((await stage.session()).doing).toBeNull();
    await anna.says('Меню');
    expect(anna.sees()).toBe('Главное меню');
  });
});

describe('a button whose change asks others, which takes its time', () => {
  const read = to('project:{pid}:voice_read', { pid: 5 });
  let finish: () => void;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = slowAction('project:{pid}:voice_read', rich`Читаю…`, async () => {
      await done;
      return { open: to('nav:projects'), notice: rich`Прочитано` };
    });
    stage = openStage({ moreRoutes: [slow] });
  });
  afterEach(() => vi.useRealTimers());

  it('tells of it in the place of its page, and of the result there', async () => {
    const anna = await atHome(stage.store);
    const [page] = anna.chat();
    const pressed = anna.does(pressOf(read, page!.id));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(anna.chat()).toEqual([{ id: page!.id, text: 'Читаю…', buttons: [] }]);
    finish();
    await pressed;
    expect(anna.chat()).toMatchObject([{ id: page!.id, text: 'Прочитано\n\nПроекты' }]);
  });

  it('is given up in the end, and the person can go on', async () => {
    const anna = await atHome(stage.store);
    const pressed = anna.does(pressOf(read, null)).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(130_000);
    expect(await pressed).toBeInstanceOf(TookTooLong);
    await anna.says('Меню');
    expect(anna.sees()).toBe('Главное меню');
  });
});

describe('a change that was decided by a process that has died since', () => {
  const begin = to('schedule:{sid}:on', { sid: 5 });

  it('is done before an event from outside that comes first', async () => {
    const anna = await atHome(stage.store);
    const dying = stage.startDyingAtSave();
    void anna.movesTo(dying).does(pressOf(raise, null));
    await expect.poll(async () => (await stage.session()).doing).not.toBeNull();
    stage.pass(6_000); // the lock of the dead process
    await stage.start().inject({
      person: 7,
      run: { flow: 'ProjectCreate', run: 'gone' },
      event: { type: 'grant.received' },
      id: 'a',
    });
    expect(deeds).toBe(1);
    expect(anna.sees()).toContain('Разрешение пришло');
  });

  it('is not forgotten when another process shows the result of work meanwhile', async () => {
    const bot = stage.start();
    const anna = stage.person(bot);
    await anna.commands('start');
    await anna.does(pressOf(to('project:create'), null));
    for (const answer of ['Ромашка', 'ООО «Ромашка»', 'Доставка цветов']) await anna.says(answer);
    stage.ports.saveProject.isSlow();
    await anna.says('https://romashka.ru');
    void anna.movesTo(stage.startDyingAtSave()).does(pressOf(raise, null));
    await expect.poll(async () => (await stage.session()).doing).not.toBeNull();
    stage.pass(6_000);
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    await eventually(() => bot.busy()).toBe(0);
    stage.pass(60_000);
    await bot.sweeps();
    expect(deeds).toBe(1);
  });

  it('keeps the work that it begins, should the process die that does it', async () => {
    const anna = await atHome(stage.store);
    stage.ports.offerConsent.isSlow();
    void anna.movesTo(stage.startDyingAtSave()).does(pressOf(begin, null));
    await expect.poll(async () => (await stage.session()).doing).not.toBeNull();
    stage.pass(60_000);
    const second = stage.start();
    await second.sweeps();
    expect(stage.ports.offerConsent.calls).toHaveLength(1);
    second.dies();
    stage.pass(60_000);
    await stage.start().sweeps();
    expect(stage.ports.offerConsent.calls).toHaveLength(2);
  });
});

async function atHome(store: SessionStore) {
  const anna = stage.person(stage.start(store));
  await anna.commands('start');
  return anna;
}

/** The compare-and-set of the first saves fails, as when another process was faster. */
function losingSaves(store: SessionStore, times: number): SessionStore {
  let saves = 0;
  return {
    ...store,
    async save(hold, record) {
      saves += 1;
      return saves <= times ? null : store.save(hold, record);
    },
  };
}
