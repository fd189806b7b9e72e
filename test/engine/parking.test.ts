import { expect, it } from 'vitest';
import { registry } from '../../machines/registry.ts';
import { createFlows } from '../../src/engine/flows.ts';
import { createParking } from '../../src/engine/parking.ts';
import { loadFlowScreens } from '../../src/screens/load-flow-screens.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';

const flows = createFlows(registry, await loadFlowScreens());
const input = { run: 'r1', userId: 7, origin: '["nav:dashboard",{}]', answers: null };
const asking = () => flows.start('ProjectCreate', input).send({ type: 'text.received', text: 'Ромашка' });

function open() {
  const clock = { now: 1_700_000_000_000 };
  const store = createMemoryKeyValueStore();
  return { clock, store, ...createParking(store, flows, () => clock.now) };
}

it('a parked flow goes on where it stood, for as many people and keys as there are', async () => {
  const { park, list, resume } = open();
  const flow = asking();
  await park(7, 'project', flow);
  await park(7, 'other', flows.start('ProjectCreate', { ...input, run: 'r2' }));
  expect((await list(7)).map(({ key }) => key)).toEqual(['project', 'other']);
  const resumed = await resume(7, 'project');
  expect(resumed!.state).toBe(flow.state);
  expect(resumed!.run).toEqual(flow.run);
  expect(await list(8)).toEqual([]);
  expect(await resume(7, 'unknown')).toBeNull();
});

it('a later one takes the place of the earlier, and a forgotten one is gone', async () => {
  const { park, list, forget } = open();
  await park(7, 'project', flows.start('ProjectCreate', input));
  await park(7, 'project', asking());
  expect((await list(7)).map(({ run }) => run.snapshot.value)).toEqual([asking().state]);
  await forget(7, 'project');
  await forget(7, 'project');
  expect(await list(7)).toEqual([]);
});

it('is kept for a day, each from its own parking', async () => {
  const { park, list, clock } = open();
  await park(7, 'project', asking());
  clock.now += 23 * 3_600_000;
  await park(7, 'other', asking());
  clock.now += 3_600_000;
  expect((await list(7)).map(({ key }) => key)).toEqual(['other']);
});

it('that can no longer be continued is gone instead of failing', async () => {
  const { store, resume, list, clock } = open();
  const run = { flow: 'ProjectCreate', version: 1, release: 1, run: 'r1', snapshot: { value: 'nowhere' } };
  await store.set('parked:7', JSON.stringify([{ key: 'project', run, parkedAt: clock.now }]), 60);
  expect(await resume(7, 'project')).toBeNull();
  expect(await list(7)).toEqual([]);
});

it('refuses work: that ends by itself', async () => {
  const { park } = open();
  const working = ['ООО «Ромашка»', 'Доставка цветов', 'https://romashka.ru'].reduce(
    (flow, text) => flow.send({ type: 'text.received', text }),
    asking(),
  );
  expect(working.busy).toBe(true);
  await expect(park(7, 'project', working)).rejects.toThrow(TypeError);
});
