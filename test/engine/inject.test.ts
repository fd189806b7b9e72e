import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlbumItem } from '../../src/engine/incoming.ts';
import { ShowLater } from '../../src/engine/presenter.ts';
import { eventually } from './eventually.ts';
import { openStage, type Stage } from './stage.ts';

const LONG_ENOUGH_MS = 60_000;

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

type Bot = ReturnType<Stage['start']>;

async function inWizard(bot: Bot) {
  const anna = stage.person(bot);
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  return anna;
}

/** The wizard takes typed answers: events enough to tell what came, in which order, how often. */
const answer = (text: string) => ({ type: 'text.received', text });
const runOf = async () => {
  const { flow } = await stage.session();
  return { flow: flow!.flow, run: flow!.run };
};
const answers = async () => {
  const { flow } = await stage.session();
  const { answers: given } = flow!.snapshot.context as { answers: Record<string, unknown> };
  return [given.name, given.companyName, given.specialization].filter((value) => value !== null);
};
const open = () => stage.inbox.open(7, stage.clock.now);

describe('an event from outside', () => {
  it('reaches the run it is for, and its screen is shown', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    await bot.inject({ person: 7, run: await runOf(), event: answer('Ромашка'), id: 'a' });
    expect(await answers()).toEqual(['Ромашка']);
    expect(anna.sees()).toContain('компани');
    expect(await open()).toEqual([]);
  });

  it('is applied once, however often it is brought, to whichever process', async () => {
    const [bot, twin] = [stage.start(), stage.start()];
    await inWizard(bot);
    const letter = { person: 7, run: await runOf(), event: answer('Ромашка'), id: 'a' };
    await Promise.all([bot.inject(letter), twin.inject(letter), bot.inject(letter)]);
    expect(await answers()).toEqual(['Ромашка']);
  });

  it('without a run reaches whatever the person is in', async () => {
    const bot = stage.start();
    await inWizard(bot);
    await bot.inject({ person: 7, event: answer('Ромашка'), id: 'a' });
    expect(await answers()).toEqual(['Ромашка']);
  });

  it('follows those that came before it', async () => {
    const bot = stage.start();
    await inWizard(bot);
    const run = await runOf();
    await Promise.all(
      ['Ромашка', 'ООО «Ромашка»', 'Доставка цветов'].map((text) =>
        bot.inject({ person: 7, run, event: answer(text), id: text }),
      ),
    );
    expect(await answers()).toEqual(['Ромашка', 'ООО «Ромашка»', 'Доставка цветов']);
  });

  it('waits while its flow is working, and those behind it wait too', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    const run = await runOf();
    for (const text of ['Ромашка', 'ООО «Ромашка»', 'Доставка цветов']) await anna.says(text);
    stage.ports.saveProject.isSlow();
    await anna.says('https://romashka.ru');
    await bot.inject({ person: 7, run, event: { type: 'retried' }, id: 'a' });
    await bot.inject({ person: 7, run, event: { type: 'retried' }, id: 'b' });
    expect((await open()).map(({ id }) => id)).toEqual(['a', 'b']);
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => bot.busy()).toBe(0);
    await bot.sweeps();
    expect(await open()).toEqual([]);
  });

  it('whose run is gone is told of in the words of its flow, beside what the person does now', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    const run = await runOf();
    await anna.commands('cancel');
    const shown = stage.shows.length;
    await bot.inject({ person: 7, run, event: { type: 'grant.received' }, id: 'a' });
    expect(anna.sees()).toBe('Разрешение пришло, когда мастер уже закрыли');
    await bot.inject({ person: 7, run, event: { type: 'grant.received' }, id: 'a' });
    expect(stage.shows).toHaveLength(shown + 1);
    expect((await stage.session()).flow).toBeNull();
  });

  it('whose run is gone is dropped when its flow says nothing of it', async () => {
    const bot = stage.start();
    await inWizard(bot);
    const shown = stage.shows.length;
    await bot.inject({ person: 7, run: { flow: 'ProjectCreate', run: 'old' }, event: answer('x'), id: 'a' });
    expect(stage.shows).toHaveLength(shown);
    expect(await answers()).toEqual([]);
    expect(await open()).toEqual([]);
  });

  it('that could not be told of is told later', async () => {
    const bot = stage.start();
    const anna = stage.person(bot);
    await anna.commands('start');
    stage.messengerFails(new ShowLater(null));
    const run = { flow: 'ProjectCreate', run: 'old' };
    await bot.inject({ person: 7, run, event: { type: 'grant.received' }, id: 'a' });
    expect(await open()).toHaveLength(1);
    await bot.sweeps();
    expect(anna.sees()).toBe('Разрешение пришло, когда мастер уже закрыли');
  });

  it('for a person without a session is no reason to fail', async () => {
    const bot = stage.start();
    await bot.inject({ person: 99, event: answer('x'), id: 'a' });
    expect(await stage.inbox.open(99, stage.clock.now)).toEqual([]);
  });

  // Each call to a store, the inbox or the messenger may be the last one of a process.
  it.each(Array.from({ length: 9 }, (_, index) => index + 1))(
    'survives a process that dies after its call number %i: applied once, shown, settled',
    async (calls) => {
      const first = stage.start();
      const anna = await inWizard(first);
      const run = await runOf();
      first.dies();
      const dying = stage.start(stage.store, calls);
      const letter = { person: 7, run, event: answer('Ромашка'), id: 'a' };
      void dying.inject(letter);
      await new Promise((resolve) => setTimeout(resolve, 20));
      stage.pass(LONG_ENOUGH_MS);
      const second = stage.start();
      await second.inject(letter); // the first call failed after the letter was stored
      await second.sweeps();
      expect(await answers()).toEqual(['Ромашка']);
      expect(await open()).toEqual([]);
      expect(anna.sees()).toContain('компани');
    },
  );
});

describe('an album', () => {
  const photo = (place: number, caption = '') =>
    ({
      kind: 'photo',
      photo: { fileId: `P${place}`, name: '', mimeType: 'image/jpeg', size: 1, width: 1, height: 1 },
      caption,
      album: { id: 'album-1', place },
    }) as const;

  it('is heard as one thing, after its last picture', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    const shown = stage.shows.length;
    await anna.does(photo(2));
    await anna.does(photo(1, 'Букеты'));
    await anna.does(photo(2), 555); // brought again
    expect(stage.shows).toHaveLength(shown);
    stage.pass(2_000);
    await bot.sweeps();
    expect(stage.shows, 'one answer for all of it').toHaveLength(shown + 1);
    expect(anna.sees()).toContain('отправьте текстовое сообщение');
  });

  it('whose process died after one picture is heard as a whole by the next', async () => {
    const first = stage.start();
    const anna = await inWizard(first);
    await anna.does(photo(1));
    first.dies();
    const second = stage.start();
    await anna.movesTo(second).does(photo(2));
    stage.pass(60_000);
    await second.sweeps();
    const { letters } = await stage.session();
    expect(letters).toEqual(['album:album-1']);
  });

  it('is not heard again when its pictures are, because our answer to the messenger was lost', async () => {
    const bot = stage.start();
    const anna = await inWizard(bot);
    for (const place of [1, 2]) await anna.does(photo(place), 600 + place);
    stage.pass(2_000);
    await bot.sweeps();
    const shown = stage.shows.length;
    for (const place of [1, 2]) await anna.does(photo(place), 600 + place);
    stage.pass(2_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
  });

  it('keeps the order in which it was sent', async () => {
    const items: AlbumItem[] = [];
    const bot = stage.start();
    const anna = await inWizard(bot);
    for (const place of [3, 1, 2]) await anna.does(photo(place));
    stage.pass(2_000);
    const [letter] = await open();
    for (const { item } of letter!.parts) items.push(item);
    expect(items.map((item) => item.kind === 'photo' && item.photo.fileId)).toEqual(['P1', 'P2', 'P3']);
  });
});
