import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotAdmitted, StoreAway } from '../../src/engine/not-applied.ts';
import type { SessionStore } from '../../src/engine/session-store.ts';
import { route } from '../../src/menu/create-menu.ts';
import { openStage, type Stage } from './stage.ts';

const start = { kind: 'command', name: 'start', payload: '' } as const;
const text = (said: string) => ({ kind: 'text', text: said }) as const;

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

/** The store of a process, whose next calls of one kind fail as if the server had not answered. */
function unreliable(store: SessionStore) {
  const failing = new Set<keyof SessionStore>();
  const flaky = new Proxy(store, {
    get: (target, name: keyof SessionStore) =>
      failing.has(name) ? () => Promise.reject(new StoreAway('away')) : target[name],
  });
  return { flaky, failing };
}

async function inWizard() {
  const { flaky, failing } = unreliable(stage.store);
  const anna = stage.person(stage.start(flaky));
  await anna.does(start, 1);
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  return { anna, failing };
}

describe('an update that a store did not let through', () => {
  it.each(['acquire', 'save'] as const)('fails at %s and is applied when it comes again', async (call) => {
    const { anna, failing } = await inWizard();
    failing.add(call);
    await expect(anna.does(text('Ромашка'), 5_000)).rejects.toThrow(StoreAway);
    failing.clear();
    stage.pass(6_000); // a lock that could not be released has expired by then
    await anna.does(text('Ромашка'), 5_000);
    expect(anna.sees()).toContain('(2/4)');
  });

  it('is not overtaken by the next one, which does not need that store', async () => {
    const { anna, failing } = await inWizard();
    failing.add('save');
    await expect(anna.does(text('Ромашка'), 5_000)).rejects.toThrow(StoreAway);
    failing.clear();
    await expect(anna.does(text('ООО «Ромашка»'), 5_001)).rejects.toThrow(NotAdmitted);
    await anna.does(text('Ромашка'), 5_000);
    await anna.does(text('ООО «Ромашка»'), 5_001);
    expect(anna.sees()).toContain('(3/4)');
  });

  it('holds nothing back once another process has applied it', async () => {
    const { anna, failing } = await inWizard();
    failing.add('save');
    await expect(anna.does(text('Ромашка'), 5_000)).rejects.toThrow(StoreAway);
    failing.clear();
    await anna.movesTo(stage.start()).does(text('Ромашка'), 5_000);
    await anna.does(text('ООО «Ромашка»'), 5_001);
    expect(anna.sees()).toContain('(3/4)');
  });

  it('holds nothing back for ever when it never comes again', async () => {
    const { anna, failing } = await inWizard();
    failing.add('save');
    await expect(anna.does(text('Ромашка'), 5_000)).rejects.toThrow(StoreAway);
    failing.clear();
    stage.pass(60_000);
    await anna.does(text('Лютик'), 5_001);
    expect(anna.sees()).toContain('(2/4)');
  });

  it('does not use up the limit of updates by coming again and again', async () => {
    stage = openStage({ throttlePerMinute: 4 });
    const { anna, failing } = await inWizard();
    for (let each = 0; each < 5; each += 1) {
      failing.add('save');
      await expect(anna.does(text('Ромашка'), 5_000)).rejects.toThrow(StoreAway);
      failing.clear();
    }
    await anna.does(text('Ромашка'), 5_000);
    expect(anna.sees()).toContain('(2/4)');
  });
});

describe('a mistake of our own', () => {
  it('does not hold back what the person does next', async () => {
    const broken = route('broken:page', () => Promise.reject(new TypeError('a defect')));
    stage = openStage({ moreRoutes: [broken] });
    const anna = stage.person(stage.start());
    await anna.does(start, 1);
    const press = { kind: 'press', link: { pattern: 'broken:page', params: {} }, messageId: '1' } as const;
    await expect(anna.does(press, 2)).rejects.toThrow(TypeError);
    await anna.does(start, 3);
    expect(anna.sees()).toBe('С возвращением');
  });
});
