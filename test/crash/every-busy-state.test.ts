import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type FlowId, registry } from '../../machines/registry.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { type BusyGround, type Hold, startBusyGround } from './busy-ground.ts';
import { type BusyWalk, partsOfOneWork, type Walker } from './busy-walk.ts';
import { channelWalks } from './busy-walks-channels.ts';
import { textWalks } from './busy-walks-texts.ts';
import { toolWalks } from './busy-walks-tools.ts';
import { leftovers, nothingLeft } from './leftovers.ts';

const PATIENCE_MS = patience(90_000);
/** More at once would only wait for each other. */
const AT_ONCE = 24;
const ONLY = process.env.BUSY_ONLY;

const walks = [...toolWalks, ...channelWalks, ...textWalks].filter(
  ({ flow, states }) => !ONLY || states.some((state) => new RegExp(ONLY).test(`${flow}.${state}`)),
);

/**
 * Work that is done and not noted is the one that could be done twice. `npm run soak -- kills` takes the process also from
 * those whose work has not begun.
 */
const moments: readonly Hold['when'][] = process.env.EVERY_MOMENT ? ['asked', 'done'] : ['done'];

/** Somebody in a state; without a hold, somebody whose process stays, for comparison. */
type Case = { walk: BusyWalk; hold: Hold | null };

const inAnyOrder: Case[] = walks.flatMap((walk) => [
  { walk, hold: null },
  ...walk.states.flatMap((state) => {
    const name = `${walk.flow}.${state}`;
    return (partsOfOneWork[name] ?? moments).map((when) => ({
      walk,
      hold: { flow: walk.flow, state, when },
    }));
  }),
]);

/** A model that is held for long counts as silent: those who wait for one set out last. */
const cases = inAnyOrder.toSorted(
  (a, b) => Number(a.hold?.when === 'within') - Number(b.hold?.when === 'within'),
);

it('every busy state of every flow has somebody whose process is killed in it', () => {
  const covered = [...toolWalks, ...channelWalks, ...textWalks].flatMap(({ flow, states }) =>
    states.map((state) => `${flow}.${state}`),
  );
  expect(covered.toSorted()).toEqual(busyStates().toSorted());
});

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  'a process is killed with people in every busy state of every flow (needs PostgreSQL and redis-server)',
  () => {
    let ground: BusyGround;
    const people = new Map<Case, Walker>();
    const ends = new Map<Case, End>();
    const compared = new Map<BusyWalk, Footprint[]>();

    beforeAll(async () => {
      ground = await startBusyGround();
    }, patience(120_000));
    afterAll(() => ground?.close());

    it('another one goes on with all of them', { timeout: 3 * PATIENCE_MS }, async () => {
      const failures: string[] = [];
      const walking = new Set<Case>();
      const onTheWay = () => [...walking].filter((each) => !isHeld(each));
      for (const each of cases) {
        await until(() => onTheWay().length < AT_ONCE, onTheWay);
        walking.add(each);
        void setOut(each);
      }
      await until(() => onTheWay().length === 0, onTheWay);
      await ground.kill();
      await ground.restart();
      await until(
        () => walking.size === 0,
        () => [...walking],
      );

      async function setOut(each: Case): Promise<void> {
        try {
          await walked(each);
        } catch (error) {
          failures.push(`${nameOf(each)}: ${error instanceof Error ? error.message : error}`);
        } finally {
          walking.delete(each);
        }
      }

      /** Names the people who did not arrive, with what they see. */
      async function until(isSo: () => boolean, whom: () => Case[]): Promise<void> {
        await expect
          .poll(() => failures.length > 0 || isSo(), { timeout: PATIENCE_MS, interval: 20 })
          .toBe(true)
          .catch(() => failures.push(...whom().map((each) => `${nameOf(each)} stands at: ${seenBy(each)}`)));
        expect(failures).toEqual([]);
      }

      function seenBy(each: Case): string {
        return people.get(each)?.screen()?.text?.slice(0, 200) ?? 'the way to its beginning';
      }
    });

    function isHeld(each: Case): boolean {
      const person = people.get(each);
      return each.hold !== null && person !== undefined && ground.isHeld(person.id);
    }

    it('no session is left in the middle of something', { timeout: PATIENCE_MS }, async () => {
      await expect
        .poll(() => leftovers(ground.redis), { timeout: patience(60_000), interval: 250 })
        .toEqual(nothingLeft);
    });

    it('everybody has what they would have without it, paid once, arrived once', async () => {
      const told = ([each, { footprint }]: [Case, End]) => [nameOf(each), footprint];
      const without = ([each, { step }]: [Case, End]) => [nameOf(each), compared.get(each.walk)?.[step]];
      expect(Object.fromEntries([...ends].map(told))).toEqual(Object.fromEntries([...ends].map(without)));
      expect(ends.size).toBe(cases.filter(({ hold }) => hold).length);
      expect([...(await unbalanced(ground.sql))]).toEqual([]);
    });

    async function walked(each: Case): Promise<void> {
      const { walk, hold } = each;
      let walker: Walker | null = null;
      let step = 0;
      for await (const person of walk.walk(ground)) {
        if (!walker && hold?.when === 'within')
          void ground.holdWithin(person.id, hold, 'keyword_clusters', person.company!);
        else if (!walker && hold) ground.holdAt(person.id, hold);
        walker = person;
        people.set(each, person);
        if (!hold) compared.set(walk, [...(compared.get(walk) ?? []), await footprintOf(person)]);
        else if (ground.isHeld(person.id)) {
          expect(await ground.stateOf(person.id)).not.toBe(`${hold.flow}.${hold.state}`);
          ends.set(each, { step, footprint: await footprintOf(person) });
          return;
        }
        step += 1;
      }
      if (hold) throw new Error('the walk is over, and this state was not on it');
    }

    /** What the books say of a person, and what has arrived. */
    async function footprintOf({ id, arrived }: Walker): Promise<Footprint> {
      const [row] = await ground.sql<[Omit<Footprint, 'arrived'>]>`
        select
          array(select operation_type || ' ' || amount from token_expenses
            where user_id = ${id} and amount <> 0 order by 1) as money,
          array(select platform_type || ' ' || status from publication_logs where user_id = ${id} order by 1) as sent,
          array(select status from article_previews where user_id = ${id} order by 1) as drafts,
          (select count(*)::integer from projects where user_id = ${id}) as projects,
          (select count(*)::integer from categories c join projects p on p.id = c.project_id
            where p.user_id = ${id}) as categories,
          (select count(*)::integer from platform_connections n join projects p on p.id = n.project_id
            where p.user_id = ${id}) as connections`;
      return { ...row, arrived: arrived?.() ?? 0 };
    }
  },
);

type Footprint = {
  money: string[];
  sent: string[];
  drafts: string[];
  projects: number;
  categories: number;
  connections: number;
  arrived: number;
};
type End = { step: number; footprint: Footprint };

const WHEN = { asked: 'before', within: 'in', done: 'behind' } as const;

function nameOf({ walk, hold }: Case): string {
  if (!hold) return `${walk.flow} without a kill`;
  return `${hold.flow}.${hold.state}, killed ${WHEN[hold.when]} its work`;
}

function busyStates(): string[] {
  return (Object.keys(registry) as FlowId[]).flatMap((flow) =>
    Object.entries(registry[flow].machine.states)
      .filter(([, { tags }]) => (tags as readonly string[]).includes('busy'))
      .map(([state]) => `${flow}.${state}`),
  );
}
