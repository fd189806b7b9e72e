import { expect } from 'vitest';
import { addProject } from '../support/accounts.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { LONG, type PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';

const answers = ['Шторы', 'ИП Штора', 'Пошив штор'];
const askedFor = (step: number) => `Новый проект (${step}/4)`;

export async function playProjectCreate(played: PlayedBot): Promise<void> {
  const { bot } = played;
  await Promise.all([
    answersBadlyFirst(),
    putsItAside(),
    changesTheirMind(),
    meetsADatabaseThatRefuses(),
    readsFromASite(bot, played.suppliers.firecrawl, inWizard),
  ]);

  async function answersBadlyFirst(): Promise<void> {
    const anna = await inWizard();
    for (const [i, good] of answers.entries()) {
      anna.says('?');
      await anna.sees(new RegExp(`^(Введите|Опишите).*\\(${i + 1}/4\\)`, 's'));
      anna.says(good);
      await anna.sees(askedFor(i + 2));
    }
    anna.says('не адрес');
    await anna.sees(/^Введите корректный URL/);
    anna.says('https://shtory.example');
    await anna.sees('Проект Шторы создан.');
    expect(await projectsOf(anna)).toEqual([{ name: 'Шторы', website: 'https://shtory.example' }]);
  }

  /** At every question, and comes back to the same one. */
  async function putsItAside(): Promise<void> {
    const anna = await inWizard();
    await anna.presses('Прервать');
    await anna.sees(/^Прервано: создание проекта\.\n\nПроекты/);
    await anna.presses('Создать проект');
    await anna.sees(askedFor(1));
    await answered(anna, answers[0]!, 2);
    for (const [i, answer] of [...answers.slice(1), null].entries()) {
      await anna.presses('Прервать');
      await anna.sees('Ответы о проекте «Шторы» сохранены на сутки');
      await anna.presses('Создать проект');
      await anna.sees('Вы начали проект «Шторы» и не закончили');
      await anna.presses('Продолжить');
      await anna.sees(askedFor(i + 2));
      if (answer !== null) await answered(anna, answer, i + 3);
    }
    await anna.presses('Пропустить');
    await anna.sees('Проект Шторы создан.');
    expect(await projectsOf(anna)).toEqual([{ name: 'Шторы', website: null }]);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await inWizard();
    for (const given of [0, 1, 2, 3]) {
      for (const [i, answer] of answers.slice(0, given).entries()) await answered(anna, answer, i + 2);
      await anna.presses('Отмена');
      await anna.sees(/^Создание проекта отменено\./);
      await anna.presses('Создать проект');
      await anna.sees(askedFor(1));
    }
    expect(await projectsOf(anna)).toEqual([]);
  }

  async function meetsADatabaseThatRefuses(): Promise<void> {
    const anna = await inWizard();
    const keepProjects = await refusing(bot.app.sql, 'projects', `new.user_id = ${anna.id}`);
    for (const [i, answer] of answers.entries()) await answered(anna, answer, i + 2);
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан, ответы сохранены в диалоге.');
    expect(anna.labels()).toEqual(['Повторить', 'Прервать', 'Отмена']);
    await anna.presses('Повторить');
    await anna.sees('Не получилось сохранить. Снова не вышло.');
    await anna.presses('Прервать');
    await anna.sees('Ответы о проекте «Шторы» сохранены на сутки');
    await anna.presses('Создать проект');
    await anna.presses('Продолжить');
    await anna.sees('Проект пока не создан');
    await anna.presses('Отмена');
    await anna.sees(/^Создание проекта отменено\./);
    await anna.presses('Создать проект');
    for (const [i, answer] of answers.entries()) await answered(anna, answer, i + 2);
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await keepProjects();
    await anna.presses('Повторить');
    await anna.sees('Проект Шторы создан.');
    expect(await projectsOf(anna)).toHaveLength(1);
  }

  async function inWizard() {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees(askedFor(1));
    return anna;
  }

  async function answered(anna: ScriptedPerson, answer: string, next: number): Promise<void> {
    anna.says(answer);
    await anna.sees(askedFor(next));
  }

  async function projectsOf({ id }: ScriptedPerson) {
    return [
      ...(await bot.app.sql`
        select name, website_url as website from projects where user_id = ${id} order by id`),
    ];
  }
}

/**
 * People who send an address instead of answers: the card, its corrections, and sites that are of no use. `goal`: what
 * leads from the menu to the question again.
 */
export async function readsFromASite(
  { app: { sql } }: PlayedBot['bot'],
  firecrawl: PlayedBot['suppliers']['firecrawl'],
  atTheQuestion: () => Promise<ScriptedPerson>,
  goal = 'Написать статью',
): Promise<void> {
  await Promise.all([correctsTheCard(), sendsBadSites(), changesTheirMind()]);

  async function correctsTheCard(): Promise<void> {
    const anna = await atTheQuestion();
    anna.says('rimskie-shtory.ru');
    await anna.sees(
      /Вот что я прочитал на rimskie-shtory\.ru.*Компания: ИП «Римские шторы».*Цвета: взял с сайта/s,
      LONG,
    );
    await anna.presses('Чем занимается');
    await anna.sees(/^Чем занимается\n\nСейчас: /);
    anna.says('?');
    await anna.sees(/^Так не подойдёт\./);
    anna.says('Пошив римских штор');
    await anna.sees('Чем занимается: Пошив римских штор');
    await anna.presses('Город');
    await anna.presses('Убрать');
    await anna.sees('Город: не указан');
    await anna.presses('Телефон');
    await anna.presses('Оставить как есть');
    await anna.sees(/Телефон: \+7 843/);
    await anna.presses(/^✓ .*: уход/);
    await anna.sees('не нужна');
    await anna.presses('Сохранить');
    await anna.sees(/Проект Римские шторы создан\.|(Статья|Пост) \(2\/5\)/, LONG);
    const [project] = await sql`
      select specialization, company_city as city, website_url as site,
        (select count(*)::integer from categories where project_id = p.id) as topics,
        (select count(*)::integer from site_brandings where project_id = p.id) as brandings
      from projects p where user_id = ${anna.id} order by id desc limit 1`;
    expect(project).toEqual({
      specialization: 'Пошив римских штор',
      city: null,
      site: 'https://rimskie-shtory.ru',
      topics: 2,
      brandings: 1,
    });
  }

  /** A site that is down, one for sale, one that gives orders; and a name that only looks like an address. */
  async function sendsBadSites(): Promise<void> {
    const anna = await atTheQuestion();
    const host = `lezhit-${anna.id}.ru`;
    firecrawl.moods.set(host, 'down');
    anna.says(host);
    await anna.sees(/^Сайт не открылся.*Ничего страшного/s, LONG);
    await anna.presses('Прочитать ещё раз');
    await anna.sees(/^Сайт не открылся.*Снова не вышло/s, LONG);
    firecrawl.moods.set('prodam-domen.ru', 'parked');
    anna.says('prodam-domen.ru');
    await anna.sees(/^По этому адресу пока заглушка/, LONG);
    firecrawl.moods.set('oak-linen.com', 'english');
    anna.says('oak-linen.com');
    await anna.sees(/Название: Oak.*Город: Казань.*Сайт не на русском/s, LONG);
    await anna.presses('Заполню сам');
    await anna.sees(/Новый проект \(1\/4\).*Адрес сайта запомнил/s);
    firecrawl.moods.set('prikazy.ru', 'injection');
    anna.says('prikazy.ru');
    await anna.sees('Вот что я прочитал на prikazy.ru', LONG);
    expect(anna.screen()?.text).not.toMatch(/казино|ВЗЛОМАНО|000-00-00/u);
    await anna.presses('Заполню сам');
    firecrawl.moods.set('Dr.Web', 'down');
    anna.says('Dr.Web');
    await anna.sees(/^Сайт не открылся/, LONG);
    anna.says('Dr.Web');
    await anna.sees('(2/4)');
    anna.says('ИП Веб');
    await anna.sees('(3/4)');
    anna.says('Ремонт компьютеров');
    await anna.sees('(4/4)');
  }

  /** At every step of it; and a site that was not read is not asked for again. */
  async function changesTheirMind(): Promise<void> {
    const anna = await atTheQuestion();
    anna.says('kukhni-na-zakaz.ru');
    await anna.sees('Вот что я прочитал', LONG);
    await anna.presses('Название');
    await anna.sees('Напишите, как правильно');
    await anna.presses('Отмена');
    await again(anna);
    anna.says('kukhni-na-zakaz.ru');
    await anna.sees('Вот что я прочитал', LONG);
    await anna.presses('Отмена');
    await again(anna);
    firecrawl.moods.set('pusto.ru', 'empty');
    anna.says('pusto.ru');
    await anna.sees(/^Сайт не открылся или на нём нет текста/, LONG);
    for (const answer of ['Пустота', 'ИП Пустота', 'Продажа воздуха']) {
      await anna.sees(/\(\d\/4\)/);
      anna.says(answer);
    }
    await anna.sees(/Проект Пустота создан|(Статья|Пост) \(2\/5\)/);
    const [project] = await sql`
      select website_url as site from projects where user_id = ${anna.id} order by id desc limit 1`;
    expect(project).toEqual({ site: 'https://pusto.ru' });
  }

  async function again(anna: ScriptedPerson): Promise<void> {
    await anna.sees(/отменено|Главное меню|(Статья|Пост) \(1\/5\)/);
    const ways = ['Создать проект', '+ Проект', goal];
    await anna.presses(ways.find((way) => anna.labels().includes(way))!);
    await anna.sees('Новый проект (1/4)');
  }
}

export async function playProjectEdit(played: PlayedBot): Promise<void> {
  const { bot, newcomer } = played;
  await Promise.all([changesAField(), meetsADatabaseThatRefuses()]);

  async function changesAField(): Promise<void> {
    const anna = await atField();
    anna.says('не почта');
    await anna.sees(/^Некорректный формат для поля E-mail/);
    anna.says('anna@shtory.example');
    await anna.sees('Поле «E-mail» сохранено.');
    expect(await emailOf(anna)).toBe('anna@shtory.example');
    await asked(anna);
    await anna.presses('Отмена');
    await anna.sees('Изменение отменено.');
    await asked(anna);
    await anna.presses('Очистить');
    await anna.sees('Поле «E-mail» очищено.');
    expect(await emailOf(anna)).toBeNull();
  }

  async function meetsADatabaseThatRefuses(): Promise<void> {
    const anna = await atField();
    const keep = await refusing(bot.app.sql, 'projects', `new.user_id = ${anna.id}`);
    anna.says('anna@shtory.example');
    await anna.sees('Прежнее значение осталось без изменений.');
    await anna.presses('Отмена');
    await anna.sees('Изменение отменено.');
    await asked(anna);
    anna.says('anna@shtory.example');
    await anna.sees('Прежнее значение осталось без изменений.');
    await keep();
    await anna.presses('Повторить');
    await anna.sees('Поле «E-mail» сохранено.');
    expect(await emailOf(anna)).toBe('anna@shtory.example');
  }

  async function atField() {
    const anna = await newcomer();
    await anna.forges(`project:${anna.projectId}:edit`);
    await asked(anna);
    return anna;
  }

  async function asked(anna: ScriptedPerson): Promise<void> {
    await anna.presses('E-mail');
    await anna.sees('Отправьте новое значение.');
  }

  async function emailOf({ projectId }: { projectId: number }) {
    const [row] = await bot.app.sql`select company_email as email from projects where id = ${projectId}`;
    return row?.email;
  }
}

export async function playCategoryCreate(played: PlayedBot): Promise<void> {
  const { bot } = played;
  const anna = await played.newcomer();
  const second = await addProject(bot, anna, 'Двери');
  await asked(anna.projectId);
  anna.says('?');
  await anna.sees(/^Введите название от 2 до 100 символов/);
  anna.says('Римские шторы');
  await anna.sees('Категория Римские шторы создана.');
  await asked(second);
  await anna.presses('Отмена');
  await anna.sees('Создание категории отменено.');

  const keep = await refusing(bot.app.sql, 'categories', `new.project_id = ${second}`);
  await asked(second);
  anna.says('Межкомнатные');
  await anna.sees('Категория пока не создана.');
  await anna.presses('Отмена');
  await anna.sees('Создание категории отменено.');
  await asked(second);
  anna.says('Межкомнатные');
  await anna.sees('Категория пока не создана.');
  await keep();
  await anna.presses('Повторить');
  await anna.sees('Категория Межкомнатные создана.');
  const made = await bot.app.sql`
    select c.name from categories c join projects p on p.id = c.project_id where p.user_id = ${anna.id} order by c.id`;
  expect(made.map(({ name }) => name)).toEqual(['Римские шторы', 'Межкомнатные']);

  async function asked(projectId: number): Promise<void> {
    await anna.forges(`project:${projectId}:cat_new`);
    await anna.sees('Новая категория');
  }
}
