import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShowLater } from '../../src/engine/presenter.ts';
import { eventually } from './eventually.ts';
import { atTheLastQuestion, whileSaving } from './in-the-wizard.ts';
import { openStage, pressOf, projectCreated, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

describe('work', () => {
  it('that is quick shows its result at once, and never its progress', async () => {
    const { anna } = await atTheLastQuestion(stage);
    const before = stage.shows.length;
    await anna.says('https://romashka.ru');
    expect(anna.sees()).toBe(projectCreated);
    expect(stage.shows).toHaveLength(before + 1);
  });

  it('that is slow lets the update be answered, shows its progress, and turns that message into the result', async () => {
    const { anna, save } = await whileSaving(stage);
    const progress = anna.chat().at(-1)!;
    expect(progress.text).toBe('Создаю проект «Ромашка»…');
    const id = progress.id;

    save.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(anna.chat().at(-1)?.id).toBe(id);
    expect((await stage.session()).flow).toBeNull();
  });

  it('whose progress could not be shown leaves the question alone and tells of its result below', async () => {
    const { anna } = await atTheLastQuestion(stage);
    const question = anna.chat().at(-1)!;
    stage.ports.saveProject.isSlow();
    stage.messengerFails(new ShowLater(null));
    await anna.says('https://romashka.ru');
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(anna.chat()).toContainEqual(question);
    expect(Number(anna.chat().at(-1)?.id)).toBeGreaterThan(Number(question.id));
  });

  it('begins after the decision was stored, so that a kill in between loses nothing', async () => {
    const { anna } = await atTheLastQuestion(stage);
    let storedWhenCalled: string | null = null;
    const { saveProject } = stage.ports;
    const { call } = saveProject;
    saveProject.call = async (input, signal) => {
      storedWhenCalled = await stage.store.peek(anna.userId);
      return call(input, signal);
    };
    await anna.says('https://romashka.ru');
    expect(storedWhenCalled).toContain('"value":"saving"');
  });

  it('that fails says so and can be tried again under the same key', async () => {
    const { anna } = await atTheLastQuestion(stage);
    stage.ports.saveProject.failsOnce(new Error('connection lost'));
    await anna.says('https://romashka.ru');
    expect(anna.sees()).toContain('Не получилось сохранить.');
    expect(anna.sees()).not.toContain('connection lost');

    await anna.presses('Повторить');
    expect(anna.sees()).toBe(projectCreated);
    const [first, second] = stage.ports.saveProject.keys();
    expect(first).toMatch(/^[0-9a-f-]{36}:saveProject$/);
    expect(second).toBe(first);
  });

  it('that fails slowly turns its progress into the failure', async () => {
    const { anna, save } = await whileSaving(stage);
    const messages = anna.chat().length;
    save.reject(new Error('connection lost'));
    await eventually(() => anna.sees()).toContain('Не получилось сохранить.');
    expect(anna.chat()).toHaveLength(messages);
  });

  it('of two people does not mix', async () => {
    const { bot, save } = await whileSaving(stage);
    const boris = stage.person(bot, 8);
    await boris.commands('start');
    await boris.presses('Проекты');
    await boris.presses('Создать проект');
    save.resolve();
    await eventually(async () => (await stage.session(7)).flow).toBeNull();
    expect(boris.sees()).toContain('Новый проект (1/4)');
  });
});

describe('while work runs', () => {
  it('text is answered with «Уже выполняется», and the state is kept', async () => {
    const { anna, save } = await whileSaving(stage);
    await anna.says('Ну как там?');
    expect(anna.sees()).toMatch(/^Уже выполняется, подождите немного\n\nСоздаю проект/);

    save.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(stage.ports.saveProject.calls).toHaveLength(1);
  });

  it('its progress stands in one message: repeated below or left behind, the old one goes', async () => {
    const { anna, save } = await whileSaving(stage);
    const progress = anna.chat().at(-1)!.id;
    await anna.says('Ну как там?');
    const repeated = anna.chat().at(-1)!.id;
    await anna.says('Меню');
    expect(stage.shows.slice(-2).map(({ discard }) => discard)).toEqual([progress, repeated]);
    save.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('a second press of the same button is told that it runs already, and starts nothing', async () => {
    const { anna } = await atTheLastQuestion(stage);
    stage.ports.saveProject.isSlow();
    const question = anna.chat().at(-1)!;
    const skip = question.buttons.find(({ label }) => label === 'Пропустить')!.link;
    await anna.does(pressOf(skip, question.id));
    expect(await anna.does(pressOf(skip, question.id))).toEqual(['Уже выполняется']);
    expect(stage.ports.saveProject.calls).toHaveLength(1);
    stage.ports.saveProject.calls[0]!.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
  });

  it('the engine counts it', async () => {
    const { bot, save, anna } = await whileSaving(stage);
    expect(bot.busy()).toBe(1);
    save.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    expect(bot.busy()).toBe(0);
  });
});

describe('a person who leaves while work runs', () => {
  const ways: [
    string,
    (anna: Awaited<ReturnType<typeof whileSaving>>['anna']) => Promise<unknown>,
    string,
  ][] = [
    ['by /start', (anna) => anna.commands('start'), 'С возвращением'],
    ['by /cancel', (anna) => anna.commands('cancel'), 'Главное меню'],
    ['by the reply keyboard', (anna) => anna.says('Меню'), 'Главное меню'],
    [
      'by an old button',
      (anna) => anna.does(pressOf({ pattern: 'nav:projects', params: {} }, anna.chat()[0]!.id)),
      'Проекты',
    ],
  ];

  it.each(ways)(
    '%s is told that it goes on, and gets the result as a new message',
    async (_, leave, page) => {
      const { anna, save } = await whileSaving(stage);
      await leave(anna);
      const looksAt = await visible(anna);
      expect(looksAt.text).toBe(`Работа продолжается: создание проекта. Результат придёт сюда.\n\n${page}`);

      const messages = anna.chat().length;
      save.resolve();
      await eventually(() => anna.chat().length).toBe(messages + 1);
      expect(anna.sees()).toBe(projectCreated);
      const session = await stage.session();
      expect(session.background).toEqual([]);
      expect(session.flow).toBeNull();
    },
  );

  it('for another flow is not disturbed there', async () => {
    const { anna, save } = await whileSaving(stage);
    await anna.does(pressOf({ pattern: 'project:{pid}:cat_new', params: { pid: 3 } }, null));
    expect(anna.sees()).toMatch(/^Работа продолжается: создание проекта.*Новая категория/s);

    const messages = anna.chat().length;
    save.resolve();
    await eventually(() => anna.chat().length).toBe(messages + 1);
    expect(anna.sees()).toBe(projectCreated);
    await anna.says('Свадебные букеты');
    expect(anna.sees()).toContain('<b>Свадебные букеты</b> создана');
    expect(stage.ports.saveCategory.calls).toHaveLength(1);
  });

  it('hears of a failure too, without buttons of a flow that is over', async () => {
    const { anna, save } = await whileSaving(stage);
    await anna.commands('start');
    save.reject(new Error('connection lost'));
    await eventually(() => anna.sees()).toContain('Не получилось сохранить.');
    expect(
      anna
        .chat()
        .at(-1)
        ?.buttons.map(({ label }) => label),
    ).toEqual(['Меню']);
  });

  it('gets exactly one result for each of two pieces of work', async () => {
    const { anna } = await whileSaving(stage);
    await anna.commands('start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.says('Василёк');
    await anna.says('ООО «Василёк»');
    await anna.says('Доставка цветов');
    await anna.says('https://vasilek.ru');
    await anna.commands('start');
    const [first, second] = stage.ports.saveProject.calls;
    const messages = anna.chat().length;
    second!.resolve({ projectId: 6 });
    first!.resolve({ projectId: 5 });
    await eventually(() => anna.chat().length).toBe(messages + 2);
    const results = anna
      .chat()
      .slice(-2)
      .map(({ text }) => text);
    expect(results.toSorted()).toEqual([expect.stringContaining('<b>Василёк</b> создан'), projectCreated]);
    expect((await stage.session()).background).toEqual([]);
  });

  it('keeps the screen they are on: the sweep does not repeat it', async () => {
    const { bot, anna, save } = await whileSaving(stage);
    await anna.commands('start');
    save.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    const shown = stage.shows.length;
    stage.pass(60_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown);
  });

  it('hears the result although the messenger was away when it came', async () => {
    const { bot, anna, save } = await whileSaving(stage);
    await anna.commands('start');
    stage.messengerFails(new ShowLater(null));
    save.resolve();
    await eventually(() => bot.busy()).toBe(0);
    await eventually(() => stage.log.some(({ msg }) => /not shown|not be applied/.test(msg))).toBe(true);
    const shown = stage.shows.length;
    stage.pass(60_000);
    await bot.sweeps();
    expect(anna.sees()).toBe(projectCreated);
    stage.pass(600_000);
    await bot.sweeps();
    expect(stage.shows).toHaveLength(shown + 1);
  });

  it('hears it with their next deed, when that comes first', async () => {
    const { bot, anna, save } = await whileSaving(stage);
    await anna.commands('start');
    stage.messengerFails(new ShowLater(null));
    save.resolve();
    await eventually(() => stage.log.some(({ msg }) => msg === 'a result was not shown')).toBe(true);
    await anna.commands('start');
    const results = () => anna.chat().filter(({ text }) => text === projectCreated);
    expect(results()).toHaveLength(1);
    stage.pass(600_000);
    await bot.sweeps();
    expect(results()).toHaveLength(1);
  });

  it('still gets the screen that was not shown when they left', async () => {
    const { bot, anna, save } = await whileSaving(stage);
    stage.messengerFails(new ShowLater(null));
    await anna.commands('start');
    save.resolve();
    await eventually(() => anna.sees()).toBe(projectCreated);
    stage.pass(60_000);
    await bot.sweeps();
    expect(anna.sees()).toMatch(/^Работа продолжается: создание проекта.*С возвращением/s);
  });
});

/** The message the last screen stands in: a press edits an older one. */
async function visible(anna: { chat(): { id: string; text: string }[] }) {
  const { messageId } = stage.shows.at(-1)!;
  return anna.chat().find(({ id }) => id === messageId)!;
}
