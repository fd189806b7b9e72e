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
