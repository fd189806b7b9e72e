import { describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace, refusal } from './a-workspace.ts';

/** A person's data and secrets, as they come in other people's words. */
const PRIVATE = {
  phone: '+7 912 345-67-89',
  shortPhone: '8 (912) 111-22-33',
  mail: 'anna.petrova@example.com',
  botToken: '123456789:AAE-abcdefghijklmnopqrstuvwxyz12345',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcDEF123',
  key: 'sk-abcdefghijklmnopqrstuvwx',
  header: 'Authorization: Bearer abc.def.ghi',
};
const words = Object.values(PRIVATE).join(', ');
const traces = [...Object.values(PRIVATE).slice(0, 6), 'abc.def.ghi'];

forEachDatabase((sql) => {
  const audit = async (id: string) => {
    const rows = await sql()`
      select error, meta from events where workspace_id = ${id}
      union all select last_error, null from deliveries where workspace_id = ${id}`;
    return JSON.stringify(rows);
  };

  describe('people and secrets are masked in the audit', () => {
    it('when a platform quotes the post in its answer', async () => {
      const { id, post, sendOne, results } = await aWorkspace(sql());
      await post('Скидки');
      const one = await sendOne();
      const raw = JSON.stringify([{ text: words, chat: { id: -1001234567890 } }]);
      const meta = { provider_message_ids: ['17'], raw, nested: { token: 'plain-secret', list: [words, 5] } };
      await results.markSent([{ ...one, providerMessageId: '17', meta }]);
      const kept = await audit(id);
      for (const trace of [...traces, 'plain-secret']) expect(kept).not.toContain(trace);
      expect(kept).toContain('-1001234567890');
      expect(kept).toContain('"17"');
    });

    it('when a post is refused by its validation', async () => {
      const { id, post } = await aWorkspace(sql());
      await post('Скидки', { refusals: { telegram: `ссылка «${words}» никуда не ведёт` } });
      const kept = await audit(id);
      for (const trace of traces) expect(kept).not.toContain(trace);
      expect(kept).toContain('никуда не ведёт');
    });

    it('when a sender names its request by them', async () => {
      const { id, workspaces } = await aWorkspace(sql());
      await workspaces.saveEndpoint(id, { endpointId: 'e1', kind: 'webhook_push', secret: `s-${id}` });
      const request = { kind: 'webhook_push', secret: `s-${id}`, body: '{}', sourceRef: words } as const;
      await workspaces.admit(request);
      expect(await workspaces.admit(request)).toMatchObject({ outcome: 'ingress_dedup_dropped' });
      const kept = await audit(id);
      for (const trace of traces) expect(kept).not.toContain(trace);
    });

    it('when an operator gives a reason', async () => {
      const { id, post, sendOne, results, operators } = await aWorkspace(sql());
      const by = { operator: 'anna', reason: `клиент просил: ${words}` };
      await post('Скидки');
      const { deliveryId, ...one } = await sendOne();
      await results.markUnknown({ deliveryId, ...one }, refusal());
      await operators.requeue(id, [deliveryId], by);
      await operators.abandon(id, [deliveryId], by);
      await operators.pauseChannel(id, 'c1', 1_000, by);
      await operators.noteConfigured(id, null, { note: words }, by);
      const kept = await audit(id);
      for (const trace of traces) expect(kept).not.toContain(trace);
      expect(kept).toContain('клиент просил');
    });
  });
});
