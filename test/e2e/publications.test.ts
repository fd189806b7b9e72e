import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { ageDraft, aWaitingDraft, DRAFT_TITLE } from '../support/waiting-draft.ts';
import { aChannelConnection, aWaitingPost } from '../support/waiting-post.ts';

describe('the publications of a project', () => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterAll(() => played.stop());

  it('are none at first, and the page says what will be there', async () => {
    const anna = await played.customer();
    await atPublications(anna);
    await anna.sees(/Публикации · Кухни.*Пока пусто/s);
    expect(anna.labels()).toEqual(['Написать статью', 'К проекту']);
  });

  it('show what waits, what is out with its link, what failed and what is in doubt', async () => {
    const anna = await played.customer();
    const { sql } = played.bot.app;
    const draftId = await aWaitingDraft(sql, anna);
    await ageDraft(sql, await aWaitingDraft(sql, anna));
    const doubtful = await aWaitingDraft(sql, anna);
    await sql`update article_previews set status = 'unknown', title = 'Кухни в доме' where id = ${doubtful}`;
    await logs(anna, 'success', 'кухни белые', { url: 'https://site.example/belye' });
    await logs(anna, 'failed', 'кухни серые', { error: 'Сайт не ответил' });
    await logs(anna, 'unknown', 'кухни в доме', { key: `draft:${doubtful}:publish:0:site` });
    await atPublications(anna);
    const { text } = await anna.sees('Вашего решения ждут: 1 черновик.');
    expect(text).toContain(`${DRAFT_TITLE} — черновик, ждёт вашего решения`);
    expect(text).toContain('Кухни в доме — ответ потерялся, текст мог выйти');
    expect(text).toContain('кухни белые — опубликовано, https://site.example/belye');
    expect(text).toContain('кухни серые — не опубликовано');
    expect(text!.match(/кухни в доме/giu), 'told once').toHaveLength(1);

    await anna.presses(/кухни серые$/);
    await anna.sees(/Не опубликовано.*Причина: Сайт не ответил/s);
    expect(anna.labels()).toEqual(['Написать заново', 'К публикациям']);
    await anna.presses('К публикациям');

    await anna.presses(/кухни белые$/);
    await anna.sees(/Статья опубликована/);
    expect(anna.labels()).toContain('Открыть на сайте');
    await anna.presses('К публикациям');

    await anna.presses(/Кухни в доме$/);
    await anna.sees('если текст уже там, нажмите «Он там»');
    expect(anna.labels()).toContain('Открыть и отправить ещё раз');
    await anna.presses('К публикациям');

    await anna.presses(/с чего начать$/);
    await anna.sees('Черновик хранится сутки');
    await anna.presses('Открыть');
    await anna.sees(DRAFT_TITLE);
    expect(anna.labels()).toContain('Опубликовать');
    const taken = (final: number) => sql`
      update article_previews set details = details || ${sql.json({ final })} where id = ${draftId}`;
    await taken(230);
    await anna.forges(`draft:${draftId}:card`);
    await anna.sees(/Черновик хранится сутки\. Удалить его/);
    expect(anna.labels()).toContain('Удалить черновик');
    await taken(0);
    await anna.forges(`draft:${draftId}:card`);
    await anna.presses('Удалить — вернуть токены');
    await anna.sees(/черновик удалён\. Вернулось 230 токенов/);
  });

  it('of posts alone have no article to renew', async () => {
    const anna = await played.customer();
    await logs(anna, 'success', 'кухни белые', { url: 'https://t.me/kuhni/1', type: 'social_post' });
    await atPublications(anna);
    await anna.sees('Telegram · кухни белые — опубликовано');
    expect(anna.labels()).toEqual(['✅ Telegram · кухни белые', 'К проекту']);
    await anna.presses(/кухни белые$/);
    await anna.sees(/Пост опубликован.*По фразе «кухни белые»/s);
    expect(anna.labels()).toContain('Открыть пост');
  });

  it('let the owner of a post say whether it arrived: what sends it again at once says so', async () => {
    const anna = await played.customer();
    const { sql } = played.bot.app;
    const connectionId = await aChannelConnection(sql, anna, {
      id: -1_004_200_000_001,
      username: 'kuhni_doubt',
    });
    await aWaitingPost(sql, { ...anna, connectionId }, { status: 'unknown', place: '-1004200000001' });
    await atPublications(anna);
    await anna.presses(/^❓/);
    await anna.sees(/Посмотрите в «@kuhni_doubt», там ли пост/);
    expect(anna.labels()).toEqual([
      ...['Он там', 'Его нет — отправить ещё раз', 'Его нет — вернуть токены', 'К публикациям'],
    ]);
  });

  it('cannot be opened while they are on their way', async () => {
    const anna = await played.customer();
    const { sql } = played.bot.app;
    const draftId = await aWaitingDraft(sql, anna);
    await sql`update article_previews set status = 'publishing' where id = ${draftId}`;
    await atPublications(anna);
    await anna.presses(/^⏳/);
    await anna.sees('Результат придёт в этот чат.');
    expect(anna.labels()).toEqual(['К публикациям']);
  });

  it('of somebody else are not found', async () => {
    const [anna, boris] = [await played.customer(), await played.customer()];
    const draftId = await aWaitingDraft(played.bot.app.sql, anna);
    expect((await boris.forges(`project:${anna.projectId}:publications`))?.text).toMatch(/^Не найдено/);
    expect((await boris.forges(`draft:${draftId}:card`))?.text).toMatch(/^Не найдено/);
  });

  async function atPublications(anna: Customer): Promise<void> {
    await anna.presses('Проекты');
    await anna.presses('Кухни');
    await anna.presses('Публикации');
  }

  async function logs(
    { id, projectId, categoryId, connectionId }: Customer,
    status: string,
    keyword: string,
    {
      url = null,
      error = null,
      key = null,
      type = 'article',
      platform = type === 'article' ? 'wordpress' : 'telegram',
    }: { url?: string | null; error?: string | null; key?: string | null; type?: string; platform?: string },
  ): Promise<void> {
    await played.bot.app.sql`
      insert into publication_logs (user_id, project_id, category_id, connection_id, platform_type, content_type,
        keyword, status, post_url, error_message, operation_key)
      values (${id}, ${projectId}, ${categoryId}, ${connectionId}, ${platform}, ${type}, ${keyword}, ${status},
        ${url}, ${error}, ${key})`;
  }
});
