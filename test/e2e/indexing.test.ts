import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patience } from '../support/patience.ts';
import { type PlayedBot, startPlayedBot } from '../support/played-bot.ts';

type Told = { path: string; body: { host: string; key: string; keyLocation: string; urlList: string[] } };

describe('search engines', () => {
  const told: Told[] = [];
  let isDown = false;
  const engine = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    if (!isDown) told.push({ path: request.url!, body });
    response.writeHead(isDown ? 503 : 202).end();
  });
  let played: PlayedBot;
  beforeAll(async () => {
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    played = await startPlayedBot('embedded', { INDEXNOW_URL: `${url}/yandex, ${url}/common` });
  });
  afterAll(async () => {
    await played.stop();
    engine.close();
  });

  const publishes = async (anna: Awaited<ReturnType<PlayedBot['customer']>>) => {
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    const time = `${new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit' }).format()}:00`;
    const [schedule] = await played.bot.app.sql<[{ id: number }]>`
      update platform_schedules set schedule_times = ${[time]} where category_id = ${anna.categoryId} returning id`;
    const run = await played.bot.app.scheduleCalls.takeSlotCall({ schedule_id: schedule.id, time });
    expect(run).toMatchObject({ status: 'ok', kind: 'published' });
    return (run as { url: string }).url;
  };
  const jobOf = async ({ id }: { id: number }) => {
    const [job] = await played.bot.app.sql<{ status: string; result: { told: boolean } | null }[]>`
      select status, result from operations where kind = 'index-page' and user_id = ${id}`;
    return job;
  };
  /** As the process does every two seconds, only that nobody waits for a pause between two tries. */
  const work = async () => {
    await played.bot.app.sql`update operations set run_after = now() where kind = 'index-page'`;
    await played.bot.app.runJobs();
  };

  const resultOf = async (person: { id: number }) => {
    await work();
    return (await jobOf(person))?.result;
  };

  it('are told of a new article once, where the site has the key file that its settings offer', async () => {
    const anna = await played.customer();
    await anna.forges(`conn:${anna.connectionId}:wp`);
    await anna.presses('Быстрая индексация');
    await anna.sees(/файл-ключ.*должен открываться по адресу/s);
    const file = () => anna.messages().findLast(({ document }) => document)?.document?.file_name;
    await expect.poll(file).toBeDefined();
    const name = file()!;
    anna.site.change({ rootFiles: { [name]: `${name.replace('.txt', '')}\n` } });
    await anna.presses('Проверить файл');
    await anna.sees('Файл-ключ на месте');

    const url = await publishes(anna);
    isDown = true;
    await work();
    await expect.poll(async () => (await jobOf(anna))?.status, { timeout: patience(10_000) }).toBe('running');
    isDown = false;
    await expect.poll(() => resultOf(anna), { timeout: patience(20_000) }).toEqual({ told: true });
    expect(told.map(({ path }) => path).sort()).toEqual(['/common', '/yandex']);
    const [{ body }] = told as [Told];
    const key = name.replace('.txt', '');
    expect(body).toEqual({
      ...{ host: new URL(url).host, key, urlList: [url] },
      keyLocation: `${played.wordpress.addressOf(anna.path)}/${name}`,
    });
    await work();
    expect(told).toHaveLength(2);
  });

  it('hear nothing of a site without the file, and its owner nothing of that', async () => {
    told.length = 0;
    const boris = await played.customer();
    await publishes(boris);
    await expect.poll(() => resultOf(boris), { timeout: patience(20_000) }).toEqual({ told: false });
    expect(told).toEqual([]);
  });
});
