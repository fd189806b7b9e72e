import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotAdmitted } from '../../src/engine/not-applied.ts';
import { ChatClosed, ShowLater } from '../../src/engine/presenter.ts';
import { freshSession } from '../../src/engine/session.ts';
import type { SessionStore } from '../../src/engine/session-store.ts';
import { OperationLost } from '../../src/errors.ts';
import { to } from '../../src/screens/kit/link.ts';
import { eventually } from './eventually.ts';
import { openStage, pressOf, projectCreated, type Stage } from './stage.ts';

// Longer than a lock, a work lease and the grace of a screen that is on its way.
const LONG_ENOUGH_MS = 15_000;

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(async () => {
  await stage.close();
  vi.useRealTimers();
});

type Bot = ReturnType<Stage['start']>;

async function inWizard(bot: Bot) {
  const anna = stage.person(bot);
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  return anna;
}

async function whileSaving(bot: Bot) {
  const anna = await inWizard(bot);
  await anna.says('Ромашка');
  await anna.says('ООО «Ромашка»');
  await anna.says('Доставка цветов');
  stage.ports.saveProject.isSlow();
  await anna.says('https://romashka.ru');
  return anna;
}

describe('work that slipped out of the hands of a living process', () => {
  it('is no failure: nothing is said, and the process that finds it brings it to its end', async () => {
    const bot = stage.start();
    const anna = await whileSaving(bot);
    stage.ports.saveProject.calls[0]!.reject(new OperationLost('overtaken'));
    await eventually(() => bot.busy()).toBe(0);
    expect(anna.sees()).toBe('Создаю проект «Ромашка»…');
    expect(stage.log).toContainEqual(expect.objectContaining({ msg: 'work will be taken up again' }));

    stage.pass(LONG_ENOUGH_MS);
    await bot.sweeps();
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(anna.chat().some(({ text }) => text.includes('Не получилось'))).toBe(false);
  });

  it('at once does not keep the person waiting, nor the process from stopping', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    for (const answer of ['Ромашка', 'ООО «Ромашка»', 'Доставка цветов']) await anna.says(answer);
    stage.ports.saveProject.failsOnce(new OperationLost('overtaken'));
    await anna.says('https://romashka.ru');
    expect(anna.sees()).toBe('Создаю проект «Ромашка»…');
    expect(stage.ports.saveProject.calls).toHaveLength(1);
    await bot.stop(60_000);
  });
});

describe('work whose process has died', () => {
  it('is finished by another process after the lease, under the same key, without the person doing anything', async () => {
    const first = stage.start();
    const anna = await whileSaving(first);
    first.dies();
    const second = stage.start();

    await second.sweeps();
    expect(stage.ports.saveProject.calls, 'the lease still runs').toHaveLength(1);

    stage.pass(LONG_ENOUGH_MS);
    await second.sweeps();
    const [before, after] = stage.ports.saveProject.keys();
    expect(after).toBe(before);
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(anna.chat().filter(({ text }) => text === projectCreated)).toHaveLength(1);
  });

  it('is finished at once by a process that is alone on its data', async () => {
    const first = stage.start();
    const anna = await whileSaving(first);
    first.dies();
    stage.pass(5_001); // the lock of whatever the dead process was doing
    const second = stage.start();
    await second.recover({ exclusive: true });
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('is not taken from a process that lives, however long it takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const first = stage.start();
    const anna = await whileSaving(first);
    const another = stage.start();
    for (let second = 0; second < 60; second += 1) {
      stage.pass(1_000);
      await vi.advanceTimersByTimeAsync(1_000); // signs of life
      await another.sweeps();
    }
    expect(stage.ports.saveProject.calls).toHaveLength(1);
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('is taken over by one of two processes that sweep at once, and shown once', async () => {
    const dead = stage.start();
    const anna = await whileSaving(dead);
    dead.dies();
    stage.pass(LONG_ENOUGH_MS);
    const [second, third] = [stage.start(), stage.start()];
    await Promise.all([second.sweeps(), third.sweeps()]);
    expect(stage.ports.saveProject.calls).toHaveLength(2);
    const shown = stage.shows.length;
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(second.busy() + third.busy()).toBe(0);
    expect(stage.shows).toHaveLength(shown + 1);
  });

  it('is finished though the person had left it before', async () => {
    const first = stage.start();
    const anna = await whileSaving(first);
    await anna.commands('start');
    first.dies();
    stage.pass(LONG_ENOUGH_MS);
    const second = stage.start();
    await second.sweeps();
    const messages = anna.chat().length;
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.chat().length).toBe(messages + 1);
    expect(anna.sees()).toBe(projectCreated);
    expect((await stage.session()).background).toEqual([]);
  });

  it('goes on by itself when the person comes to another process first', async () => {
    const first = stage.start();
    const anna = (await whileSaving(first)).movesTo(stage.start());
    first.dies();
    stage.pass(5_001);
    await anna.says('Ну как там?');
    expect(anna.sees()).toMatch(/^Уже выполняется/);
    stage.pass(LONG_ENOUGH_MS);
    const third = stage.start();
    await third.sweeps();
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });
});

describe('two works of one person', () => {
  it('have an owner each: the one whose process died does not wait for the other', async () => {
    const first = stage.start();
    const anna = await whileSaving(first);
    // Left to finish by itself; the next one runs in another process.
    await anna.commands('start');
    const second = stage.start();
    await inWizardAgain(anna.movesTo(second));
    first.dies();
    for (let seconds = 0; seconds < 15; seconds += 3) {
      stage.pass(3_000);
      await stage.store.postpone(7, {
        of: await currentRun(),
        at: stage.clock.now + 9_000,
        owner: await ownerOf(),
      });
    }
    const third = stage.start();
    await third.sweeps();
    const [lost, living, resumed] = stage.ports.saveProject.keys();
    expect(resumed).toBe(lost);
    expect(living).not.toBe(lost);
    expect(stage.ports.saveProject.calls).toHaveLength(3);
  });

  async function inWizardAgain(anna: ReturnType<Stage['person']>) {
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    for (const answer of ['Лютик', 'ООО «Лютик»', 'Рассада', 'https://lutik.ru']) await anna.says(answer);
  }

  const currentRun = async () => (await stage.session()).flow!.run;

  /** Whom the store knows as the owner of the current run. */
  async function ownerOf(): Promise<string> {
    const run = await currentRun();
    const admission = await stage.store.acquire({ userId: 7, ticket: 'look', leaseMs: 1_000 });
    if (!('hold' in admission)) throw new Error('the session is locked');
    await stage.store.release(admission.hold, {});
    return admission.hold.attention.find(({ of }) => of === run)!.owner;
  }
});

describe('a sweep', () => {
  it('does not wait for a person who is locked, and finds them the next time', async () => {
    const dead = stage.start();
    const anna = await whileSaving(dead);
    dead.dies();
    stage.pass(LONG_ENOUGH_MS);
    const admission = await stage.store.acquire({ userId: 7, ticket: 'somebody', leaseMs: 60_000 });
    const bot = stage.start();
    await bot.sweeps(); // a patient one would not come back before 45 s of real time
    expect(stage.ports.saveProject.calls).toHaveLength(1);
    if ('hold' in admission) await stage.store.release(admission.hold, {});
    stage.pass(6_000);
    await bot.sweeps();
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('is not started again while it runs', async () => {
    let asked = 0;
    let answer: (people: number[]) => void = () => undefined;
    const slow: SessionStore = {
      ...stage.store,
      due() {
        asked += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    };
    const bot = stage.start(slow);
    const sweeps = [bot.sweeps(), bot.sweeps(), bot.sweeps()];
    await eventually(() => asked).toBe(1);
    answer([]);
    await Promise.all(sweeps);
    expect(asked).toBe(1);
  });

  it('goes on until no session is due, however many there are', async () => {
    const dead = stage.start();
    for (let userId = 1; userId <= 230; userId += 1) {
      const admission = await stage.store.acquire({ userId, ticket: 'one', leaseMs: 1_000 });
      if (!('hold' in admission)) throw new Error('locked');
      const attention = [{ of: 'screen', at: stage.clock.now, owner: 'show:0' }];
      const session = JSON.stringify(freshSession(stage.clock.now, to('nav:dashboard')));
      const saved = await stage.store.save(admission.hold, { session, attention, ttlSeconds: 86_400 });
      await stage.store.release(saved!, {});
    }
    dead.dies();
    await stage.start().sweeps();
    expect(new Set(stage.shows.map(({ userId }) => userId)).size).toBe(230);
  });
});

describe('a screen that was decided but not shown', () => {
  it('because the process died in between is shown by the sweep of another, once', async () => {
    const anna = await inWizard(stage.start());
    const [stored, shown] = [await stage.store.peek(7), stage.shows.length];
    void anna.movesTo(stage.start(dyingAfterSave(stage.store))).says('Ромашка');
    await eventually(() => stage.store.peek(7)).not.toBe(stored);
    expect(stage.shows).toHaveLength(shown);

    const second = stage.start();
    for (let sweep = 0; sweep < 3; sweep += 1) {
      stage.pass(LONG_ENOUGH_MS);
      await second.sweeps();
    }
    expect(anna.sees()).toContain('Новый проект (2/4)');
    expect(stage.shows).toHaveLength(shown + 1);
  });

  it('is not shown before the messenger allows it', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    stage.messengerFails(new ShowLater(30_000));
    await anna.says('Ромашка');
    const shown = stage.shows.length;
    stage.pass(29_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
    stage.pass(1_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown + 1);
    expect(anna.sees()).toContain('Новый проект (2/4)');
    stage.pass(60_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown + 1);
  });

  it('is tried five times, more and more seldom, and then waits for the person', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    stage.messengerFails(...Array.from({ length: 5 }, () => new ShowLater(null)));
    await anna.says('Ромашка');
    const tries: number[] = [];
    for (let second = 1; second <= 1_200; second += 1) {
      stage.pass(1_000);
      const warnings = warningsOf('a screen was not shown');
      await bot.sweeps();
      if (warningsOf('a screen was not shown') > warnings) tries.push(second);
    }
    expect(tries).toEqual([5, 20, 65, 200]);
    expect(anna.sees()).toContain('(1/4)');
    await anna.says('ООО «Ромашка»');
    expect(anna.sees()).toContain('(3/4)');
  });

  it('to a person who blocked the bot is not tried again', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    stage.messengerFails(new ChatClosed('blocked'));
    await anna.says('Ромашка');
    const shown = stage.shows.length;
    stage.pass(600_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
    await anna.says('ООО «Ромашка»');
    expect(anna.sees(), 'the answer counted all the same').toContain('(3/4)');
  });

  it('is shown by the result of the work it announced', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    await anna.says('Ромашка');
    await anna.says('ООО «Ромашка»');
    await anna.says('Доставка цветов');
    stage.ports.saveProject.isSlow();
    stage.messengerFails(new ShowLater(null));
    await anna.says('https://romashka.ru');
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => anna.chat().some(({ text }) => text === projectCreated)).toBe(true);
  });
});

describe('an update that Telegram brings again', () => {
  it('changes and shows nothing when its screen was shown', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    await anna.does({ kind: 'text', text: 'Ромашка' }, 50);
    const [shown, stored] = [stage.shows.length, await stage.store.peek(7)];
    expect(await anna.does({ kind: 'text', text: 'Ромашка' }, 50)).toEqual([undefined]);
    expect(stage.shows).toHaveLength(shown);
    expect(await stage.store.peek(7)).toBe(stored);
  });

  it('shows the screen that was lost on the way, without deciding twice', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    stage.messengerFails(new ShowLater(null));
    await anna.does({ kind: 'text', text: 'Ромашка' }, 50);
    await anna.does({ kind: 'text', text: 'Ромашка' }, 50);
    expect(anna.sees()).toContain('Новый проект (2/4)');
    expect((await stage.session()).flow?.snapshot).toMatchObject({
      context: { answers: { companyName: null } },
    });
  });

  it('is recognised by another process', async () => {
    const anna = await inWizard(stage.start());
    await anna.does({ kind: 'text', text: 'Ромашка' }, 50);
    await anna.movesTo(stage.start()).does({ kind: 'text', text: 'Ромашка' }, 50);
    expect(anna.sees()).toContain('Новый проект (2/4)');
  });

  it('is recognised also where it came to a toast only', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    const stale = pressOf({ pattern: 'fsm:retry', params: {} }, '9999');
    expect(await anna.does(stale, 51)).toEqual(['Эта кнопка уже не действует']);
    expect(await anna.does(stale, 51)).toEqual([undefined]);
  });
});

describe('a late writer', () => {
  it('whose save is refused decides anew, and shows only what was stored', async () => {
    const anna = stage.person(stage.start(refusingSaves(stage.store, 2)));
    await anna.commands('start');
    expect(stage.shows).toHaveLength(1);
    expect(anna.sees()).toBe('Добро пожаловать');
  });

  it('whose save is refused again and again says nothing, and the update is brought again', async () => {
    const bot = stage.start(refusingSaves(stage.store, 5));
    const anna = stage.person(bot);
    const start = { kind: 'command', name: 'start', payload: '' } as const;
    await expect(anna.does(start, 60)).rejects.toThrow(NotAdmitted);
    expect(stage.shows).toEqual([]);
    await anna.does(start, 60);
    expect(anna.sees()).toBe('Добро пожаловать');
  });

  it('whose quick work ended in a refused save says nothing either', async () => {
    const anna = await inWizard(stage.start());
    await anna.says('Ромашка');
    await anna.says('ООО «Ромашка»');
    await anna.says('Доставка цветов');
    const shown = stage.shows.length;
    // The decision to save is taken, the result is not: as when the lock was lost in between.
    const late = stage.start(refusingSaves(stage.store, 1, 1));
    await anna.movesTo(late).says('https://romashka.ru');
    expect(stage.shows).toHaveLength(shown);
    expect((await stage.session()).flow?.snapshot.value).toBe('saving');

    stage.pass(LONG_ENOUGH_MS);
    await stage.start().sweeps();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });
});

function warningsOf(message: string): number {
  return stage.log.filter(({ msg }) => msg === message).length;
}

function refusingSaves(store: SessionStore, times: number, after = 0): SessionStore {
  let saves = 0;
  return {
    ...store,
    async save(hold, record) {
      saves += 1;
      return saves > after && saves <= after + times ? null : store.save(hold, record);
    },
  };
}

/** The store of a process that is killed right after its first save: nothing comes back any more. */
function dyingAfterSave(store: SessionStore): SessionStore {
  return {
    ...store,
    async save(hold, record) {
      await store.save(hold, record);
      return new Promise(() => undefined);
    },
  };
}
