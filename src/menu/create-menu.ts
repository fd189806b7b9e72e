import type { registry } from '../../machines/registry.ts';
import type { Json } from '../engine/json.ts';
import type { RouteAnswer as AnyRouteAnswer, Menu, StartOf, Visitor } from '../engine/menu.ts';
import { type Link, type LinkParams, type ParamsOf, to } from '../screens/kit/link.ts';
import { toasts } from '../screens/kit/system.ts';
import { laterPatterns } from './later.ts';

/** With the flows of this product. */
export type RouteAnswer = AnyRouteAnswer<StartOf<typeof registry>>;

export type Route = {
  pattern: string;
  visit(params: LinkParams, visitor: Visitor): Promise<RouteAnswer> | RouteAnswer;
  /** It changes something. */
  acts?: true;
};

export const route = <const Pattern extends string>(
  pattern: Pattern,
  visit: (params: ParamsOf<Pattern>, visitor: Visitor) => Promise<RouteAnswer> | RouteAnswer,
): Route => ({ pattern, visit: visit as Route['visit'] });

/** What a deed may answer: it shows no page of its own, because to look at that page again would do it again. */
export type DeedAnswer = Exclude<RouteAnswer, { show: unknown }>;

/** A link that changes something. Kept apart from pages: it runs once, after the decision to do it is stored. */
export const action = <const Pattern extends string>(
  pattern: Pattern,
  act: (params: ParamsOf<Pattern>, visitor: Visitor) => Promise<DeedAnswer> | DeedAnswer,
): Route => ({ ...route(pattern, act), acts: true });

/** Runs a deed under its key; the second time, it gives the stored answer. */
export type Once = (
  call: { key: string; userId: number; request: Json },
  work: () => Promise<DeedAnswer>,
) => Promise<DeedAnswer>;

/** Not there, or somebody else's: the two look the same from outside. */
export const missing = (nearest: Link): DeedAnswer => ({ missing: true, nearest });

/** A deletion was asked about before something changed: it is asked again, and nothing is deleted. */
export const askedAgain = (question: Link): DeedAnswer => ({ open: question, toast: toasts.changed });

export type Label = { label: string; pattern: string; adminOnly?: boolean };

/** Pages and one-press actions, found by the pattern of their link. */
export function createMenu({
  routes,
  labels,
  home,
  nearest,
  start,
  once = (_, work) => work(),
}: {
  routes: Route[];
  /** What the reply keyboard and the commands lead to. */
  labels: readonly Label[];
  home: Link;
  nearest: Menu['nearest'];
  start: Menu['start'];
  once?: Once;
}): Menu & { patterns: string[] } {
  const byPattern = new Map(
    [...routes, route('noop', () => ({ nothing: true }))].map((each) => [each.pattern, each]),
  );
  const linkByLabel = new Map(labels.map((each) => [each.label, each]));
  return {
    patterns: [...byPattern.keys()],
    home,
    nearest,
    has: (pattern) => byPattern.has(pattern),
    acts: (pattern) => byPattern.get(pattern)?.acts === true,
    isLater: (pattern) => laterPatterns.has(pattern),
    visit,
    start,
    linkOf,
  };

  async function visit({ pattern, params }: Link, visitor: Visitor, key?: string): Promise<RouteAnswer> {
    const found = byPattern.get(pattern);
    if (!found) throw new Error(`no route for "${pattern}"`);
    if (!found.acts || key === undefined) return found.visit(params, visitor);
    const { userId } = visitor;
    const work = async () => (await found.visit(params, visitor)) as DeedAnswer;
    return once({ key, userId, request: { pattern, params } }, work);
  }

  function linkOf(label: string, visitor: Visitor): Link | undefined {
    const found = linkByLabel.get(label);
    if (!found || !byPattern.has(found.pattern) || (found.adminOnly && !visitor.isAdmin)) return undefined;
    return to(found.pattern);
  }
}
