import { expect } from 'vitest';
import { addProject } from '../support/accounts.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { LONG, type PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';
import { readsFromASite } from './played-walk-projects.ts';

/** A pipeline, as people meet it at the steps that both have. */
export type PipelineWay = {
  /** The button in the menu. */
  goal: string;
  /** Its steps are called «Статья (1/5)». */
  title: string;
  /** What the second step asks for. */
  place: string;
  resume: RegExp;
  /** So many phrases are sought without asking. */
  phrases: number;
};

type People = {
  /** With one project, a place to publish to and a topic in which nothing is missing. */
  ready(): Promise<ScriptedPerson>;
  /** With one project and no topic. */
  withoutTopic(): Promise<ScriptedPerson>;
  /** From the second step on to the topic, unless the place was taken without a word. */
  passesPlace?(anna: ScriptedPerson): Promise<unknown>;
};

const ANSWERS = ['Шторы', 'ИП Штора', 'Пошив штор на заказ'];

/** What people do at these steps, each a few presses long. */
export function pipelineSteps(
  { bot }: Pick<PlayedBot, 'bot'>,
  { goal, title, resume, phrases }: PipelineWay,
) {
  const { sql } = bot.app;
  return {
    begins,
    atTheFirstQuestion,
    leaves,
    comesBack,
    turns,
    answers,
    answersBadlyFirst,
    findsPhrases,
    choosesATopic,
  };

  async function begins(anna: ScriptedPerson): Promise<void> {
    anna.says('/start');
    await anna.sees('Главное меню');
    await anna.presses(goal);
  }

  /** A newcomer, of whom nothing is known. */
  async function atTheFirstQuestion(): Promise<ScriptedPerson> {
    const anna = bot.person();
    anna.says('/start');
    await anna.presses(goal);
    await anna.sees('Новый проект (1/4)');
    return anna;
  }

  async function leaves(anna: ScriptedPerson): Promise<void> {
    anna.says('Меню');
    await anna.sees('Главное меню');
  }

  /** A look at the menu, and back to where the pipeline looks at everything anew. */
  async function comesBack(anna: ScriptedPerson, where: string): Promise<void> {
    await leaves(anna);
    await anna.presses(resume);
    await anna.sees(where);
  }

  /** The keyboard is another one before it is pressed. */
  async function turns(anna: ScriptedPerson): Promise<void> {
    await anna.presses('▶');
    await expect.poll(() => anna.labels(), { timeout: 30_000 }).toContain('2/2');
  }

  /** The first so many answers about a new project. */
  async function answers(anna: ScriptedPerson, count: number): Promise<void> {
    await anna.sees('(1/4)');
    for (const [i, answer] of ANSWERS.slice(0, count).entries()) {
      anna.says(answer);
      await anna.sees(`(${i + 2}/4)`);
    }
  }

  /** To every question about a new project, up to its address. */
  async function answersBadlyFirst(anna: ScriptedPerson): Promise<void> {
    for (const [i, answer] of ANSWERS.entries()) {
      await anna.sees(`Новый проект (${i + 1}/4)`);
      anna.says('?');
      await anna.sees(new RegExp(`^(Введите|Опишите).*\\(${i + 1}/4\\)`, 's'));
      anna.says(answer);
    }
    await anna.sees('Новый проект (4/4)');
    anna.says('не адрес');
    await anna.sees(/^Введите корректный URL/);
  }

  /** At the checklist of a topic that has none; on to the price, and once away from it and back. */
  async function findsPhrases(anna: ScriptedPerson, price: RegExp): Promise<void> {
    await anna.presses(`Подобрать фразы (${phrases})`);
    await anna.sees('(2/3)');
    anna.says('Казань');
    await anna.sees(/Готово: .*✓ Фразы/s, LONG);
    await anna.presses('Дальше');
    await anna.sees(price);
    await anna.presses('Отмена');
    await anna.sees(/^Вы уверены\? Прогресс сохранится\./);
    await anna.presses('Продолжить');
    await anna.sees('стоимость');
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Дальше');
    await anna.sees('стоимость');
  }

  /** Among more than a page of them; ends at the second step of the same project. */
  async function choosesATopic(boris: ScriptedPerson): Promise<void> {
    await boris.presses('+ Категория');
    await boris.sees('О чём будем писать');
    await boris.presses('Отмена');
    await boris.sees('О чём пишем?');
    const keep = await refusing(sql, 'categories', `new.name = 'Полки ${boris.id}'`);
    await boris.presses('+ Категория');
    boris.says(`Полки ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await boris.presses('Отмена');
    await boris.sees('О чём пишем?');
    await keep();
    await comesBack(boris, 'О чём пишем?');
    await turns(boris);
    await boris.presses('Кухни на заказ');
    await boris.sees('стоимость');
    await boris.presses('Другая категория');
    await boris.sees(`${title} (3/5)`);
    await boris.presses('Другой проект');
    await boris.sees(`${title} (1/5)`);
    await boris.presses('Кухни');
    await boris.sees(`${title} (2/5)`);
  }
}

/** People at the project and the topic of a pipeline, whichever it is. */
export async function playPipelineSteps(
  played: PlayedBot,
  way: PipelineWay,
  { ready, withoutTopic, passesPlace = async () => undefined }: People,
): Promise<void> {
  const { bot, suppliers } = played;
  const { sql } = bot.app;
  const { goal, title, place } = way;
  const { begins, atTheFirstQuestion, turns, answers } = pipelineSteps(played, way);
  await Promise.all([
    choosesAProject(),
    changesTheirMind(),
    changesTheirMindAboutTheTopic(),
    meetsADatabaseThatRefuses(),
    readsFromASite(bot, suppliers.firecrawl, atTheFirstQuestion, goal),
    readsASecondSite(),
  ]);

  async function choosesAProject(): Promise<void> {
    const anna = await ready();
    const projects = [];
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) projects.push(await addProject(bot, anna, `Проект ${n}`));
    await begins(anna);
    await anna.sees(`${title} (1/5) — проект`);
    await turns(anna);
    await anna.presses('Кухни');
    await anna.sees('стоимость');
    await anna.presses('Другой проект');
    await anna.sees(`${title} (1/5)`);
    for (const n of [0, 1, 2, 3]) {
      await anna.presses('+ Проект');
      await answers(anna, n);
      await anna.presses('Отмена');
      await anna.sees(`${title} (1/5)`);
    }
    await anna.presses('+ Проект');
    await answers(anna, 3);
    anna.says('https://dveri.example');
    await anna.sees(`${title} (2/5) — ${place}`);
    await anna.presses('Другой проект');
    await sql`delete from projects where id = ${projects[7]!}`;
    await anna.presses('Проект 8');
    await anna.sees(new RegExp(`^Этого проекта больше нет: выберите другой\\..*${title} \\(1/5\\)`, 's'));
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
  }

  async function changesTheirMind(): Promise<void> {
    const anna = bot.person();
    anna.says('/start');
    await anna.sees('ИИ пишет');
    for (const n of [0, 1, 2, 3]) {
      await anna.presses(goal);
      await answers(anna, n);
      await anna.presses('Отмена');
      await anna.sees('Главное меню');
    }
    const keep = await refusing(sql, 'projects', `new.user_id = ${anna.id}`);
    await anna.presses(goal);
    await answers(anna, 3);
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await anna.presses('Отмена');
    await anna.sees('Главное меню');
    await keep();
  }

  async function changesTheirMindAboutTheTopic(): Promise<void> {
    const boris = await withoutTopic();
    await begins(boris);
    await passesPlace(boris);
    await boris.sees('О чём будем писать');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    const keep = await refusing(sql, 'categories', `new.name = 'Полки ${boris.id}'`);
    await boris.presses(goal);
    await passesPlace(boris);
    await boris.sees('О чём будем писать');
    boris.says(`Полки ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await boris.presses('Отмена');
    await boris.sees('Главное меню');
    await keep();
  }

  async function meetsADatabaseThatRefuses(): Promise<void> {
    const anna = await atTheFirstQuestion();
    const keepProjects = await refusing(sql, 'projects', `new.user_id = ${anna.id}`);
    await answers(anna, 3);
    await anna.presses('Пропустить');
    await anna.sees('Проект пока не создан');
    await keepProjects();
    await anna.presses('Повторить');
    await anna.sees(`${title} (2/5)`);

    const boris = await withoutTopic();
    const keepCategories = await refusing(sql, 'categories', `new.name = 'Тюль ${boris.id}'`);
    await begins(boris);
    await passesPlace(boris);
    await boris.sees('О чём будем писать');
    boris.says(`Тюль ${boris.id}`);
    await boris.sees('Категория пока не создана.');
    await keepCategories();
    await boris.presses('Повторить');
    await boris.sees('готовность');
  }

  /** Beside a project that is there already. */
  async function readsASecondSite(): Promise<void> {
    const anna = await played.newcomer();
    await addProject(bot, anna, 'Полки');
    await begins(anna);
    await anna.presses('+ Проект');
    anna.says('kukhni-na-zakaz.ru');
    await anna.sees('Вот что я прочитал', LONG);
    await anna.presses('Отмена');
    await anna.sees(`${title} (1/5)`);
    await anna.presses('+ Проект');
    anna.says('kukhni-na-zakaz.ru');
    await anna.sees('Вот что я прочитал', LONG);
    await anna.presses('Телефон');
    await anna.sees('Напишите, как правильно');
    await anna.presses('Отмена');
    await anna.sees(`${title} (1/5)`);
  }
}

/**
 * The pipeline's first step fails because a table is missing. All people share that table, so no other walk may run at
 * the same time. Returns how to take the table away again and how to bring it back.
 */
export async function meetsMissingTable(
  { bot }: PlayedBot,
  anna: ScriptedPerson,
  { goal }: PipelineWay,
): Promise<{ hide(): Promise<unknown>; show(): Promise<unknown> }> {
  const hide = async () => bot.app.sql`alter table platform_content_overrides rename to hidden_overrides`;
  const show = async () => bot.app.sql`alter table hidden_overrides rename to platform_content_overrides`;
  await hide();
  anna.says('/start');
  await anna.presses(goal);
  await anna.sees('Ничего не потеряно.');
  await anna.presses('Отмена');
  await anna.sees('Главное меню');
  await anna.presses(goal);
  await anna.sees('Ничего не потеряно.');
  await show();
  await anna.presses('Повторить');
  await anna.sees('стоимость');
  return { hide, show };
}
