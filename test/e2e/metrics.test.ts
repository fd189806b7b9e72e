import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsHandler } from '../../src/http/metrics.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { startBot, type TestBot } from '../support/bot.ts';

const TOKEN = 'metrics-token-of-no-value';
const named = [
  ...['seo_updates_total', 'seo_update_duration_seconds_bucket', 'seo_transitions_total', 'seo_busy_work'],
  ...['seo_operations_running', 'seo_queue_age_seconds', 'seo_schedule_lag_seconds', 'seo_pool_wait_seconds'],
  ...['seo_service_up', 'seo_processes', 'nodejs_eventloop_lag_seconds'],
];

describe('/metrics', () => {
  let bot: TestBot;
  let url: string;
  let server: ReturnType<typeof createHttpServer>;
  beforeAll(async () => {
    bot = await startBot('embedded');
    server = createHttpServer([metricsHandler(TOKEN, () => bot.app.metrics())], () => undefined);
    url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/metrics`;
    const anna = bot.person();
    anna.says('/start');
    await anna.sees('ИИ пишет');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('Новый проект (1/4)');
    anna.says('Ромашка');
    await anna.sees('(2/4)');
  });
  afterAll(async () => {
    await closeServer(server);
    await bot.stop();
  });

  it('is closed without its token', async () => {
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  it('tells what the product did, in the form that Prometheus reads', async () => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/plain');
    for (const name of named) expect(text, name).toMatch(new RegExp(`^${name}[ {]`, 'mu'));
    expect(text).toMatch(/^seo_updates_total\{kind="command",outcome="applied"\} 1$/mu);
    const promtool = ['/usr/local/bin/promtool', '/usr/bin/promtool'].find((path) => existsSync(path));
    if (!promtool) return expect(process.env.CI).not.toBe('true');
    const { status, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect({ status, complaints: stderr.split('\n').filter((line) => line.startsWith('seo_')) }).toEqual({
      ...{ status, complaints: [] },
    });
    expect(stderr).not.toContain('error while linting');
  });
});
