import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type AnyMachineSnapshot, type AnyStateMachine, transition } from 'xstate';
import type { Failure } from '../machines/failure.ts';
import { type FlowId, registry } from '../machines/registry.ts';
import { readChart } from '../src/charts/read-chart.ts';
import type { Link } from '../src/screens/kit/link.ts';
import { type Button, isRedirect } from '../src/screens/kit/screen.ts';
import { loadFlowScreens } from '../src/screens/load-flow-screens.ts';
import { flowSamples } from './support/flow-events.ts';
import { type AnySamples, memoized, type Stop, sampleEvents, walkFlow } from './support/flow-walk.ts';
import { bytesOf, mostBytes } from './support/session-size.ts';

const flowScreens = await loadFlowScreens();

/** Where a button or a finished flow may lead besides the flow itself: the pages of the menu. */
const knownRoutes = [
  /^(nav|pipeline|project|category|page|help|conn|draft|post|publication|kw|desc|review|prices|rival|trainer):/u,
  /^pc:(resume|new|pause)$/u,
  /^noop$/u,
  /^sched:\{cid\}:\{nid\}:/u,
];
const isKnownRoute = ({ pattern }: Link) => knownRoutes.some((route) => route.test(pattern));

const LONGEST_LABEL = 60;

/** A failed look around is forgotten before the next: the same step also carries failures of other work. */
const UNMARKED = ['stock_unknown'];

describe.each(Object.keys(registry) as FlowId[])('%s', (id) => {
  const { machine } = registry[id];
  const samples: AnySamples = flowSamples[id];
  const screens = flowScreens[id];
  const chart = readChart(machine);
  const { stops, taken } = walkFlow(machine, samples);
  const screenOf = memoized(drawn);
  const stopsWith = (finds: (stop: Stop) => unknown) => stops.filter(finds).map(({ way }) => way);

  it('has a sample of every event of its chart', () => {
    const named = chart.states.flatMap(({ name }) => sampleEvents(machine, samples)({ value: name }));
    const types = new Set(named.map(({ type }) => type));
    expect(
      chart.edges.filter(({ event }) => event !== '' && !types.has(event)).map((edge) => edge.id),
    ).toEqual([]);
  });

  it('reaches every state, and rests in none that is only passed through', () => {
    const rested = new Set(stops.map(({ snapshot }) => snapshot.value));
    expect([...rested].sort()).toEqual(
      chart.states
        .filter(({ passing }) => !passing)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('takes every transition', () => {
    const ids = chart.edges.map((edge) => edge.id);
    console.log(`${id}: ${ids.filter((edge) => taken.has(edge)).length}/${ids.length} transitions`);
    expect([...taken].sort()).toEqual([...ids].sort());
  });

  it('shows a screen wherever it rests', () => {
    for (const { snapshot, way } of stops) {
      const screen = screenOf(snapshot);
      const text = isRedirect(screen) ? screen.notice : screen.text;
      expect(text?.length === 0, `${way}: an empty text`).toBe(false);
    }
  });

  it('shows only buttons that do something', () => {
    const dead = stops.flatMap(({ snapshot, way }) =>
      linksOf(snapshot)
        .filter((link) => {
          const event = eventOf(link);
          return event ? !snapshot.can(event) : !isKnownRoute(link);
        })
        .map(({ pattern }) => `${way}: ${pattern}`),
    );
    expect(dead).toEqual([]);
  });

  it('answers no button that no screen shows', () => {
    const shown = new Set(stops.flatMap(({ snapshot }) => linksOf(snapshot).map(({ pattern }) => pattern)));
    expect(screens.presses.map(({ pattern }) => pattern).filter((pattern) => !shown.has(pattern))).toEqual(
      [],
    );
  });

  it('tells a person who has left only of pages: a button of a flow that is over would be dead', () => {
    const dead = stops.flatMap(({ snapshot, way }) => {
      const behind = screens.behind?.[String(snapshot.value)]?.(snapshot.context);
      const links = behind?.keyboard.flat().flatMap((each) => ('link' in each ? each.link : [])) ?? [];
      return links.filter((link) => eventOf(link)).map(({ pattern }) => `${way}: ${pattern}`);
    });
    expect(dead).toEqual([]);
  });

  it('ends on a page of the menu', () => {
    expect(
      stopsWith(({ snapshot }) => {
        const screen = screenOf(snapshot);
        return isRedirect(screen) ? !isKnownRoute(screen.open) : snapshot.status === 'done';
      }),
    ).toEqual([]);
  });

  it('stresses one button at most, in labels that fit', () => {
    for (const { snapshot, way } of stops) {
      const buttons = buttonsOf(snapshot);
      const styles = buttons.flatMap(({ style }) => style ?? []);
      expect(new Set(styles).size, `${way}: two buttons of one style`).toBe(styles.length);
      expect(styles.includes('primary') && styles.includes('success'), `${way}: two main buttons`).toBe(
        false,
      );
      for (const { label } of buttons) expect([...label].length, label).toBeLessThanOrEqual(LONGEST_LABEL);
    }
  });

  it('comes back from JSON as it was, and goes on the same way', () => {
    for (const { snapshot, restored, steps } of stops) {
      expectAlike(restored, snapshot);
      for (const { next, nextAfterRestore } of steps) expectAlike(nextAfterRestore, next);
    }
  });

  it('stays under 4 kB in every state, with every list as long as it can get', () => {
    const tooLarge = stops
      .map(({ snapshot, way }) => ({ way, bytes: bytesOf(id, snapshot) }))
      .filter(({ bytes }) => bytes > mostBytes(id));
    expect(tooLarge).toEqual([]);
  });

  it('can be cancelled whenever it waits for the person', () => {
    const stuck = stopsWith(
      ({ snapshot }) =>
        snapshot.status === 'active' && !snapshot.hasTag('busy') && !snapshot.can({ type: 'cancelled' }),
    );
    expect(stuck).toEqual([]);
  });

  it('lets the person out by its buttons, even when every service fails', () => {
    const out = new Set(stops.filter(({ snapshot }) => isOut(snapshot)).map(({ key }) => key));
    const leads = stops.map((stop) => ({ key: stop.key, to: waysOut(stop) }));
    for (let before = -1; before !== out.size; ) {
      before = out.size;
      for (const { key, to } of leads) if (to.some((next) => out.has(next))) out.add(key);
    }
    expect(stopsWith(({ key }) => !out.has(key))).toEqual([]);
  });

  it('shows that a press was heard also when it fails a second time as it did the first', () => {
    const answersAt = sampleEvents(machine, samples);
    const tried = new Set<string>();
    const unseen = stops.flatMap((stop) => {
      const { failure } = stop.snapshot.context as { failure?: Failure | null };
      if (!failure || stop.snapshot.hasTag('busy') || stop.snapshot.status !== 'active') return [];
      if (UNMARKED.includes(String(stop.snapshot.value))) return [];
      // What follows a message that lasts is sent below it, and seen.
      if (screens.lasting?.includes(String(stop.snapshot.value))) return [];
      const offered = linksOf(stop.snapshot).map((link) => JSON.stringify(eventOf(link)));
      return stop.steps.flatMap(({ event, next }) => {
        const press = `${stop.snapshot.value} ${failure.code} ${JSON.stringify(event)}`;
        if (!next.hasTag('busy') || !offered.includes(JSON.stringify(event)) || tried.has(press)) return [];
        tried.add(press);
        return answersAt(next)
          .filter(({ type }) => type.startsWith('xstate.error.actor.'))
          .map((answer) => transition(machine as AnyStateMachine, next, answer)[0] as AnyMachineSnapshot)
          .filter(({ value }) => value === stop.snapshot.value)
          .filter((again) => isDeepStrictEqual(drawnText(again), drawnText(stop.snapshot)))
          .map(
            (again) =>
              `${stop.way} → ${event.type} (${(again.context as { failure?: Failure }).failure?.code})`,
          );
      });
    });
    expect(unseen).toEqual([]);
  });

  it('never asks a service for another thing under the same key', () => {
    const byKey = new Map(stops.map((stop) => [stop.key, stop]));
    const clashes = stops.flatMap((stop) => {
      const asked = requestsOf(stop.snapshot);
      if (asked.length === 0) return [];
      const later = [...reachableFrom(stop, byKey)].flatMap(({ snapshot, way }) =>
        requestsOf(snapshot).map((request) => ({ ...request, way })),
      );
      return later
        .filter(({ key, request }) => asked.some((first) => first.key === key && first.request !== request))
        .map(({ key, way }) => `${stop.way}, then ${way}: ${key}`);
    });
    expect(clashes).toEqual([]);
  });

  /** It is over, or offers the main menu: a flow that can be gone on with is left that way. */
  function isOut(snapshot: AnyMachineSnapshot): boolean {
    return snapshot.status === 'done' || linksOf(snapshot).some(({ pattern }) => pattern === 'nav:dashboard');
  }

  function drawn({ value, context }: AnyMachineSnapshot) {
    const screen = screens.states[String(value)];
    if (!screen) throw new Error(`${id} has no screen for ${JSON.stringify(value)}`);
    return screen(context, samples.data?.[String(value)]);
  }

  function drawnText(snapshot: AnyMachineSnapshot) {
    const screen = screenOf(snapshot);
    return isRedirect(screen)
      ? screen
      : [screen.complaint, screen.text, buttonsOf(snapshot).map(({ label }) => label)];
  }

  function buttonsOf(snapshot: AnyMachineSnapshot): Button[] {
    const screen = screenOf(snapshot);
    return isRedirect(screen) ? [] : screen.keyboard.flat();
  }

  function linksOf(snapshot: AnyMachineSnapshot): Link[] {
    return buttonsOf(snapshot).flatMap((button) => ('link' in button ? button.link : []));
  }

  function eventOf({ pattern, params }: Link) {
    return screens.presses.find((press) => press.pattern === pattern)?.toEvent(params);
  }

  /** Where the shown buttons lead, or, while a service works, where its failure leads. */
  function waysOut({ snapshot, steps }: Stop): string[] {
    const offered = linksOf(snapshot).map((link) => JSON.stringify(eventOf(link)));
    return steps
      .filter(({ event }) =>
        snapshot.hasTag('busy')
          ? event.type.startsWith('xstate.error.actor.')
          : offered.includes(JSON.stringify(event)),
      )
      .map(({ nextKey }) => nextKey);
  }
});

/** Keyed requests under way, as they stand in the stored snapshot. */
const requestsOf = memoized((snapshot): { key: string; request: string }[] => {
  const { children = {} } = snapshot.machine.getPersistedSnapshot(snapshot) as {
    children?: Record<string, { snapshot: { input?: { key?: string } } }>;
  };
  return Object.values(children).flatMap(({ snapshot: { input } }) =>
    input?.key ? [{ key: input.key, request: JSON.stringify(input) }] : [],
  );
});

function reachableFrom(start: Stop, byKey: Map<string, Stop>): Set<Stop> {
  const reached = new Set([start]);
  for (const stop of reached) for (const { nextKey } of stop.steps) reached.add(byKey.get(nextKey)!);
  return reached;
}

/** What of a snapshot decides how it goes on. */
function essence({ value, context, status, tags, children }: AnyMachineSnapshot) {
  return { value, context, status, tags: [...tags], children: Object.keys(children) };
}

/** By Node first: its comparison costs a tenth of the one that explains a difference. */
function expectAlike(restored: AnyMachineSnapshot, kept: AnyMachineSnapshot): void {
  const [one, other] = [essence(restored), essence(kept)];
  if (!isDeepStrictEqual(one, other)) expect(one).toStrictEqual(other);
}
