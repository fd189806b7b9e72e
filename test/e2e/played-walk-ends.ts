import { expect } from 'vitest';
import { type Customer, LONG, type PlayedBot, SLOW_MS } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';

/** Each at a preview of their own: the article as a file, as a message, and as a draft on the site. */
export async function takesTheArticle(played: PlayedBot, previewed: () => Promise<Customer>): Promise<void> {
  const { bot, wordpress } = played;
  await Promise.all([takesTheFile(), savesADraft(), comesTooLate()]);

  /** X09: asked once, final from then on, whatever is pressed afterwards. */
  async function takesTheFile(): Promise<void> {
    const anna = await previewed();
    const paid = await anna.balance();
    await anna.presses('Скачать HTML');
    await anna.sees(
      /^Скачать HTML\?.*токены за статью \(\d+\) уже не вернутся: ни при отмене, ни когда пройдут сутки/s,
    );
    await anna.presses('Не сейчас');
    await anna.sees('потом токены вернутся сами');
    await anna.presses('Скачать HTML');
    await anna.sees(/^Скачать HTML\?/);
    anna.says('/cancel');
    await anna.sees('потом токены вернутся сами');
    const keep = await refusing(
      bot.app.sql,
      'article_previews',
      `new.user_id = ${anna.id} and new.details ? 'final'`,
    );
    await anna.presses('Скачать HTML');
    await anna.presses('Да, скачать');
    await anna.sees(/^⚠ Что-то пошло не так.*потом токены вернутся сами/s);
    expect(files(anna)).toBe(0);
    await keep();

    await anna.presses('Скачать HTML');
    await anna.presses('Да, скачать');
    await anna.sees(/— файлом в этом чате.*Токены за неё больше не возвращаются/s, LONG);
    await expect.poll(() => files(anna)).toBe(1);
    await anna.presses('К черновику');
    await anna.sees('HTML у вас: токены за статью больше не возвращаются');
    expect(anna.labels()).not.toContain('Отмена — вернуть токены');

    await anna.presses('Скачать HTML');
    await anna.sees('— файлом в этом чате', LONG);
    await expect.poll(() => files(anna)).toBe(2);
    anna.says('/cancel');
    await anna.sees('HTML у вас');

    await anna.presses('Читать здесь');
    await anna.sees(/^Поменять статью/);
    expect(anna.messages().filter(({ rich_message }) => rich_message)).toHaveLength(1);
    await anna.presses('К черновику');
    await anna.sees('HTML у вас');
    await anna.presses('Читать здесь');
    await anna.sees(/^Поменять статью/);
    anna.says('/cancel');
    await anna.sees('HTML у вас');

    await anna.presses('Удалить черновик');
    await anna.sees(/^Черновик удалён\. HTML статьи остался у вас, токены за неё не возвращаются\./);
    expect(await anna.balance()).toBe(paid);
  }

  async function savesADraft(): Promise<void> {
    const anna = await previewed();
    const paid = await anna.balance();
    anna.site.change({ applicationPasswords: false });
    await anna.presses('Сохранить черновиком в WordPress');
    await anna.sees(/^⚠ Сайт не узнал пользователя/, LONG);
    anna.site.change({ applicationPasswords: true });
    const posts = `POST /${anna.path}/wp-json/wp/v2/posts`;
    wordpress.faults.add({ match: posts, fault: { kind: 'slow', ms: SLOW_MS } });
    expect(anna.labels()).toContain('Опубликовать');
    await anna.presses('Сохранить черновиком ещё раз');
    await anna.sees(/^Сохраняю черновиком «.*Обычно это до минуты/s);
    await anna.sees('Дольше обычного: сайт отвечает медленно.', LONG);
    await anna.sees(/Черновик сохранён на .*Статью никто не видит/s, LONG);
    const [post, ...more] = anna.site.posts.values();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ status: 'draft' });
    expect(anna.screen()?.reply_markup?.inline_keyboard[0]).toMatchObject([
      {
        text: 'Открыть в редакторе',
        url: expect.stringContaining(`/wp-admin/post.php?post=${post?.id}&action=edit`),
      },
    ]);
    expect(await anna.balance()).toBe(paid);
    const logged = await bot.app
      .sql`select status, as_draft from publication_logs where user_id = ${anna.id}`;
    expect([...logged]).toEqual([{ status: 'draft', as_draft: true }]);
    await anna.forges(`project:${anna.projectId}:publications`);
    await anna.sees(/🗒 .* — черновик на сайте/);
  }

  /** E18. */
  async function comesTooLate(): Promise<void> {
    for (const labels of [['Скачать HTML', 'Да, скачать'], ['Сохранить черновиком в WordPress']]) {
      const anna = await previewed();
      await bot.app
        .sql`update article_previews set expires_at = now() - interval '1 second' where user_id = ${anna.id}`;
      for (const label of labels) await anna.presses(label);
      await anna.sees(/^Предпросмотр устарел.*токены за него уже вернулись/, LONG);
      expect([files(anna), anna.site.posts.values()]).toEqual([0, []]);
      expect(await anna.balance()).toBe(1_500);
    }
  }
}

const files = (anna: Customer): number => anna.messages().filter(({ document }) => document).length;
