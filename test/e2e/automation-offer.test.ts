import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { aPoster } from './played-walk-post.ts';

const OFFER = 'Дальше бот может публиковать сам';

describe('the offer to publish by itself', () => {
  let played: PlayedBot;
  let spent = 100;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterAll(() => played.stop());
  const sql = () => played.bot.app.sql;

  type Author = Awaited<ReturnType<PlayedBot['customer']>> | Awaited<ReturnType<typeof aPoster>>;

  /** The result page of a text that this person has just published. */
  async function publishes(anna: Author, contentType = 'article') {
    spent += 10; // so that no two results look the same
    const [row] = await sql()<[{ id: number }]>`
      insert into publication_logs (user_id, project_id, category_id, connection_id, platform_type, content_type, status,
        tokens_spent)
      values (${anna.id}, ${anna.projectId}, ${anna.categoryId}, ${anna.connectionId}, 'wordpress', ${contentType},
        'success', ${spent}) returning id`;
    await anna.forges(`publication:${row.id}:result`);
    await anna.sees(new RegExp(`опубликован.*писано ${spent} `, 's'));
  }

  const isOffered = (anna: Author) => anna.messages().at(-1)?.text?.includes(OFFER) === true;

  it('stands on the first result with what it costs, and one press switches a schedule on', async () => {
    const anna = await played.customer();
    await publishes(anna);
    await anna.sees(/Три раза в неделю — до \d+ токен\S+ в неделю, по будням — до \d+/);
    await anna.presses('Пн Ср Пт 10:00');
    await anna.sees('Расписание включено');
    await publishes(anna);
    expect(isOffered(anna)).toBe(false);
    expect(anna.labels()).toContain('Автопубликация');
  });

  it('is quiet after «Позже» until the fifth text, and after a second «Позже» for good', async () => {
    const anna = await played.customer();
    await publishes(anna);
    await anna.presses('Позже');
    await anna.sees(/Хорошо, пока вручную/);
    expect(isOffered(anna)).toBe(false);
    for (const nth of [2, 3, 4, 5, 6]) {
      await publishes(anna);
      expect([nth, isOffered(anna)]).toEqual([nth, nth === 5]);
      if (nth === 5) await anna.presses('Позже');
    }
  });

  it('is joined by a hint behind the first and the third text, once each, and only at what is missing', async () => {
    const anna = await played.customer();
    await publishes(anna);
    expect(anna.screen()?.text).toContain('У категории нет описания');
    expect(anna.labels().filter((label) => label === 'Позже')).toHaveLength(1);
    await anna.presses('Позже');
    await anna.sees(/Хорошо, пока вручную/);
    expect(anna.labels(), 'put off together with the schedule').not.toContain('Добавить описание');
    await publishes(anna);
    expect(anna.screen()?.text).not.toContain('Подсказка');
    await publishes(anna, 'social_post');
    expect(anna.screen()?.text).toContain('У категории нет цен');
    await anna.presses('Добавить цены');
    await anna.sees(/цен/i);
    const [third] = await sql()<[{ id: number }]>`
      select max(id) as id from publication_logs where user_id = ${anna.id}`;
    await sql()`update categories set prices = 'Кухня — 100000' where id = ${anna.categoryId}`;
    await anna.forges(`publication:${third.id}:result`);
    await anna.sees('опубликован');
    expect(anna.labels()).not.toContain('Добавить цены');

    const boris = await played.customer();
    await sql()`update categories set description = 'Кухни по размерам' where id = ${boris.categoryId}`;
    await publishes(boris);
    expect(boris.labels()).not.toContain('Добавить описание');
    await sql()`insert into notices (user_id, kind) values (${boris.id}, 'automation:1')`;
    for (const _ of ['second', 'third']) await publishes(boris);
    await boris.presses('Позже');
    await boris.sees(/^Хорошо\. Описание и цены/);
    expect(boris.labels()).not.toContain('Добавить цены');
  });

  it('stands behind a post as well, and is the same when the page is opened again', async () => {
    const anna = await aPoster(played);
    await publishes(anna, 'social_post');
    expect(isOffered(anna)).toBe(true);
    await anna.presses('Выбрать дни и часы');
    await anna.sees(/дн/i);
    await anna.presses('Отмена');
    const [first] = await sql()<[{ id: number }]>`select id from publication_logs where user_id = ${anna.id}`;
    await anna.forges(`publication:${first.id}:result`);
    await anna.sees(OFFER);
  });
});
