import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCategory, personWithProjects } from '../support/accounts.ts';
import { startBot, type TestBot } from '../support/bot.ts';

describe('buttons that should do nothing', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot();
  });
  afterAll(() => bot.stop());

  it.each([
    'project:%pid%:card',
    'project:%pid%:edit',
    'project:%pid%:edit:name',
    'project:%pid%:tz',
    'project:%pid%:tz:0',
    'project:%pid%:delete',
    'project:%pid%:delete:confirm:0a1b2c3d',
    'project:%pid%:categories',
    'project:%pid%:cat_new',
    'project:%pid%:created',
    'page:categories:%pid%:1',
    'category:%cid%:card',
    'category:%cid%:created',
    'category:%cid%:delete',
    'category:%cid%:delete:confirm:0a1b2c3d',
  ])('leaks and changes nothing when %s names what belongs to somebody else', async (data) => {
    const owner = await personWithProjects(bot, ['Секретный проект'], 'Борис');
    const [pid] = owner.projectIds as [number];
    const cid = await addCategory(bot, pid, 'Секретная тема');
    const thief = await personWithProjects(bot, ['Свой проект'], 'Ева');
    const answer = await thief.forges(data.replace('%pid%', String(pid)).replace('%cid%', String(cid)));
    const list = await thief.sees('У вас 1 проект.');
    // On a busy machine the spinner is ended first, and the words stand above the list.
    expect(answer?.text ?? list.text).toContain('Не найдено: возможно, уже удалено');
    expect(JSON.stringify(thief.messages())).not.toContain('Секретн');
    const [row] = await bot.app.sql<[{ kept: number }]>`
      select count(*) as kept from categories c join projects p on p.id = c.project_id
      where c.id = ${cid} and p.timezone = 'Europe/Moscow'`;
    expect(row.kept).toBe(1);
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['an unknown field', 'project:1:edit:balance'],
    ['a number beyond the column', 'project:99999999999:card'],
    ['an injection', "project:1' or 1=1--:card"],
    ['letters outside ASCII', 'проект:1:card'],
    ['more than 64 bytes', 'x'.repeat(200)],
    ['nothing at all', ' '],
  ])('answers forged data, %s, with a toast and the menu', async (_, data) => {
    const eva = bot.person('Ева');
    eva.says('/start');
    await eva.sees(/Главное меню|Здравствуйте|ИИ пишет/u);
    const answer = await eva.forges(data);
    const list = await eva.sees(/Главное меню|Проекты/);
    expect(answer?.text ?? list.text).toMatch(/не действует|Не найдено/);
  });

  it('tells that a button of a finished flow is dead, leaves its message as it is and shows the nearest list below', async () => {
    const anna = await personWithProjects(bot, ['Шторы']);
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('(1/4)');
    const old = anna.screen()!.message_id;
    const cancel = anna.dataOf('Отмена');
    anna.says('Второй проект');
    await anna.sees('(2/4)');
    anna.says('/cancel');
    await anna.sees('Создание проекта отменено.');
    const answer = await anna.forges(cancel, old);
    expect(answer?.text).toBe('Эта кнопка уже не действует');
    await anna.sees('Главное меню');
    // It may be the result of what was pressed before.
    const pressed = bot.telegram.people.messages(anna.id).find(({ message_id }) => message_id === old);
    expect(pressed?.text).toContain('(1/4)');
    expect((await anna.forges('pc:skip', old - 1))?.text).toBe('Эта кнопка уже не действует');
    await anna.sees('У вас 1 проект.');
  });

  it('leads somebody whose account is gone to a new beginning', async () => {
    const anna = await personWithProjects(bot, []);
    await bot.app.sql`delete from users where id = ${anna.id}`;
    expect((await anna.forges('fsm:cancel', 1))?.text ?? '').not.toContain('ошибка');
    await anna.sees('Главное меню');
  });

  it('repeats the present question when a button of an earlier one is pressed', async () => {
    const anna = await personWithProjects(bot, []);
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('(1/4)');
    const old = anna.screen()!.message_id;
    const cancel = anna.dataOf('Отмена');
    anna.says('Шторы');
    await anna.sees('(2/4)');
    const answer = await anna.forges(cancel, old);
    expect(answer?.text).toBe('Эта кнопка уже не действует');
    const repeated = await anna.sees('(2/4)');
    expect(repeated.message_id).toBeGreaterThan(old);
    anna.says('ИП Штора');
    await anna.sees('(3/4)');
  });

  it('does once what was pressed twice within a blink', async () => {
    const anna = await personWithProjects(bot, []);
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    for (const [i, answer] of ['Шторы', 'ИП Штора', 'Пошив штор'].entries()) {
      anna.says(answer);
      await anna.sees(`(${i + 2}/4)`);
    }
    const { message_id } = anna.screen()!;
    const skip = anna.dataOf('Пропустить');
    const { people } = bot.telegram;
    const presses = [people.press(anna.id, message_id, skip), people.press(anna.id, message_id, skip)];
    const answers = await Promise.all(presses.map((press) => press.answer(5_000)));
    expect(answers.map((answer) => answer?.text ?? '').sort()).toEqual(['', 'Эта кнопка уже не действует']);
    await anna.sees('Проект Шторы создан.');
    const [row] = await bot.app.sql<
      [{ count: number }]
    >`select count(*) from projects where user_id = ${anna.id}`;
    expect(row.count).toBe(1);
  });

  it('does not let a field button of another project empty the field asked for now', async () => {
    const anna = await personWithProjects(bot, ['Первый', 'Второй']);
    const [first, second] = anna.projectIds as [number, number];
    await bot.app.sql`update projects set company_city = 'Казань' where user_id = ${anna.id}`;
    await anna.forges(`project:${first}:edit:company_city`);
    await anna.sees('Сейчас: Казань');
    const answer = await anna.forges(`project:${second}:edit_clear:company_city`);
    expect(answer?.text).toBe('Эта кнопка уже не действует');
    const rows = await bot.app.sql`select company_city from projects where user_id = ${anna.id}`;
    expect(rows.map(({ company_city }) => company_city)).toEqual(['Казань', 'Казань']);
  });
});
