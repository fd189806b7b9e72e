import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stopping } from '../../src/engine/not-applied.ts';
import { to } from '../../src/screens/kit/link.ts';
import { eventually } from './eventually.ts';
import { whileSaving } from './in-the-wizard.ts';
import { openStage, pressOf, projectCreated, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

describe('a process that stops', () => {
  it('takes no new updates, so that Telegram brings them to another process', async () => {
    const bot = stage.start();
    const anna = stage.person(bot);
    await bot.stop(1_000);
    await expect(anna.commands('start')).rejects.toThrow(Stopping);
    expect(await stage.store.peek(anna.userId)).toBeNull();
  });

  it('waits for the work that runs, and shows its result', async () => {
    const { bot, anna } = await whileSaving(stage);
    let stopped = false;
    const stopping = bot.stop(30_000).then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    stage.ports.saveProject.calls[0]!.resolve();
    await stopping;
    expect(anna.sees()).toBe(projectCreated);
  });

  it('finishes the update it is at', async () => {
    const bot = stage.start();
    const anna = stage.person(bot);
    const update = anna.commands('start');
    await bot.stop(30_000);
    expect(anna.sees()).toBe('Добро пожаловать');
    await update;
  });

  it('leaves work that outlasts the grace to the next process, as unfinished as it is', async () => {
    const { bot, anna } = await whileSaving(stage);
    const before = await stage.store.peek(anna.userId);
    const shown = stage.shows.length;
    await bot.stop(10);
    await settle();
    expect(await stage.store.peek(anna.userId), 'what was broken off is not done').toBe(before);
    expect(stage.shows).toHaveLength(shown);
    expect(stage.log.some(({ msg }) => msg === 'stopping with work left')).toBe(true);

    const next = stage.start();
    stage.pass(15_000);
    await next.sweeps();
    stage.ports.saveProject.calls[1]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('takes no work for done that it broke off, though the flow wants nothing but the word', async () => {
    const bot = stage.start();
    const anna = stage.person(bot);
    await anna.does(pressOf(to('project:{pid}:edit:{field}', { pid: 5, field: 'company_city' }), null));
    stage.ports.saveProjectField.isSlow();
    await anna.says('Казань');
    await bot.stop(10);
    await settle();
    expect((await stage.session(anna.userId)).flow?.snapshot.value).toBe('saving');
    expect(anna.sees()).not.toContain('сохранено');
  });

  it('aborts the service it no longer waits for', async () => {
    const { bot } = await whileSaving(stage);
    const { signal } = stage.ports.saveProject.calls[0]!;
    expect(signal.aborted).toBe(false);
    await bot.stop(10);
    expect(signal.aborted).toBe(true);
  });

  it('does not hear a result that comes after all', async () => {
    const { bot, anna } = await whileSaving(stage);
    await bot.stop(10);
    const shown = stage.shows.length;
    stage.ports.saveProject.calls[0]!.resolve();
    await settle();
    expect(stage.shows).toHaveLength(shown);
    expect((await stage.session(anna.userId)).flow?.snapshot.value).toBe('saving');
  });

  it('leaves no timer behind', async () => {
    const before = timers();
    const { bot } = await whileSaving(stage);
    expect(timers()).toBeGreaterThan(before);
    stage.ports.saveProject.calls[0]!.resolve();
    await bot.stop(30_000);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Whatever is already on its way arrives. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
