import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { patience } from '../support/patience.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { keptDeliveries } from './autopost-accounts.ts';
import { prepareGround } from './autopost-ground.ts';
import { startDispatcherProcess } from './dispatcher-process.ts';

describe('npm run dispatcher', { timeout: patience(60_000) }, () => {
  it('says in one line what it needs when there is no PostgreSQL', async () => {
    const dispatcher = startDispatcherProcess({});
    expect(await dispatcher.exited).toMatchObject({ code: 1 });
    expect(dispatcher.output().trim().split('\n')).toEqual([expect.stringContaining('DATABASE_URL')]);
  });

  it.skipIf(!inject('postgresUrl'))(
    'finishes what it is sending when it is told to stop, and leaves the rest to others (needs PostgreSQL)',
    async () => {
      const ground = await prepareGround({ url: await freshPostgresUrl(), channels: 12 });
      onTestFinished(ground.close);
      ground.slowDown(500);
      for (const text of ['Первая', 'Вторая', 'Третья']) await ground.post(text);
      const dispatcher = ground.startProcess();
      onTestFinished(dispatcher.kill);
      await vi.waitUntil(() => ground.arrivals().length > 0, { timeout: patience(30_000) });
      dispatcher.signal('SIGTERM');
      expect(await dispatcher.exited).toEqual({ code: 0, signal: null });

      const kept = await keptDeliveries(ground.sql);
      expect(new Set(kept.map(({ status }) => status))).toEqual(new Set(['sent', 'queued']));
      expect(kept.filter(({ status }) => status === 'sent')).toHaveLength(ground.arrivals().length);
    },
  );
});
