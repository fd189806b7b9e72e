import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthHandler } from '../../src/http/health.ts';
import { houseCallHandlers } from '../../src/http/house-calls.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { houseCalls } from '../../src/services/schedules/house-calls.ts';
import { signCall } from '../../src/services/schedules/sign-call.ts';
import { deriveSigningKey } from '../../src/store/signing-key.ts';
import { allRows } from '../store/schemas/old-data.ts';
import { testKey } from '../support/article-works.ts';
import { PHRASE, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { aDraft, aPublication } from '../support/rows.ts';

const PUBLIC = 'http://localhost:3000';
const key = deriveSigningKey(testKey, 'scheduled calls').toString('base64url');

describe('what the scheduler asks of the house', () => {
  let played: PlayedBot;
  let server: ReturnType<typeof createHttpServer>;
  let own: string;
  beforeAll(async () => {
    played = await startPlayedBot();
    const { app } = played.bot;
    const health = { checkServices: app.checkServices, token: undefined, version: '2', busy: () => 0 };
    server = createHttpServer(
      [
        ...houseCallHandlers({
          isSigned: app.scheduleCalls.isSigned,
          work: app.houseWork,
          log: createLog('silent', false),
        }),
        healthHandler({ ...health, autopost: app.autopost.health }),
      ],
      (error) => {
        throw error;
      },
    );
    own = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  });
  afterAll(async () => {
    await closeServer(server);
    await played.stop();
  });

  async function call(path: string, body: object) {
    const text = JSON.stringify(body);
    const headers = { 'upstash-signature': signCall({ key, url: PUBLIC + path, body: text }) };
    const response = await fetch(own + path, { method: 'POST', headers, body: text });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it('and asks again changes nothing the second time, and says nothing twice', async () => {
    const { sql } = played.bot.app;
    const anna = await played.customer();
    await sql`select charge_balance(${anna.id}, 1450, ${`low:${anna.id}`}, 'text_generation')`;
    await aDraft(sql, {
      userId: anna.id,
      projectId: anna.projectId,
      categoryId: anna.categoryId,
      tokens: 40,
    });
    await sql`update article_previews set expires_at = now() - interval '1 hour' where user_id = ${anna.id}`;
    await aPublication(sql, { userId: anna.id, projectId: anna.projectId, url: 'https://romashka.ru/a' });
    await aPublication(sql, { userId: anna.id, projectId: anna.projectId, daysAgo: 400 });
    await sql`update publication_logs set keyword = ${PHRASE} where user_id = ${anna.id}`;
    const boris = await played.newcomer('Борис');
    await sql`update users set last_activity = now() - interval '20 days' where id = ${boris.id}`;

    const work: object[] = [];
    for (const { path, body } of houseCalls) {
      const first = await call(path, body as object);
      const [rows, messages] = [await allRows(sql), [anna, boris].map((person) => person.messages().length)];
      const second = await call(path, body as object);
      expect([first.status, second.status], path).toEqual([200, 200]);
      expect(await allRows(sql), path).toEqual(rows);
      expect(
        [anna, boris].map((person) => person.messages().length),
        path,
      ).toEqual(messages);
      work.push(first.body);
    }
    expect(work).toEqual([
      expect.objectContaining({ expired: 1, refunds: 40, logs_deleted: 1 }),
      expect.objectContaining({ checked: 1 }),
      expect.objectContaining({ type: 'low_balance', sent: 1 }),
      expect.objectContaining({ type: 'weekly_digest', sent: 1 }),
      expect.objectContaining({ type: 'reactivation', sent: 1 }),
    ]);

    const before = await allRows(sql);
    for (let i = 0; i < 2; i += 1) expect((await fetch(`${own}/api/health`)).status).toBe(200);
    expect(await allRows(sql)).toEqual(before);
  });
});
