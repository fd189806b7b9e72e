import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grounds, startBot, type TestBot } from '../support/bot.ts';

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.each(grounds)('the project wizard, %s', (ground) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(ground);
  });
  afterAll(() => bot.stop());

  it('greets a newcomer with the bonus and the reply keyboard', async () => {
    const anna = bot.person('Анна');
    anna.says('/start');
    await anna.sees('Здравствуйте, Анна!');
    await anna.sees(/1\u2009500 токенов.*4 статьи/s);
    expect(anna.keyboard().flat()).toContain('Меню');
    expect(anna.labels()).toEqual(
      expect.arrayContaining(['Проекты', 'Профиль', 'Тарифы', 'Настройки', 'Помощь']),
    );
  });

  it('makes a project from four answers and shows it in the list', async () => {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('Новый проект (1/4)');
    anna.says('Цветы на Ленина');
    await anna.sees('Новый проект (2/4)');
    anna.says('ООО «Ромашка» & <Ко>');
    await anna.sees('Новый проект (3/4)');
    anna.says('Доставка букетов');
    await anna.sees('Новый проект (4/4)');
    anna.says('https://romashka.example');
    await anna.sees('Проект Цветы на Ленина создан.');
    await anna.presses('К проекту');
    await anna.sees(
      /Компания: ООО «Ромашка» & <Ко>\nСайт: https:\/\/romashka\.example\nЗаполнено полей: 4\/15/,
    );
    await anna.presses('К проектам');
    await anna.sees('У вас 1 проект.');
  });

  it('answers an invalid value with the words of the specification and asks again', async () => {
    const anna = await inWizard();
    anna.says('x');
    await anna.sees(/^Введите название от 2 до 100 символов\n\nНовый проект \(1\/4\)/);
    anna.says('Имя');
    await anna.sees('(2/4)');
    anna.says('я');
    await anna.sees(/^Введите название от 2 до 200 символов/);
    anna.says('Компания');
    await anna.sees('(3/4)');
    anna.says('шьём');
    await anna.sees(/^Опишите подробнее \(мин\. 5 символов\)/);
    anna.says('Пошив штор');
    await anna.sees('(4/4)');
    anna.says('не адрес');
    await anna.sees(/^Введите корректный URL или нажмите Пропустить/);
    await anna.presses('Пропустить');
    await anna.sees('Проект Имя создан.');
  });

  it('keeps the answers of a person who is interrupted', async () => {
    const anna = await inWizard();
    anna.says('Шторы');
    await anna.sees('(2/4)');
    await anna.presses('Прервать');
    await anna.sees('Ответы о проекте «Шторы» сохранены на сутки');
    await anna.presses('Создать проект');
    await anna.sees('Вы начали проект «Шторы» и не закончили');
    await anna.presses('Продолжить');
    await anna.sees('(2/4)');
    anna.says('ИП Штора');
    await anna.sees('(3/4)');
    anna.says('Пошив штор');
    await anna.sees('(4/4)');
    await anna.presses('Пропустить');
    await anna.sees('Проект Шторы создан.');
    await anna.presses('Меню');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('Новый проект (1/4)');
  });

  it('starts from scratch when asked to, though answers were kept', async () => {
    const anna = await inWizard();
    anna.says('Шторы');
    await anna.sees('(2/4)');
    await anna.presses('Прервать');
    await anna.presses('Создать проект');
    await anna.presses('Заново');
    await anna.sees('(1/4)');
    await anna.presses('Прервать');
    await anna.sees('Прервано: создание проекта.');
    await anna.presses('Создать проект');
    await anna.sees('(1/4)');
  });

  it.each(['/start', 'Меню'])(
    'keeps the answers of a person who leaves by %s, says so, and offers to go on',
    async (words) => {
      const anna = await inWizard();
      anna.says('Шторы');
      await anna.sees('(2/4)');
      anna.says(words);
      await anna.sees(/Ответы о проекте «Шторы» сохранены на сутки.*Главное меню/s);
      await anna.presses('Продолжить: проект «Шторы»');
      await anna.sees('(2/4)');
      anna.says('/cancel');
      await anna.sees('Создание проекта отменено.');
      anna.says('Меню');
      await anna.sees('Главное меню');
      expect(anna.labels().filter((label) => label.startsWith('Продолжить'))).toEqual([]);
      await anna.presses('Проекты');
      await anna.presses('Создать проект');
      await anna.sees('(1/4)');
    },
  );

  it('makes nothing of a question that was put aside before the first answer', async () => {
    const anna = await inWizard();
    await anna.presses('Прервать');
    await anna.sees('Прервано: создание проекта.');
    await anna.presses('Создать проект');
    await anna.sees('Новый проект (1/4)');
  });

  it('returns to the list when the person cancels, by button or by command', async () => {
    const anna = await inWizard();
    await anna.presses('Отмена');
    await anna.sees(/^Создание проекта отменено\.\n\nПроекты/);
    await anna.presses('Создать проект');
    await anna.sees('(1/4)');
    anna.says('/cancel');
    await anna.sees(/^Создание проекта отменено\./);
  });

  it('drops the wizard at /start and shows the menu', async () => {
    const anna = await inWizard();
    anna.says('/start');
    await anna.sees('Главное меню');
    anna.says('Это уже не название');
    await anna.sees(/^Не понял вас/);
  });

  it('names the current action when another command comes', async () => {
    const anna = await inWizard();
    anna.says('/help');
    await anna.sees(
      /^Вы в процессе создания проекта\. Отправьте \/cancel для отмены\n\nНовый проект \(1\/4\)/,
    );
  });

  it('asks for text when a photo, sticker, voice, video, place or contact comes', async () => {
    const anna = await inWizard();
    const { people } = bot.telegram;
    for (const send of [
      () => people.photo(anna.id, { name: 'a.png', mime: 'image/png', bytes: onePixel }),
      () => people.sticker(anna.id),
      () => people.voice(anna.id),
      () => people.video(anna.id),
      () => people.location(anna.id),
      () => people.contact(anna.id),
      () => people.document(anna.id, { name: 'a.txt', mime: 'text/plain', bytes: Buffer.from('a') }),
    ]) {
      const before = anna.messages().length;
      send();
      await expect.poll(() => anna.messages().length).toBeGreaterThanOrEqual(before + 2);
      expect(anna.screen()?.text).toMatch(
        /^Пожалуйста, отправьте текстовое сообщение\n\nНовый проект \(1\/4\)/,
      );
    }
    anna.says('Всё ещё первый шаг');
    await anna.sees('(2/4)');
  });

  it('never takes a label of the reply keyboard for an answer', async () => {
    const anna = await inWizard();
    anna.says('Меню');
    await anna.sees(/^Прервано: создание проекта\.\n\nГлавное меню/);
  });

  it('names both flows when one interrupts another', async () => {
    const anna = await inWizard();
    anna.says('Проект');
    await anna.sees('(2/4)');
    anna.says('Компания');
    await anna.sees('(3/4)');
    anna.says('Пошив штор');
    await anna.sees('(4/4)');
    await anna.presses('Пропустить');
    await anna.sees('Проект Проект создан.');
    await anna.presses('К проекту');
    await anna.presses('Данные');
    await anna.presses('Город');
    const [project] = await bot.app.sql<[{ id: number }]>`select id from projects where user_id = ${anna.id}`;
    await anna.forges(`project:${project.id}:cat_new`);
    await anna.sees(
      /^Предыдущий процесс \(изменение данных проекта\) прерван\. Начинаем создание категории\.\n\nНовая категория/,
    );
    anna.says('Написать статью'); // which has something to load before its first question
    await anna.sees(
      /^Предыдущий процесс \(создание категории\) прерван\. Начинаем создание статьи\.\n\nСтатья/,
    );
  });

  async function inWizard() {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('Новый проект (1/4)');
    return anna;
  }
});
