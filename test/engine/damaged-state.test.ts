import { describe, expect, it } from 'vitest';
import type { FlowRun } from '../../src/engine/session.ts';
import { playedMenu } from '../menu/played-menu.ts';
import { storedRuns } from '../support/flow-states.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

/**
 * What may stand in a store after a release that changed a shape and forgot the version, after a hand that wrote into
 * Redis, or after a bug: no person may be locked out by it.
 */
const runs = storedRuns().filter(({ run }) => run.snapshot.status === 'active');

type Ruin = readonly [what: string, (stored: Record<string, unknown>) => void];

const contextOf = ({ snapshot }: FlowRun) => snapshot.context as Record<string, unknown>;
const odd = (value: unknown) => (typeof value === 'object' && value !== null ? 7 : { odd: [null] });

function ruinsOf(run: FlowRun): Ruin[] {
  const change = (to: (stored: FlowRun & Record<string, unknown>) => unknown) => (stored: object) =>
    void to(stored as FlowRun & Record<string, unknown>);
  const fields = Object.keys(contextOf(run)).flatMap((key): Ruin[] => [
    [`without ${key}`, change((stored) => delete contextOf(stored)[key])],
    [`with ${key} null`, change((stored) => Object.assign(contextOf(stored), { [key]: null }))],
    [
      `with an odd ${key}`,
      change((stored) => Object.assign(contextOf(stored), { [key]: odd(contextOf(stored)[key]) })),
    ],
  ]);
  return [
    ...fields,
    ['with no context at all', change((stored) => delete stored.snapshot.context)],
    ['with an empty context', change((stored) => Object.assign(stored.snapshot, { context: {} }))],
    ['with a context that is text', change((stored) => Object.assign(stored.snapshot, { context: 'x' }))],
    ['with a version in words', change((stored) => Object.assign(stored, { version: 'one' }))],
    ['without a version', change((stored) => delete (stored as Partial<FlowRun>).version)],
    ['with half a version', change((stored) => Object.assign(stored, { version: 0.5 }))],
    ['with a version below all', change((stored) => Object.assign(stored, { version: -1 }))],
    ['without a run', change((stored) => delete (stored as Partial<FlowRun>).run)],
    ['without a status', change((stored) => delete stored.snapshot.status)],
    [
      'with children of another kind',
      change((stored) => Object.assign(stored.snapshot, { children: { x: 7 } })),
    ],
  ];
}

type Anna = ReturnType<Stage['person']>;
const deeds: [string, (anna: Anna) => Promise<unknown>][] = [
  ['/start', (anna) => anna.commands('start')],
  ['«Меню»', (anna) => anna.says('Меню')],
  ['/cancel', (anna) => anna.commands('cancel')],
  ['a text', (anna) => anna.says('Ромашка')],
  ['a press', (anna) => anna.does(pressOf({ pattern: 'fsm:cancel', params: {} }, '1'))],
];

/**
 * Every damage meets one of the deeds, taken in turn, so that each field of each flow meets all of them in one state or
 * another. `EVERY_DEED=1` tries each with each, for five times as long.
 */
const EVERY_DEED = process.env.EVERY_DEED === '1';

const cases = runs.flatMap(({ id, state, run }) =>
  ruinsOf(run).map(([what, ruin]) => ({ name: `${id}.${state} ${what}`, run, ruin })),
);

describe('stored state that is damaged', () => {
  it('is tried in every flow and state', () => {
    console.log(`${cases.length} kinds of damage in ${runs.length} states`);
    expect(cases.length).toBeGreaterThanOrEqual(150);
  });

  it.each(deeds)('leaves everybody a way to the menu who comes with %s', async (deed, act) => {
    const stage = openStage({ menu: playedMenu() });
    const bot = stage.start();
    const lockedOut: string[] = [];
    for (const [n, { name, run, ruin }] of cases.entries()) {
      if (!EVERY_DEED && deeds[n % deeds.length]?.[0] !== deed) continue;
      const userId = 1_000 + n;
      const stored = structuredClone(run);
      ruin(stored as never);
      await stage.stores(userId, stored);
      const anna = stage.person(bot, userId);
      try {
        await act(anna);
        await anna.says('Меню');
        expect(anna.sees()).toContain('Главное меню');
      } catch (error) {
        lockedOut.push(`${name}: ${(error as Error).message}`);
      }
    }
    await stage.close();
    expect(lockedOut).toEqual([]);
  });
});
