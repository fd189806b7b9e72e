import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFields } from '../../machines/project-fields.ts';
import { addCategory, personWithProjects } from '../support/accounts.ts';
import { startBot, type TestBot } from '../support/bot.ts';

describe('the menu', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot();
  });
  afterAll(() => bot.stop());

  it('pages a long list by eight', async () => {
    const names = Array.from({ length: 17 }, (_, index) => `Проект ${index + 1}`);
    const anna = await personWithProjects(bot, names);
    await anna.presses('Проекты');
    await anna.sees('У вас 17 проектов.');
    expect(anna.labels()).toEqual([
      ...names.slice(9).reverse(),
      '·',
      '1/3',
      '▶',
      'Создать проект',
      'Статистика',
      'Меню',
    ]);
    await anna.presses('▶');
    await anna.sees('Проекты');
    expect(anna.labels().slice(0, 8)).toEqual(names.slice(1, 9).reverse());
    await anna.presses('▶');
    await anna.sees('Проекты');
    expect(anna.labels().slice(0, 4)).toEqual(['Проект 1', '◀', '3/3', '·']);
  });

  it('sends the statistics of many projects as a file as well', async () => {
    const anna = await personWithProjects(
      bot,
      Array.from({ length: 9 }, (_, index) => `Лавка ${index}`),
    );
    await anna.presses('Проекты');
    await anna.presses('Статистика');
    await anna.sees(/Статистика.*Лавка 8.*Публикаций: 0.*Ещё 1 проект — в файле/s);
    await expect
      .poll(() => anna.messages().some(({ document }) => document?.file_name === 'statistika.csv'))
      .toBe(true);
  });

  it('deletes a project only at the second press and says what goes with it', async () => {
    const anna = await personWithProjects(bot, ['Шторы']);
    await addCategory(bot, anna.projectIds[0]!, 'Тюль');
    await anna.presses('Проекты');
    await anna.presses('Шторы');
    await anna.presses('Удалить');
    await anna.sees(/Удалить проект Шторы\?.*• 1 категория\n\nОпубликованное останется/s);
    await anna.presses('Отмена');
    await anna.sees('Заполнено полей: 3/15');
    await anna.presses('Удалить');
    await anna.presses('Да, удалить');
    await anna.sees(/^Проект «Шторы» удалён\.\n\nПроекты\n\nПроект — это один бизнес/);
  });

  it('returns the tokens of open drafts when their category is deleted, once', async () => {
    const anna = await personWithProjects(bot, ['Шторы']);
    const [projectId] = anna.projectIds as [number];
    const categoryId = await addCategory(bot, projectId, 'Тюль');
    const { sql } = bot.app;
    await sql`select charge_balance(${anna.id}, 320, 'draft-charge', 'text_generation')`;
    await sql`insert into article_previews (user_id, project_id, category_id, tokens_charged)
      values (${anna.id}, ${projectId}, ${categoryId}, 320)`;
    await anna.forges(`category:${categoryId}:delete`);
    await anna.sees(/• 1 черновик\n\nЗа черновики вернётся 320 токенов\./);
    await anna.presses('Да, удалить');
    await anna.sees('Категория «Тюль» удалена. Вернулось 320 токенов.');
    const [user] = await sql<[{ balance: number }]>`select balance from users where id = ${anna.id}`;
    expect(user.balance).toBe(1500);
  });

  it('makes a category and shows its card', async () => {
    const anna = await personWithProjects(bot, ['Шторы']);
    await anna.presses('Проекты');
    await anna.presses('Шторы');
    await anna.presses('Категории');
    await anna.sees('Категория — это тема');
    await anna.presses('Создать категорию');
    await anna.sees(/Новая категория · Шторы/);
    anna.says('<>');
    await anna.sees(/^Введите название от 2 до 100 символов/);
    anna.says('Тюль');
    await anna.sees('Категория Тюль создана.');
    await anna.presses('К категории');
    await anna.sees(/Тюль · Шторы\n\nФразы: пока нет/);
    await anna.presses('Переименовать');
    await anna.sees('Отправьте новое название категории');
    anna.says('я');
    await anna.sees(/^Введите название от 2 до 100 символов\n\nТюль · Шторы/);
    anna.says('  Тюль   и вуаль ');
    await anna.sees(/^Теперь категория называется «Тюль и вуаль»\.\n\nТюль и вуаль · Шторы/);
  });

  it('changes and clears every one of the fifteen fields, each by its own rules', async () => {
    const anna = await personWithProjects(bot, ['Шторы']);
    const [pid] = anna.projectIds as [number];
    const examples: Record<(typeof projectFields)[number], { good: string; bad: string }> = {
      name: { good: 'Шторы и тюль', bad: 'x' },
      company_name: { good: 'ООО «Штора»', bad: 'я' },
      specialization: { good: 'Пошив штор на заказ', bad: 'шьём' },
      website_url: { good: 'https://shtory.example/', bad: 'shtory' },
      company_city: { good: 'Казань', bad: 'К' },
      company_address: { good: 'ул. Ленина, 1', bad: '!' },
      company_phone: { good: '+7 (843) 123-45-67', bad: 'позвоните' },
      company_email: { good: 'info@shtory.example', bad: 'info@' },
      company_instagram: { good: '@shtory', bad: '@' },
      company_vk: { good: 'https://vk.com/shtory', bad: '-' },
      company_pinterest: { good: 'shtory', bad: 's' },
      company_telegram: { good: '@shtory', bad: '…' },
      experience: { good: '12 лет', bad: 'я' },
      advantages: { good: 'Быстро', bad: 'б' },
      description: { good: 'Семейная мастерская', bad: '.' },
    };
    for (const field of projectFields) {
      await anna.forges(`project:${pid}:edit:${field}`);
      await anna.sees('Отправьте новое значение.');
      anna.says(examples[field].bad);
      await anna.sees(/^Некорректный формат для поля /);
      anna.says(examples[field].good);
      await anna.sees(/^Поле «.+» сохранено\.\n\nДанные проекта/);
    }
    await anna.presses('К проекту');
    await anna.sees('Заполнено полей: 15/15');
    await anna.presses('Данные');
    await anna.presses('✓ Город');
    await anna.sees('Сейчас: Казань');
    await anna.presses('Очистить');
    await anna.sees(/Город: —/);
    await anna.presses('✓ Название');
    await anna.sees('Отправьте новое значение.');
    expect(anna.labels()).toEqual(['Отмена']);
  });

  it('moves a project to another time zone', async () => {
    const anna = await personWithProjects(bot, ['Шторы']);
    await anna.presses('Проекты');
    await anna.presses('Шторы');
    await anna.presses('Данные');
    await anna.presses('Пояс: Москва (МСК)');
    await anna.presses('Владивосток (МСК+7)');
    await anna.sees(/^Часовой пояс: Владивосток \(МСК\+7\)\./);
    expect(anna.labels()).toContain('Пояс: Владивосток (МСК+7)');
  });

  it('explains itself in the help and leads from there to the action', async () => {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Помощь');
    await anna.presses('Проект');
    await anna.sees('Проект — это один бизнес');
    await anna.presses('Создать проект');
    await anna.sees('Новый проект (1/4)');
  });

  it('answers what it does not understand with a hint and the menu', async () => {
    const anna = bot.person();
    anna.says('/start');
    await anna.sees('Здравствуйте');
    anna.says('сколько стоит?');
    await anna.sees(/^Не понял вас/);
    anna.says('/nonsense');
    await anna.sees(/^Такой команды нет/);
    anna.says('/cancel');
    await anna.sees(/^Отменять нечего/);
    anna.says('/help');
    await anna.sees(/^Справка/);
  });

  it('moves the menu down instead of showing it twice', async () => {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Проекты');
    await anna.presses('Меню');
    await anna.sees('Главное меню');
    const first = anna.screen()!.message_id;
    anna.says('Меню');
    await anna.sees('Главное меню');
    await expect.poll(() => anna.messages().some(({ message_id }) => message_id === first)).toBe(false);
  });

  it('notes who invited a newcomer, once, and never the newcomer themselves', async () => {
    const inviter = bot.person('Борис');
    inviter.says('/start');
    await inviter.sees('Здравствуйте');
    const anna = bot.person();
    anna.says(`/start ref_${anna.id}`);
    await anna.sees('Здравствуйте');
    anna.says(`/start ref_${inviter.id}`);
    await anna.sees('С возвращением');
    anna.says('/start ref_1');
    await anna.sees('С возвращением');
    const [user] = await bot.app.sql<
      [{ referrer_id: number }]
    >`select referrer_id from users where id = ${anna.id}`;
    expect(user.referrer_id).toBe(inviter.id);
  });
});
