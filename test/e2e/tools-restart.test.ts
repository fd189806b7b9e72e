import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { always, LONG, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { workbookOf } from '../support/workbook-of.ts';

const PHRASES = ['шторы блэкаут', 'шторы в детскую', 'шторы для кухни', 'шторы на балкон'].join('\n');
const POLL = { timeout: LONG.timeoutMs, interval: 50 };

let played: PlayedBot;
beforeAll(async () => {
  played = await startPlayedBot();
});
afterAll(() => played.stop());

/** Analysis, audit and search for phrases lose their processes in their own walks. */
it('work on a category that loses its process goes on in the next one, from every state, and is paid once', async () => {
  const { bot, models, suppliers } = played;
  const [described, redescribed, reviewed, rereviewed, grouped, enriched, priced] = [
    await inCategory('Описание', 'Пока пусто'),
    await inCategory('Описание', 'Пока пусто'),
    await inCategory('Отзывы', 'Пока пусто'),
    await inCategory('Отзывы', 'Пока пусто'),
    await inCategory('Фразы', 'Фраз пока нет'),
    await inCategory('Фразы', 'Фраз пока нет'),
    await inCategory('Цены', 'Цен пока нет'),
  ];

  await order(redescribed, 'Сгенерировать (20)');
  await redescribed.sees('Списано: 20 токенов', LONG);
  models.hold('description', redescribed.company);
  await redescribed.presses('Ещё вариант (0/2)');
  await redescribed.sees('Пишу другой вариант', LONG);

  models.hold('description', described.company);
  await order(described, 'Сгенерировать (20)');
  await described.sees('Пишу описание', LONG);

  await order(rereviewed, 'Сгенерировать образцы', '3');
  await rereviewed.sees(/★.*Списано: 30 токенов/s, LONG);
  models.hold('review', rereviewed.company);
  await rereviewed.presses('Ещё вариант (0/2)');
  await rereviewed.sees('Пишу другие отзывы', LONG);

  models.hold('review', reviewed.company);
  await order(reviewed, 'Сгенерировать образцы', '3');
  await reviewed.sees('Пишу отзывы', LONG);

  models.hold('keyword_clusters', grouped.company);
  await grouped.presses('Загрузить файл');
  grouped.uploads('фразы.txt', PHRASES, 'text/plain');
  await grouped.sees('▸ Группирую фразы', LONG);

  suppliers.dataForSeo.faults.add({ match: 'search_volume', times: always, fault: { kind: 'hang' } });
  await enriched.presses('Загрузить файл');
  enriched.uploads('фразы.txt', PHRASES, 'text/plain');
  await enriched.sees('▸ Узнаю, как часто ищут', LONG);

  await priced.presses('Excel');
  await priced.sees('колонка A — название');
  bot.telegram.faults.add({ match: 'getFile', fault: { kind: 'hang' } });
  priced.uploads('прайс.xlsx', await workbookOf(['Диван', 45_000]));
  await expect.poll(() => bot.telegram.faults.list(), POLL).toEqual([]);

  await bot.restart(0);
  played.mend();
  await bot.app.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;

  await described.sees(/Списано: 20 токенов/, LONG);
  await expect.poll(() => redescribed.labels(), POLL).toContain('Ещё вариант (1/2)');
  await reviewed.sees(/★.*Списано: 30 токенов/s, LONG);
  await expect.poll(() => rereviewed.labels(), POLL).toContain('Ещё вариант (1/2)');
  await grouped.sees(/^Готово: .*\(4 фразы\)/, LONG);
  await enriched.sees(/^Готово: .*\(4 фразы\)/, LONG);
  await priced.sees(/^Цены сохранены: 1 позиция/, LONG);
  const people = [described, redescribed, reviewed, rereviewed, grouped, enriched, priced];
  expect(await Promise.all(people.map((person) => person.balance()))).toEqual([
    1_480, 1_480, 1_470, 1_470, 1_500, 1_500, 1_500,
  ]);
  expect([...(await unbalanced(bot.app.sql))]).toEqual([]);
}, 180_000);

async function inCategory(tool: string, empty: string) {
  const anna = await played.newcomer();
  const categoryId = await addCategory(played.bot, anna.projectId, 'Шторы');
  await anna.forges(`category:${categoryId}:card`);
  await anna.presses(tool);
  await anna.sees(empty);
  return anna;
}

/** To the price by these buttons, and agreed to. */
async function order(anna: Awaited<ReturnType<typeof inCategory>>, ...labels: string[]): Promise<void> {
  for (const label of labels) await anna.presses(label);
  await anna.sees('Стоимость');
  await anna.presses('Сгенерировать');
}
