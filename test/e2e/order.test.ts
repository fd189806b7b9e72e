import type { Update } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grounds, startBot, startTwin, type TestBot } from '../support/bot.ts';
import type { ScriptedPerson } from '../support/person.ts';

describe.each(grounds)('one person, one event at a time, %s', (ground) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(ground);
  });
  afterAll(() => bot.stop());

  it('applies an update that comes twice once', async () => {
    const anna = await inWizard(bot);
    const update = textOf(anna, 9_000_001, 'Шторы');
    await Promise.all([bot.app.handleUpdate(update), bot.app.handleUpdate(update)]);
    await bot.app.handleUpdate(update);
    await anna.sees('(2/4)');
    expect(screensOf(anna, '(2/4)')).toBe(1);
    expect(screensOf(anna, '(3/4)')).toBe(0);
  });

  it('applies three messages sent at once in their order', async () => {
    const anna = await inWizard(bot);
    anna.says('Шторы');
    anna.says('ИП Штора');
    anna.says('Пошив штор на заказ');
    await anna.sees('(4/4)');
    await anna.presses('Пропустить');
    await anna.sees('Проект Шторы создан.');
    expect(await projectsOf(anna)).toEqual([
      { name: 'Шторы', company_name: 'ИП Штора', specialization: 'Пошив штор на заказ' },
    ]);
  });

  it('puts updates that arrive together, the later first, into the order of their ids', async () => {
    const anna = await inWizard(bot);
    // The first holder keeps the lock for a moment, so that the other two wait for it side by side.
    bot.telegram.faults.add({ match: 'sendMessage', times: 1, fault: { kind: 'slow', ms: 300 } });
    const first = bot.app.handleUpdate(textOf(anna, 9_100_001, 'Шторы'));
    await expect.poll(() => bot.telegram.faults.list().length).toBe(0);
    const third = bot.app.handleUpdate(textOf(anna, 9_100_003, 'Пошив штор на заказ'));
    const second = bot.app.handleUpdate(textOf(anna, 9_100_002, 'ИП Штора'));
    await Promise.all([first, second, third]);
    await anna.presses('Пропустить');
    await anna.sees('Проект Шторы создан.');
    expect(await projectsOf(anna)).toEqual([
      { name: 'Шторы', company_name: 'ИП Штора', specialization: 'Пошив штор на заказ' },
    ]);
  });

  it('drops what comes above the limit of a minute, and says so', async () => {
    const strict = await startBot(ground, { THROTTLE_PER_MINUTE: '5' });
    const anna = strict.person();
    for (let message = 1; message <= 5; message += 1) anna.says('/start');
    await expect.poll(() => anna.messages().length).toBeGreaterThanOrEqual(15);
    const before = anna.messages().length;
    anna.says('/start');
    await anna.sees(/^Слишком много сообщений за минуту/u);
    const answer = await anna.forges('nav:projects');
    expect(answer?.text).toMatch(/^Слишком быстро/u);
    expect(anna.messages().length).toBe(before + 2);
    await strict.stop();
  });

  it.runIf(ground === 'PostgreSQL and Redis')(
    'keeps the order and does everything once when two processes share the updates',
    async () => {
      const twin = await startTwin(bot);
      const people = await Promise.all(Array.from({ length: 8 }, () => inWizard(bot)));
      let updateId = 9_200_000;
      await Promise.all(
        people.map(async (anna) => {
          const answers = ['Шторы', 'ИП Штора', 'Пошив штор на заказ', 'https://shtory.example'];
          for (const answer of answers) {
            updateId += 1;
            const update = textOf(anna, updateId, answer);
            await Promise.all([bot.app.handleUpdate(update), twin.app.handleUpdate(update)]);
          }
          await anna.sees('Проект Шторы создан.');
          expect(await projectsOf(anna)).toHaveLength(1);
          for (const step of ['(2/4)', '(3/4)', '(4/4)']) expect(screensOf(anna, step)).toBe(1);
        }),
      );
      await twin.stop();
    },
  );

  function projectsOf({ id }: ScriptedPerson) {
    return bot.app.sql`select name, company_name, specialization from projects where user_id = ${id}`;
  }
});

async function inWizard(bot: TestBot): Promise<ScriptedPerson> {
  const anna = bot.person();
  anna.says('/start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  await anna.sees('(1/4)');
  return anna;
}

const screensOf = (person: ScriptedPerson, words: string): number =>
  person.messages().filter(({ from, text }) => from?.is_bot && text?.includes(words)).length;

function textOf({ id }: ScriptedPerson, updateId: number, text: string): Update {
  return {
    update_id: updateId,
    message: {
      message_id: updateId,
      date: 0,
      text,
      from: { id, is_bot: false, first_name: 'Анна' },
      chat: { id, type: 'private', first_name: 'Анна' },
    },
  };
}
