import { instance } from '@viz-js/viz';
import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { readChart } from '../../src/charts/read-chart.ts';
import { toMermaid } from '../../src/charts/to-mermaid.ts';
import { toSvg } from '../../src/charts/to-svg.ts';

const lift = createMachine({
  id: 'Lift',
  initial: 'waiting',
  on: { 'alarm:rung': '.stuck', lamp: { actions: 'blink' } },
  states: {
    waiting: {
      entry: 'openDoor',
      on: {
        called: [
          { guard: 'isNear', target: 'moving', actions: ['closeDoor', 'ring'] },
          { actions: 'apologise' },
        ],
      },
    },
    moving: {
      tags: ['busy'],
      invoke: { id: 'motor', src: 'turnMotor', onDone: 'arriving', onError: 'stuck' },
    },
    arriving: { always: [{ guard: 'isLoaded', target: 'waiting' }, { target: 'stuck' }] },
    stuck: { type: 'final' },
  },
});
const chart = readChart(lift);

describe('reading a chart', () => {
  it('tells the kinds of states apart', () => {
    expect(chart.states).toMatchObject([
      { name: 'waiting', initial: true, busy: false, passing: false, final: false, entry: ['openDoor'] },
      { name: 'moving', initial: false, busy: true, invokes: [{ id: 'motor', src: 'turnMotor' }] },
      { name: 'arriving', passing: true },
      { name: 'stuck', final: true },
    ]);
  });

  it('counts every branch as a transition of its own', () => {
    expect(chart.edges.map(({ id }) => id)).toEqual([
      '* › alarm:rung › 0',
      '* › lamp › 0',
      'waiting › called › 0',
      'waiting › called › 1',
      'moving › xstate.done.actor.motor › 0',
      'moving › xstate.error.actor.motor › 0',
      'arriving › always › 0',
      'arriving › always › 1',
    ]);
  });

  it('refuses what it would have to leave out', () => {
    const inline = createMachine({ id: 'Inline', initial: 'a', states: { a: { entry: () => {} } } });
    const nested = createMachine({
      id: 'Nested',
      initial: 'a',
      states: { a: { initial: 'b', states: { b: {} } } },
    });
    expect(() => readChart(inline)).toThrow('Inline.a has an inline function: declare it in setup()');
    expect(() => readChart(nested)).toThrow('Nested.a is compound: the states of a flow are flat');
  });
});

describe('drawing a chart', () => {
  it('writes guards in brackets, actions after a slash and actors into their state', () => {
    const mermaid = toMermaid(chart);
    expect(mermaid).toContain('waiting_ --> moving_ : called [isNear] / closeDoor, ring\n');
    expect(mermaid).toContain('waiting_ --> waiting_ : called [else] / apologise\n');
    expect(mermaid).toContain('moving_ : invoke / turnMotor\n');
    expect(mermaid).toContain('moving_ --> arriving_ : onDone\n');
    expect(mermaid).toContain('stuck_ --> [*]\n');
  });

  it('escapes what Mermaid would read as its own', () => {
    expect(toMermaid(chart)).toContain('any_state --> stuck_ : alarm#58;rung\n');
  });

  it('marks states and edges so that a page can restyle them', async () => {
    const svg = toSvg(chart, await instance());
    expect(svg).toContain('<g id="state-waiting" class="state initial">');
    expect(svg).toContain('<g id="state-moving" class="state busy">');
    expect(svg).toContain('<g id="state-stuck" class="state final">');
    expect(svg).toContain('<g class="edge" data-source="*" data-event="alarm:rung">');
  });
});
