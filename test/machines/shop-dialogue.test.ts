import { describe, expect, it } from 'vitest';
import { freshDialogue, type MatchedRule, shopDialogueMachine } from '../../machines/shop-dialogue.ts';
import { readChart } from '../../src/charts/read-chart.ts';
import { walkFlow } from '../support/flow-walk.ts';

const free: MatchedRule = {
  ...{ id: 'delivery', version: 1, state: null, nextState: null, maxTurns: 3, captured: null },
};
const opening: MatchedRule = { ...free, id: 'returns', nextState: 'order' };
const step: MatchedRule = { ...free, id: 'order', state: 'order', nextState: 'reason' };
const last: MatchedRule = { ...step, id: 'reason', state: 'reason', nextState: 'default' };

const rules = [free, opening, { ...step, captured: { name: 'order', value: 'A-1' } }, last, null];
const presses = [
  ...rules.map((rule) => ({ type: 'message.received', rule })),
  { type: 'clock.read', at: 2_000 },
  ...['scenario.lost', 'media.refused', 'button.expired'].map((type) => ({ type })),
  ...['menu.asked', 'dialogue.cancelled', 'operator.asked'].map((type) => ({ type })),
];

describe('a dialogue with a shop', () => {
  const { stops, taken } = walkFlow(shopDialogueMachine, {
    inputs: { fresh: freshDialogue, remembered: { ...freshDialogue, misses: 1, expiresAt: 1_000 } },
    ...{ texts: {}, presses, actors: {} },
  });
  const chart = readChart(shopDialogueMachine);
  const isMessage = (type: string) => !['clock.read', 'scenario.lost', 'text.received'].includes(type);

  it('reaches every state of its chart and takes every transition that a stored dialogue can take', () => {
    expect(new Set(stops.map(({ snapshot }) => snapshot.value))).toEqual(
      new Set(['idle', 'collecting', 'escalated']),
    );
    // A deadline is written with the state, outside: here only the remembered one has it.
    const timed = /clock\.read/u;
    const missing = chart.edges.map(({ id }) => id).filter((id) => !taken.has(id) && !timed.test(id));
    expect(missing).toEqual([]);
  });

  it('answers whatever a customer does, exactly once', () => {
    const silent = stops.flatMap(({ way, steps }) =>
      steps
        .filter(({ event, next }) => isMessage(event.type) && next.context.reply === null)
        .map(({ event }) => `${way} → ${event.type}`),
    );
    expect(silent).toEqual([]);
  });

  it('has a way out of every state', () => {
    const locked = stops.filter(
      ({ steps }) => !steps.some(({ event, next }) => event.type === 'menu.asked' && next.value === 'idle'),
    );
    expect(locked.map(({ way }) => way)).toEqual([]);
  });

  it('never counts to the limit of turns without calling a person', () => {
    const tooLong = stops.filter(
      ({ snapshot: { value, context } }) => value === 'collecting' && context.turns >= context.maxTurns,
    );
    expect(tooLong.map(({ way }) => way)).toEqual([]);
  });

  it('goes on from its JSON as from itself', () => {
    for (const { steps, way } of stops)
      for (const { next, nextAfterRestore, event } of steps)
        expect(nextAfterRestore.context, `${way} → ${event.type}`).toEqual(next.context);
  });

  it('forgets what is older than its deadline, in every state', () => {
    for (const value of ['idle', 'collecting', 'escalated'] as const) {
      const context = { ...freshDialogue, state: 'order', turns: 2, expiresAt: 1_000 };
      const before = shopDialogueMachine.resolveState({ value, context });
      expect(before.can({ type: 'clock.read', at: 999 })).toBe(false);
      expect(before.can({ type: 'clock.read', at: 1_001 })).toBe(true);
    }
  });
});
