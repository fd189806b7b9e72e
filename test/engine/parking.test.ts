import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Visitor } from '../../src/engine/menu.ts';
import { route } from '../../src/menu/create-menu.ts';
import { to } from '../../src/screens/kit/link.ts';
import { button, rich } from '../../src/screens/kit/screen.ts';
import { openStage, type Stage } from './stage.ts';

const AN_HOUR_MS = 3_600_000;
const waiting: Visitor['parked'][] = [];
const go = button('Продолжить', to('wizard:resume'));
const drop = button('Забыть', to('wizard:forget'));
const routes = [
  route('wizard:resume', () => ({ resume: 'wizard' })),
  route('wizard:forget', () => ({ open: to('nav:dashboard'), drops: 'wizard' })),
  route('nav:help', (_, { parked }) => {
    waiting.push(parked);
    return { show: { text: rich`Помощь`, keyboard: [[go, drop]] } };
  }),
];
const help = { kind: 'press', link: to('nav:help'), messageId: null } as const;

let stage: Stage;
beforeEach(() => {
  waiting.length = 0;
  stage = openStage({ moreRoutes: routes, parking: { slot: 'wizard', cancelParks: ['company_name'] } });
});
afterEach(() => stage.close());

type Bot = ReturnType<Stage['start']>;

/** In the wizard, at its second question. */
async function asked(bot: Bot) {
  const anna = stage.person(bot);
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  await anna.says('Ромашка');
  return { anna, run: (await stage.session()).flow! };
}
const parked = async () => (await stage.session()).parked.map(({ slot, run }) => [slot, run.run]);
const state = async () => (await stage.session()).flow?.snapshot.value;

describe('a run that is left while it waits for the person', () => {
  it.each([
    ['a page', (anna: Awaited<ReturnType<typeof asked>>['anna']) => anna.does(help)],
    ['/start', (anna: Awaited<ReturnType<typeof asked>>['anna']) => anna.commands('start')],
    [
      '/cancel, where the flow says so',
      (anna: Awaited<ReturnType<typeof asked>>['anna']) => anna.commands('cancel'),
    ],
  ])('for %s is kept, and goes on where it stood', async (_, leaves) => {
    const { anna, run } = await asked(stage.start());
    const question = anna.sees();
    await leaves(anna);
    expect(await state()).toBeUndefined();
    expect(await parked()).toEqual([['wizard', run.run]]);
    await anna.does(help);
    await anna.presses('Продолжить');
    expect(anna.sees()).toBe(question);
    expect((await stage.session()).flow).toEqual(run);
    expect(await parked()).toEqual([]);
    await anna.says('ООО «Ромашка»');
    expect(await state()).toBe('specialization');
  });

  it('asks its question again without the complaint about an answer of that time', async () => {
    const { anna } = await asked(stage.start());
    await anna.says('…');
    expect(anna.sees()).toContain('Введите название от 2 до 200 символов');
    await anna.does(help);
    await anna.presses('Продолжить');
    expect(anna.sees()).toMatch(
      /^Продолжаем с того же места: создание проекта\.\n\n<b>Новый проект \(2\/4\)/u,
    );
    expect(anna.sees()).not.toContain('Введите название от 2 до 200 символов');
    await anna.says('…');
    expect(anna.sees()).toContain('Введите название от 2 до 200 символов');
  });

  it('is kept for a day, whatever the limit of inactivity (E49)', async () => {
    const { anna, run } = await asked(stage.start());
    stage.pass(23 * AN_HOUR_MS);
    await anna.says('ООО «Ромашка»');
    expect(anna.sees()).toContain('Сессия истекла');
    expect(await parked()).toEqual([['wizard', run.run]]);
    await anna.does(help);
    await anna.presses('Продолжить');
    expect(await state()).toBe('company_name');
  });

  it('is gone a day after the last that was heard of the person in it', async () => {
    const { anna } = await asked(stage.start());
    await anna.does(help);
    stage.pass(24 * AN_HOUR_MS);
    const answer = await anna.presses('Продолжить');
    expect(answer).toEqual([expect.stringContaining('Не найдено')]);
    expect(anna.sees()).toContain('Главное меню');
    expect(await parked()).toEqual([]);
  });

  it('is known to the pages, that for which it is left included', async () => {
    const { anna, run } = await asked(stage.start());
    await anna.does(help);
    await anna.does(help);
    const known = { flow: 'ProjectCreate', run: run.run, state: 'company_name', parkedAt: stage.clock.now };
    expect(waiting).toEqual([
      { wizard: { ...known, context: run.snapshot.context } },
      { wizard: { ...known, context: run.snapshot.context } },
    ]);
  });

  it('is forgotten when the person says so', async () => {
    const { anna } = await asked(stage.start());
    await anna.does(help);
    await anna.presses('Забыть');
    expect(await parked()).toEqual([]);
  });

  it('gives its place to the next one that begins', async () => {
    const { anna, run } = await asked(stage.start());
    await anna.does({ kind: 'press', link: to('project:create'), messageId: null });
    expect((await stage.session()).flow!.run).not.toBe(run.run);
    expect(await parked()).toEqual([]);
  });

  it('is left as it is by a process that dies when the leaving is stored', async () => {
    const { anna, run } = await asked(stage.start());
    void anna.movesTo(stage.startDyingAtSave()).does(help);
    await expect.poll(parked).toEqual([['wizard', run.run]]);
    stage.pass(AN_HOUR_MS / 60);
    const next = anna.movesTo(stage.start());
    await next.does(help);
    await next.presses('Продолжить');
    expect(await state()).toBe('company_name');
  });

  it('that can no longer be continued is gone, and the person goes on in the menu', async () => {
    const { anna } = await asked(stage.start());
    await anna.does(help);
    const session = await stage.session();
    const [kept] = session.parked;
    const damaged = {
      ...kept!,
      run: { ...kept!.run, snapshot: { ...kept!.run.snapshot, value: 'nowhere' } },
    };
    await stage.storesText(7, JSON.stringify({ ...session, parked: [damaged] }));
    await anna.presses('Продолжить');
    expect(anna.sees()).toContain('Главное меню');
    expect(await parked()).toEqual([]);
  });

  it('asks again when the person is in it already', async () => {
    const { anna } = await asked(stage.start());
    const question = anna.sees();
    await anna.does({ kind: 'press', link: to('wizard:resume'), messageId: null });
    expect(anna.sees()).toBe(question);
    expect(await state()).toBe('company_name');
  });
});

it('a run that ends in its own way is not kept', async () => {
  const { anna } = await asked(stage.start());
  for (const answer of ['ООО «Ромашка»', 'Доставка цветов', 'https://romashka.ru']) await anna.says(answer);
  expect(await state()).toBeUndefined();
  expect(await parked()).toEqual([]);
});

it('/cancel ends a run in a state that does not keep it', async () => {
  const { anna } = await asked(stage.start());
  await anna.says('ООО «Ромашка»');
  await anna.commands('cancel');
  expect(await parked()).toEqual([]);
});

describe('an event from outside for a parked run', () => {
  const answer = { type: 'text.received', text: 'ООО «Ромашка»' };

  it.each(['by its name', 'by what it takes'])(
    'found %s is applied, told, and the run stays parked',
    async (how) => {
      const bot = stage.start();
      const { anna, run } = await asked(bot);
      await anna.does(help);
      const named = how === 'by its name' ? { run: { flow: run.flow, run: run.run } } : {};
      await bot.inject({ person: 7, ...named, event: answer, id: 'paid' });
      await bot.inject({ person: 7, ...named, event: answer, id: 'paid' });
      expect(anna.sees()).toContain('Чем занимается');
      expect((await stage.session()).parked.map(({ run: { snapshot } }) => snapshot.value)).toEqual([
        'specialization',
      ]);
      expect(await stage.inbox.open(7, stage.clock.now)).toEqual([]);
      await anna.does(help);
      await anna.presses('Продолжить');
      expect(await state()).toBe('specialization');
    },
  );

  it('reaches it also when the person went quiet in it', async () => {
    const bot = stage.start();
    const { run } = await asked(bot);
    stage.pass(2 * AN_HOUR_MS);
    await bot.inject({ person: 7, run: { flow: run.flow, run: run.run }, event: answer, id: 'paid' });
    expect((await stage.session()).parked.map(({ run: { snapshot } }) => snapshot.value)).toEqual([
      'specialization',
    ]);
  });

  it('which it does not take is told as the flow says, and changes nothing', async () => {
    const bot = stage.start();
    const { anna, run } = await asked(bot);
    await anna.does(help);
    const event = { type: 'grant.received' };
    await bot.inject({ person: 7, run: { flow: run.flow, run: run.run }, event, id: 'grant' });
    expect(anna.sees()).toContain('мастер уже закрыли');
    expect(await parked()).toEqual([['wizard', run.run]]);
  });
});
