import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { placeOf } from '../../src/services/ranks/check-ranks.ts';
import { drawRankPlot } from '../../src/services/ranks/rank-plot.ts';
import { PHRASE, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';

it('recognises a page whatever its scheme, www, last slash and parameters are', () => {
  const shown = ['https://other.ru/a', 'http://www.Romashka.ru/buket/?utm=1'];
  expect(placeOf('https://romashka.ru/buket', shown)).toBe(2);
  expect(placeOf('https://romashka.ru/buket-2', shown)).toBeNull();
});

describe('positions in search', () => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterEach(() => played.mend());
  afterAll(() => played.stop());
  const sql = () => played.bot.app.sql;
  const check = () => played.bot.app.houseWork.checkRanks();

  async function anArticle(anna: Awaited<ReturnType<PlayedBot['customer']>>, url: string) {
    const [row] = await sql()<[{ id: number }]>`
      insert into publication_logs (user_id, project_id, category_id, connection_id, platform_type, status, keyword,
        post_url)
      values (${anna.id}, ${anna.projectId}, ${anna.categoryId}, ${anna.connectionId}, 'wordpress', 'success',
        ${PHRASE}, ${url}) returning id`;
    return row.id;
  }

  /** What the stand-in of search shows for the phrase. */
  async function shown(): Promise<string[]> {
    const response = await fetch(`${played.suppliers.serper.url}/search`, {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox-key-of-no-value', 'content-type': 'application/json' },
      body: JSON.stringify({ q: PHRASE, num: 100, gl: 'ru', hl: 'ru' }),
    });
    const { organic } = (await response.json()) as { organic: { link: string }[] };
    return organic.map(({ link }) => link);
  }

  it('are looked up once a week, shown with a plot, and a fall of two weeks is offered for a rewrite', async () => {
    const anna = await played.customer();
    const [, , third] = await shown();
    const found = await anArticle(anna, third!);
    const lost = await anArticle(anna, 'https://nowhere.example/page');
    for (const [week, place] of [
      ['2020-01-06', 7],
      ['2020-01-13', 40],
    ] as const)
      await sql()`insert into rank_checks (publication_id, week, position) values (${lost}, ${week}, ${place})`;

    expect(await check()).toEqual({ checked: 2, falling: 1 });
    await anna.sees(/Статья теряет позиции.*7 → 40 → 100\+/s);
    const rows = await sql()<{ id: number; place: number | null }[]>`
      select id, rank_position as place from publication_logs where id in (${found}, ${lost}) order by id`;
    expect([...rows]).toEqual([
      { id: found, place: 3 },
      { id: lost, place: null },
    ]);

    expect(await check()).toEqual({ checked: 0, falling: 0 });
    expect(anna.messages().filter(({ text }) => text?.includes('теряет позиции'))).toHaveLength(1);

    await anna.presses('Написать новую');
    await anna.sees(new RegExp(`Фраза: «${PHRASE}»`));
    await anna.forges(`project:${anna.projectId}:ranks`);
    const page = await anna.sees(/Позиции в поиске.*3-е место/s);
    expect(page.photo, 'the plot').toBeDefined();
    await anna.forges(`project:${anna.projectId}:publications`);
    await anna.sees(/опубликовано, 3-е место/u);
  });

  it('wait for the next call while search does not answer', async () => {
    const anna = await played.customer();
    await anArticle(anna, 'https://romashka.ru/a');
    played.suppliers.serper.faults.add({ match: '.*', times: 9, fault: { kind: 'status', status: 500 } });
    expect(await check()).toEqual({ checked: 0, falling: 0 });
    played.mend();
    expect(await check()).toMatchObject({ checked: 1 });
  });
});

it('draws positions as a picture, the first place on top', async () => {
  const bytes = await drawRankPlot({
    title: 'Места в поиске · Ромашка',
    weeks: ['05.10', '12.10', '19.10', '26.10', '02.11'],
    lines: [
      { name: 'букет невесты', positions: [34, 21, 12, 9, 7] },
      { name: 'свадебные букеты недорого', positions: [null, 60, 45, 51, 70] },
    ],
  });
  if (process.env.KEEP_PICTURES) await writeFile(`${process.env.KEEP_PICTURES}/positions.png`, bytes);
  expect(Buffer.from(bytes.subarray(1, 4)).toString()).toBe('PNG');
});
