import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assign, setup } from 'xstate';
import type { FlowRegistry, Migration } from '../../machines/flow-entry.ts';
import type { Cancelled, FlowInput, TextReceived } from '../../machines/flow-input.ts';
import { createFlows } from '../../src/engine/flows.ts';
import { NewerState, NotApplied } from '../../src/engine/not-applied.ts';
import type { FlowRun } from '../../src/engine/session.ts';
import { UnusableFlow } from '../../src/engine/unusable-flow.ts';
import type { AnyFlowScreens } from '../../src/screens/kit/flow-screens.ts';
import { to } from '../../src/screens/kit/link.ts';
import { rich } from '../../src/screens/kit/screen.ts';
import { storedRuns } from '../support/flow-states.ts';
import { openStage, type Stage } from './stage.ts';

/** A bot of its own: nothing of the product. Version 1 called the wish `what`, version 2 kept it in a list. */
const orderMachine = setup({
  types: {} as {
    context: FlowInput & { wishes: string[]; count: number };
    events: TextReceived | Cancelled;
    input: FlowInput;
  },
  actions: { addWish: assign({ wishes: ({ context }, p: { text: string }) => [...context.wishes, p.text] }) },
}).createMachine({
  id: 'Order',
  context: ({ input }) => ({ ...input, wishes: [], count: 1 }),
  initial: 'wish',
  states: {
    wish: {
      on: {
        'text.received': { actions: { type: 'addWish', params: ({ event }) => event } },
        cancelled: 'cancelled',
      },
    },
    cancelled: { type: 'final' },
  },
});

const screens = {
  Order: {
    title: 'заказ',
    titleGenitive: 'заказа',
    states: {
      wish: (context) => ({
        text: rich`${(context as { wishes: string[] }).wishes.join(', ')}`,
        keyboard: [],
      }),
      cancelled: () => ({ open: to('shop:home') }),
    },
    presses: [],
  } satisfies AnyFlowScreens,
};

const toList: Migration = ({ state, context: { what, ...context } }) =>
  state === 'colour' ? null : { state, context: { ...context, wishes: [what] } };
const withCount: Migration = ({ state, context }) => ({ state, context: { ...context, count: 1 } });
const registry = { Order: { machine: orderMachine, version: 3, migrate: { 1: toList, 2: withCount } } };

const stored = (version: number, value: string, context: object, more: object = {}): FlowRun => ({
  flow: 'Order',
  version,
  release: 0,
  run: 'r',
  snapshot: {
    status: 'active',
    value,
    context: { run: 'r', userId: 7, origin: '', ...context },
    children: {},
  },
  ...more,
});

describe('a run that was stored by an earlier version', () => {
  const flows = createFlows(registry satisfies FlowRegistry, screens);

  it('is carried forward version by version, and stored as the present one', () => {
    const flow = flows.restore(stored(1, 'wish', { what: 'розы' }));
    expect(flow.screen()).toMatchObject({ text: [{ value: 'розы' }] });
    expect(flow.run).toMatchObject({ version: 3, snapshot: { context: { wishes: ['розы'], count: 1 } } });
    expect(flow.run.snapshot.context).not.toHaveProperty('what');
  });

  it('begins with the migration of its own version', () => {
    expect(flows.restore(stored(2, 'wish', { wishes: ['мак'] })).run.snapshot.context).toMatchObject({
      wishes: ['мак'],
      count: 1,
    });
  });

  it.each([
    ['whose state ended with that version', stored(1, 'colour', { what: 'розы' }), /ends in "colour"/],
    ['of a version that has no way forward', stored(0, 'wish', {}), /version 0 has no way/],
    ['of a flow that is no more', stored(1, 'wish', {}, { flow: 'Horoscope' }), /unknown flow/],
    ['without a context to migrate', stored(1, 'wish', {}, { snapshot: {} }), /without a state or a context/],
  ])('%s ends politely', (_, run, reason) => {
    expect(() => flows.restore(run)).toThrow(UnusableFlow);
    expect(() => flows.restore(run)).toThrow(reason);
  });

  it('ends politely when its migration fails', () => {
    const broken = createFlows(
      { Order: { machine: orderMachine, version: 2, migrate: { 1: () => JSON.parse('{') } } },
      screens,
    );
    expect(() => broken.restore(stored(1, 'wish', {}))).toThrow(UnusableFlow);
  });

  it.each([
    ['version', stored(4, 'wish', {})],
    ['flow', stored(1, 'wish', {}, { flow: 'Bouquet', release: 99 })],
  ])('is not this process’s when its %s is newer', (_, run) => {
    expect(() => flows.restore(run)).toThrow(NewerState);
    expect(flows.isNewer(run)).toBe(true);
  });
});

describe('a session of a later release', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = openStage();
  });
  afterEach(() => stage.close());

  const { run } = storedRuns()[0]!;
  const newer: [string, () => Promise<void>][] = [
    ['in a newer version of its flow', () => stage.stores(7, { ...run, version: 99 })],
    ['in a flow that is not known yet', () => stage.stores(7, { ...run, flow: 'Bouquet', release: 999 })],
    ['of a newer shape', () => stage.storesText(7, JSON.stringify({ shape: 99, somethingElse: true }))],
  ];

  it.each(newer)('%s is left to another process: the update is refused', async (_, store) => {
    await store();
    const before = await stage.store.peek(7);
    const anna = stage.person(stage.start());
    for (const act of [() => anna.says('Ромашка'), () => anna.commands('start'), () => anna.says('Меню')])
      await expect(act()).rejects.toThrow(NotApplied);
    expect(await stage.store.peek(7)).toBe(before);
    expect(stage.shows).toEqual([]);
  });

  it('is left alone by the sweep, too', async () => {
    await stage.stores(7, { ...run, version: 99 }, { dueAt: stage.clock.now });
    const before = await stage.store.peek(7);
    await stage.start().sweeps();
    expect(await stage.store.peek(7)).toBe(before);
    expect(stage.shows).toEqual([]);
    expect(stage.log.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('that works in the background is left there, and not told of as over', async () => {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await stage.storesBehind(7, { ...run, version: 99 });
    await anna.presses('Проекты');
    expect(anna.sees()).toBe('Проекты');
    expect((await stage.session()).background).toMatchObject([{ version: 99 }]);
  });
});
