import { describe, expect, it } from 'vitest';
import { makeEnqueue } from '../../src/autopost/store/enqueue.ts';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { demoBots, demoChannels, demoEndpoint, demoWorkspace } from '../../src/sandbox/demo-channels.ts';
import { seedDemo } from '../../src/sandbox/seed-demo.ts';
import { sealing } from '../autopost/store/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';

const { workspaceId } = demoWorkspace;

forEachDatabase((sql) => {
  describe('the demo workspace', () => {
    it('is there from the start, with what a post needs on its way', async () => {
      const workspaces = makeWorkspaces(sql(), sealing);
      await seedDemo(sql(), workspaces);
      expect(await workspaces.credential(workspaceId, demoBots.max.authRef, 'max')).toEqual({
        token: demoBots.max.token,
      });
      const request = { kind: 'webhook_push', secret: demoEndpoint.secret, body: '{}' } as const;
      expect(await workspaces.admit(request)).toMatchObject({ outcome: 'accepted', workspaceId });

      const enqueue = makeEnqueue(sql());
      const origin = { workspaceId, endpointId: demoEndpoint.endpointId, kind: 'push' } as const;
      const untagged = demoChannels.filter(({ routeFilter }) => routeFilter === null);
      const sent = await enqueue(origin, { payload: { text: 'Без меток' } });
      expect(sent.queued).toBe(untagged.length);
      const cars = await enqueue(origin, { payload: { text: 'Про машины' }, tags: ['авто'] });
      expect(cars.queued).toBeGreaterThan(untagged.length);
    });

    it('is as `npm run autopost -- demo` would save it, channel by channel', async () => {
      const workspaces = makeWorkspaces(sql(), sealing);
      await seedDemo(sql(), workspaces);
      const seeded = await channelRows();
      for (const channel of demoChannels) {
        const { authRef } = demoBots[channel.platform];
        await workspaces.saveChannel(workspaceId, { ...channel, authRef });
      }
      expect(seeded).toHaveLength(demoChannels.length);
      expect(await channelRows()).toEqual(seeded);
    });

    it('keeps what somebody changed in it', async () => {
      const workspaces = makeWorkspaces(sql(), sealing);
      await seedDemo(sql(), workspaces);
      await sql()`update channels set title = 'Моё имя' where workspace_id = ${workspaceId} and channel_id = 'max-01'`;
      await sql()`delete from deliveries where workspace_id = ${workspaceId}`;
      await sql()`delete from channels where workspace_id = ${workspaceId} and channel_id = 'max-02'`;
      await seedDemo(sql(), workspaces);
      const rows = await channelRows();
      expect(rows).toHaveLength(demoChannels.length - 1);
      expect(rows.find((row) => row.channel_id === 'max-01')).toMatchObject({ title: 'Моё имя' });
    });
  });

  function channelRows() {
    return sql()`
      select to_jsonb(c) - 'created_at' - 'updated_at' as row, channel_id, title from channels c
      where workspace_id = ${workspaceId} order by channel_id`;
  }
});
