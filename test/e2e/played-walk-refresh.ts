import { expect } from 'vitest';
import { buysAndGoesOn } from '../support/buys.ts';
import { atThePreview, type Customer, LONG, type PlayedBot, SLOW_MS } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';

const OFFERED = 'Посмотрю, что изменилось в поиске';
const PROPOSED = 'Появилось в статье:';

/** People who renew an article that stands on their site. */
export async function playArticleRefresh(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers, wordpress } = played;
  const { sql } = bot.app;
  await Promise.all([renews(), thinksTwice(), cannotPay(), getsNothing(), waitsLong()]);

  async function renews(): Promise<void> {
    const anna = await withArticle();
    await anna.presses('Обновить статью');
    await anna.sees(OFFERED);
    await anna.presses('Отмена');
    await anna.sees('Статья осталась прежней.');
    await proposed(anna);
    anna.site.change({ applicationPasswords: false });
    await anna.presses('Обновить на сайте');
    await anna.sees(/^⚠ /, LONG);
    anna.site.change({ applicationPasswords: true });
    await anna.presses('Обновить на сайте');
    await anna.sees('Статья обновлена на том же адресе', LONG);
  }

  async function thinksTwice(): Promise<void> {
    const anna = await withArticle();
    const before = await anna.balance();
    await proposed(anna);
    const keep = await refusing(
      sql,
      'article_refreshes',
      `new.user_id = ${anna.id} and new.status = 'declined'`,
    );
    await anna.presses('Оставить как есть');
    await anna.sees(/^⚠ /);
    await keep();
    await anna.presses('Оставить как есть');
    await anna.sees(/^Статья осталась прежней\. Вернулось \d+ токенов/);
    expect(await anna.balance()).toBe(before);
    await proposed(anna);
    anna.says('/start');
    await anna.sees('Главное меню');
    await opens(anna);
    await anna.presses('Обновить статью');
    await anna.sees(PROPOSED, LONG);
    anna.says('/cancel');
    await anna.sees('Статья осталась прежней.');
    expect(await anna.balance()).toBe(before);
  }

  async function cannotPay(): Promise<void> {
    const anna = await withArticle();
    const rest = await anna.balance();
    await anna.presses('Обновить статью');
    await anna.sees(OFFERED);
    await sql`select charge_balance(${anna.id}, ${rest! - 10}, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Предложить новый вариант');
    await anna.sees(/^⚠ Недостаточно токенов/);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Обновить статью.*На балансе: 1.010 токенов/s);
  }

  async function getsNothing(): Promise<void> {
    const anna = await withArticle();
    const before = await anna.balance();
    suppliers.openRouter.moods.add({
      kind: 'fails',
      task: 'article_refresh',
      prompt: anna.company,
      times: null,
    });
    await anna.presses('Обновить статью');
    await anna.presses('Предложить новый вариант');
    await anna.sees(/^Обновить статью не получилось.*Вернулось/s, LONG);
    expect(await anna.balance()).toBe(before);
  }

  async function waitsLong(): Promise<void> {
    const anna = await withArticle();
    const release = models.hold('article_refresh', anna.company);
    await anna.presses('Обновить статью');
    await anna.presses('Предложить новый вариант');
    await anna.sees('Дольше обычного', LONG);
    release();
    await anna.sees(PROPOSED, LONG);
    const posts = `POST /${anna.path}/wp-json/wp/v2/posts`;
    wordpress.faults.add({ match: posts, fault: { kind: 'slow', ms: SLOW_MS } });
    await anna.presses('Обновить на сайте');
    await anna.sees('Сайт отвечает медленно', LONG);
    await anna.sees('Статья обновлена на том же адресе', LONG);
  }

  async function withArticle(): Promise<Customer> {
    const anna = await played.customer({ images: 0 });
    await atThePreview(anna);
    await anna.presses('Опубликовать');
    await anna.sees('Статья опубликована', LONG);
    return anna;
  }

  async function proposed(anna: Customer): Promise<void> {
    await anna.presses('Обновить статью');
    await anna.sees(OFFERED);
    await anna.presses('Предложить новый вариант');
    await anna.sees(PROPOSED, LONG);
  }

  async function opens(anna: Customer): Promise<void> {
    const [row] = await sql<[{ id: number }]>`select id from publication_logs where user_id = ${anna.id}`;
    await anna.forges(`publication:${row.id}:result`);
    await anna.sees('Статья опубликована');
  }
}
