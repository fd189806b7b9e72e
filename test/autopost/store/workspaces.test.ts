import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeMedia } from '../../../src/autopost/store/media.ts';
import { makePullSources } from '../../../src/autopost/store/pull-sources.ts';
import { makeWorkspaces } from '../../../src/autopost/store/workspaces.ts';
import { WrongPlace } from '../../../src/store/sealing.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, sealing } from './a-workspace.ts';

forEachDatabase((sql) => {
  describe('an entrance', () => {
    const anEndpoint = async (more: { ingressRps?: number; maxPayloadBytes?: number } = {}) => {
      const { id, workspaces, actions } = await aWorkspace(sql());
      const secret = randomUUID();
      await workspaces.saveEndpoint(id, { endpointId: 'main', kind: 'webhook_push', secret, ...more });
      const knock = (body: string, sourceRef: string | null = null, now = new Date()) =>
        workspaces.admit({ kind: 'webhook_push', secret, body, sourceRef, now });
      return { id, secret, workspaces, actions, knock };
    };

    it('knows its workspace by the secret alone, and keeps only the hash of it', async () => {
      const { id, secret, workspaces, knock } = await anEndpoint();
      expect(await knock('{}')).toEqual({ outcome: 'accepted', workspaceId: id, endpointId: 'main' });
      for (const [kind, given] of [
        ['bot_webhook', secret],
        ['webhook_push', 'guess'],
      ] as const) {
        expect(await workspaces.admit({ kind, secret: given, body: '{}' })).toMatchObject({
          outcome: 'unknown_endpoint',
        });
      }
      const rows = await sql()`select * from workspace_endpoints where workspace_id = ${id}`;
      expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it('turns away what is too large, too much at once, or there already', async () => {
      const { actions, knock } = await anEndpoint({ ingressRps: 2, maxPayloadBytes: 10 });
      const at = (ms: number) => new Date(1_772_442_000_000 + ms);
      const outcomes = [
        await knock('x'.repeat(11), null, at(0)),
        await knock('one', null, at(0)),
        await knock('two', null, at(1)),
        await knock('three', null, at(2)),
        await knock('two', null, at(5000)),
        await knock('two', null, at(15_000)),
        await knock('three', 'id-1', at(20_000)),
        await knock('other', 'id-1', at(80_000)),
      ].map(({ outcome }) => outcome);
      expect(outcomes).toEqual([
        'ingress_payload_rejected',
        'accepted',
        'accepted',
        'ingress_rate_limited',
        'ingress_dedup_dropped',
        'accepted',
        'accepted',
        'ingress_dedup_dropped',
      ]);
      expect((await actions()).sort()).toEqual(outcomes.filter((outcome) => outcome !== 'accepted').sort());
    });

    it('lets one of several equal requests pass when they come at once', async () => {
      const { knock } = await anEndpoint({ ingressRps: 1000 });
      const all = await Promise.all(Array.from({ length: 8 }, () => knock('same')));
      expect(all.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    });
  });

  describe('a credential', () => {
    it('is sealed at rest and opens only in its own row', async () => {
      const workspaces = makeWorkspaces(sql(), sealing);
      const [{ id }, other] = [await aWorkspace(sql()), await aWorkspace(sql())];
      await workspaces.saveCredential(id, 'bot', 'telegram', { token: '123:secret' });
      expect(await workspaces.credential(id, 'bot', 'telegram')).toEqual({ token: '123:secret' });
      expect(await workspaces.credential(id, 'bot', 'max')).toBeNull();
      const [row] = await sql()`select secret_ref from credential_bindings where workspace_id = ${id}`;
      expect(row!.secret_ref).not.toContain('secret');
      await sql()`insert into credential_bindings (workspace_id, auth_ref, platform, secret_ref)
        values (${other.id}, 'bot', 'telegram', ${row!.secret_ref})`;
      await expect(workspaces.credential(other.id, 'bot', 'telegram')).rejects.toThrow(WrongPlace);
    });
  });

  it('a source is read on when the clock is set back by a day', async () => {
    const { id, monitor } = await aWorkspace(sql());
    const sources = makePullSources(sql(), sealing);
    await sources.save(id, { sourceId: 'lenta', kind: 'rss', config: { url: 'https://news.example/rss' } });
    const held = await sources.claimDue();
    await sources.finish(held!, {}, 300_000);
    expect(await sources.claimDue()).toBeNull();
    const yesterday = new Date(Date.now() - 86_400_000);
    await monitor.releaseStale({ workspaceId: id, now: yesterday });
    const [row] = await sql()`select next_run_at as at from pull_sources where workspace_id = ${id}`;
    expect(row?.at).toEqual(yesterday);
  });

  describe('a file', () => {
    it('is kept while a message uses it, and is found again at its provider until it expires', async () => {
      const { id, post } = await aWorkspace(sql());
      const media = makeMedia(sql());
      for (const blobRef of ['used', 'left']) {
        await media.saveOrigin(id, { blobRef, originUrl: `https://files.example/${blobRef}` });
      }
      await post('', { payload: { media: [{ type: 'image', blob_ref: 'used' }] } });
      await sql()`update media_origin set last_seen_at = now() - interval '31 days' where workspace_id = ${id}`;
      await media.countReferences(id);
      const [left, ...others] = await media.collectable(id);
      expect([left?.blobRef, others]).toEqual(['left', []]);

      await media.saveBlob(id, 'used', 'max', { url: 'https://a.example/1', lifeMs: -1000 });
      expect(await media.findBlob(id, 'used', 'max')).toBeNull();
      await media.saveBlob(id, 'used', 'max', { fileId: 'f1' });
      expect(await media.findBlob(id, 'used', 'max')).toMatchObject({ fileId: 'f1' });
      expect(await media.forget(id, left!, async () => {})).toBe(true);
      expect(await media.findOrigin(id, 'left')).toBeNull();
    });

    it('that is wanted again while it is being removed as unused stays', async () => {
      const { id } = await aWorkspace(sql());
      const media = makeMedia(sql());
      const file = { blobRef: 'b', originUrl: 'shelf:b' };
      await media.saveOrigin(id, file);
      await sql()`update media_origin set last_seen_at = now() - interval '31 days' where workspace_id = ${id}`;
      const [unused] = await media.collectable(id);
      await media.saveOrigin(id, file);
      const remove = async () => {
        throw new Error('the file was removed');
      };
      expect(await media.forget(id, unused!, remove)).toBe(false);
      expect(await media.findOrigin(id, 'b')).toMatchObject(file);
    });
  });
});
