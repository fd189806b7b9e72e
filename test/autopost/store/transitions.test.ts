import { describe, expect, it } from 'vitest';
import { deliveryMachine } from '../../../machines/delivery.ts';
import { readChart } from '../../../src/charts/read-chart.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace } from './a-workspace.ts';

const chart = readChart(deliveryMachine);
const states = chart.states.map(({ name }) => name);
const drawn = new Set(chart.edges.map(({ source, target }) => `${source} > ${target}`));
const pairs = states.flatMap((from) =>
  states.filter((to) => to !== from && to !== 'new').map((to) => [from, to] as const),
);

forEachDatabase((sql) => {
  describe('the status of a delivery', () => {
    it.each(pairs)('%s > %s is allowed exactly when the chart draws it', async (from, to) => {
      const { id, post } = await aWorkspace(sql());
      const move = async () => {
        if (from === 'new') await insertAs(id, to);
        else await sql()`update deliveries set status = ${to} where workspace_id = ${id}`;
      };
      await post('Скидки на окна');
      if (from !== 'new') await putInto(id, from);
      if (drawn.has(`${from} > ${to}`)) await move();
      else
        await expect(move()).rejects.toMatchObject({
          message: 'delivery_move_refused',
          detail: `${from} > ${to}`,
        });
    });

    it('is one of the chart and no other', async () => {
      const [row] = await sql()<[{ definition: string }]>`
        select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'deliveries_status_known'`;
      const known = [...row.definition.matchAll(/'(\w+)'/gu)].map(([, name]) => name);
      expect(known.sort()).toEqual(states.filter((name) => name !== 'new').sort());
    });
  });

  async function putInto(workspaceId: string, status: string) {
    await sql().begin(async (tx) => {
      await tx`alter table deliveries disable trigger deliveries_move`;
      await tx`update deliveries set status = ${status} where workspace_id = ${workspaceId}`;
      await tx`alter table deliveries enable trigger deliveries_move`;
    });
  }

  async function insertAs(workspaceId: string, status: string) {
    await sql()`
      insert into deliveries (workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, status)
      select workspace_id, ordered_uuid(), message_id, channel_id, hash_version, content_hash, ${status}
      from deliveries where workspace_id = ${workspaceId}`;
  }
});
