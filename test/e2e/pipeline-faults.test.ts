import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import {
  always,
  type Customer,
  LONG,
  type PlayedBot,
  seesPreview,
  startPlayedBot,
} from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { aPoster, type Poster } from './played-walk-post.ts';
import { THE_POST } from './played-walk-post-work.ts';

let played: PlayedBot;
beforeAll(async () => {
  played = await startPlayedBot();
});
afterAll(() => played.stop());

type Person = Customer | Poster;
/** Both pipelines, at the price, with nothing missing. */
const pipelines = [
  {
    name: 'article',
    goal: 'Написать статью',
    create: 'Создать статью',
    price: 200,
    person: async (): Promise<Person> => described(await played.customer({ images: 0 })),
    seesText: seesPreview,
  },
  {
    name: 'post',
    goal: 'Опубликовать пост',
    create: 'Создать пост',
    price: 10,
    person: async (): Promise<Person> => described(await aPoster(played, { images: 0 })),
    seesText: (person: Person) => person.sees(THE_POST, LONG),
  },
] as const;

describe.each(pipelines)('somebody at the price of the $name pipeline', (way) => {
  const { create, price } = way;

  it('whose project is deleted in another window is told, and pays nothing', async () => {
    const anna = await atThePrice(way);
    await played.bot.app.sql`delete from projects where id = ${anna.projectId}`;
    await anna.presses(create);
    await anna.sees(/больше нет/, LONG);
    expect(anna.labels().length, 'a way on').toBeGreaterThan(0);
    expect(await anna.balance()).toBe(1_500);
  });

  it('whose category is deleted in another window is told, and pays nothing', async () => {
    const anna = await atThePrice(way);
    await played.bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    await anna.presses(create);
    await anna.sees(/больше нет/, LONG);
    expect(anna.labels().length, 'a way on').toBeGreaterThan(0);
    expect(await anna.balance()).toBe(1_500);
  });

  it('whose channel or site is disconnected in another window is told so, and pays for nothing but a text', async () => {
    const anna = await atThePrice(way);
    await played.bot.app.sql`delete from platform_connections where id = ${anna.connectionId}`;
    await anna.presses(create);
    if (way.name === 'article') {
      await way.seesText(anna);
      await anna.presses('Опубликовать');
    }
    await anna.sees(way.name === 'article' ? /Подключение к сайту удалено/ : /Подключение канала удалено/, {
      timeoutMs: 20_000,
    });
    expect(await anna.balance()).toBe(way.name === 'article' ? 1_500 - price : 1_500);
  });

  it('whose tokens are spent elsewhere is told what is missing, and nothing is written', async () => {
    const anna = await atThePrice(way);
    await played.bot.app.sql`select charge_balance(${anna.id}, 1495, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses(create);
    await anna.sees(new RegExp(`Недостаточно токенов\\. Нужно ${price}, у вас 5\\.`), LONG);
    expect(await anna.balance()).toBe(5);
  });

  it('who presses on two devices at once pays once and gets one text (E13)', async () => {
    const anna = await atThePrice(way);
    const press = anna.dataOf(create);
    await Promise.all([anna.forges(press), anna.forges(press)]);
    await way.seesText(anna);
    expect(await anna.balance()).toBe(1_500 - price);
    const drafts = await played.bot.app.sql`select 1 from article_previews where user_id = ${anna.id}`;
    expect(drafts.count).toBe(1);
  });
});

/** Those that are over at once; a time limit is every client's own test. */
const faults: readonly FaultRule['fault'][] = [
  { kind: 'status', status: 401 },
  { kind: 'status', status: 429, retryAfter: 0 },
  { kind: 'status', status: 500 },
  { kind: 'reset' },
  { kind: 'reset-after' },
  { kind: 'malformed' },
  { kind: 'truncated' },
];

describe.each(faults)('while suppliers fail with $kind $status', (fault) => {
  const [articles] = pipelines;

  it('an article is written without search, pages and preview, or its price comes back', async () => {
    const { serper, firecrawl, dataForSeo, telegraph } = played.suppliers;
    const anna = await atThePrice(articles);
    for (const supplier of [serper, firecrawl, dataForSeo, telegraph])
      supplier.faults.add({ match: '.', times: always, fault });
    await anna.presses('Создать статью');
    await anna.sees(/Черновик хранится 24 часа|^Статья не получилась.*Вернулось 200 токенов/s, LONG);
    played.mend();
    const isWritten = anna.screen()?.text?.includes('Черновик хранится 24 часа');
    expect(await anna.balance()).toBe(isWritten ? 1_300 : 1_500);
  });

  it('no model answers, and every token comes back', async () => {
    const anna = await atThePrice(articles);
    played.suppliers.openRouter.faults.add({ match: '.', times: always, fault });
    await anna.presses('Создать статью');
    await anna.sees(/^Статья не получилась.*Вернулось 200 токенов/s, LONG);
    played.mend();
    expect(await anna.balance()).toBe(1_500);
    expect(anna.labels()).toContain('Ещё раз');
  });
});

it('leaves every balance as the ledger says', async () => {
  expect([...(await unbalanced(played.bot.app.sql))]).toEqual([]);
});

async function atThePrice({ person, goal }: (typeof pipelines)[number]): Promise<Person> {
  const anna = await person();
  anna.says('/start');
  await anna.sees('Главное меню');
  await anna.presses(goal);
  await anna.sees('стоимость', LONG);
  return anna;
}

/** With a description: nothing is missing before the price. */
async function described<Somebody extends Person>(anna: Somebody): Promise<Somebody> {
  await played.bot.app
    .sql`update categories set description = 'Кухни по размерам' where id = ${anna.categoryId}`;
  return anna;
}
