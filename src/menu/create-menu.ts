import type { registry } from '../../machines/registry.ts';
import type { Input, InputKind } from '../engine/input.ts';
import type { Json } from '../engine/json.ts';
import type { RouteAnswer as AnyRouteAnswer, Asking, Menu, StartOf, Visitor } from '../engine/menu.ts';
import { AppError, OperationLost } from '../errors.ts';
import { type Link, type LinkParams, type ParamsOf, to } from '../screens/kit/link.ts';
import { type Button, type RichText, rich } from '../screens/kit/screen.ts';
import { toasts } from '../screens/kit/system.ts';

/** With the flows of this product. */
export type RouteAnswer = AnyRouteAnswer<StartOf<typeof registry>>;

export type Route = {
  pattern: string;
  visit(params: LinkParams, visitor: Visitor, key?: string): Promise<RouteAnswer> | RouteAnswer;
  /** It changes something. */
  acts?: true;
  /** Told while it does: it asks others, and they take their time. */
  meanwhile?: RichText;
  /** It waits for what the person sends next. */
  asks?: Asks<LinkParams, InputKind>;
  /** A flow that runs is not left for it. */
  beside?: true;
};

/** Pages that people look at without leaving the flow they are in. */
export const beside = (routes: Route[]): Route[] => routes.map((each) => ({ ...each, beside: true }));

type Asks<Params, Kind extends InputKind> = {
  wants: readonly Kind[];
  /** Added below the page's own buttons; `/cancel` leads to the same place. */
  back(params: Params): Button;
  take(
    params: Params,
    input: Extract<Input, { kind: Kind }>,
    visitor: Visitor,
  ): Promise<TakeAnswer> | TakeAnswer;
};

/** `again`: not taken, and why; the page asks once more. */
type TakeAnswer = DeedAnswer | { again: RichText };

export const route = <const Pattern extends string>(
  pattern: Pattern,
  visit: (params: ParamsOf<Pattern>, visitor: Visitor) => Promise<RouteAnswer> | RouteAnswer,
): Route => ({ pattern, visit: visit as Route['visit'] });

/** What a deed may answer: it shows no page of its own, because to look at that page again would do it again. */
export type DeedAnswer = Exclude<RouteAnswer, { show: unknown }>;

/** A link that changes something. Kept apart from pages: it runs once, after the decision to do it is stored. */
export const action = <const Pattern extends string>(
  pattern: Pattern,
  act: (params: ParamsOf<Pattern>, visitor: Visitor, key: string) => Promise<DeedAnswer> | DeedAnswer,
): Route => ({ pattern, visit: act as Route['visit'], acts: true });

/** One that asks a site or a model first: the person reads `meanwhile` in the place of the page, for up to two minutes. */
export const slowAction = <const Pattern extends string>(
  pattern: Pattern,
  meanwhile: RichText,
  act: Parameters<typeof action<Pattern>>[1],
): Route => ({ ...action(pattern, act), meanwhile });

/**
 * A page that asks for a text, a photo or a file: what the person sends while they are on it goes to `take`, which runs
 * as an action does, once and under a key. Any navigation ends the asking, and so do 30 minutes of silence. An
 * `AppError` of `take` is told above the page, which asks again.
 */
export const asking = <const Pattern extends string, const Kind extends InputKind>(
  pattern: Pattern,
  {
    page,
    ...asks
  }: Asks<ParamsOf<Pattern>, Kind> & {
    page(params: ParamsOf<Pattern>, visitor: Visitor): Promise<RouteAnswer> | RouteAnswer;
  },
): Route => ({
  ...route(pattern, async (params, visitor) => {
    const answer = await page(params, visitor);
    if (!('show' in answer)) return answer;
    const keyboard = [...answer.show.keyboard, [asks.back(params)]];
    return { ...answer, show: { ...answer.show, keyboard } };
  }),
  asks: asks as unknown as Route['asks'],
});

/** Runs a deed under its key; the second time, it gives the stored answer. */
export type Once = (
  call: { key: string; userId: number; request: Json },
  work: () => Promise<DeedAnswer>,
) => Promise<DeedAnswer>;

/** Not there, or somebody else's: the two look the same from outside. */
export const missing = (nearest: Link): DeedAnswer => ({ missing: true, nearest });

/** A deletion was asked about before something changed: it is asked again, and nothing is deleted. */
export const askedAgain = (question: Link): DeedAnswer => ({ open: question, toast: toasts.changed });

/** An `AppError` has changed nothing: the page stands, with the reason above it. */
export async function orTold(page: Link, act: () => Promise<DeedAnswer>): Promise<DeedAnswer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof OperationLost) throw error;
    return { open: page, notice: rich`${error.userMessage}` };
  }
}

export type Label = { label: string; pattern: string; adminOnly?: boolean };

/** Pages and one-press actions, found by the pattern of their link. */
export function createMenu({
  routes,
  off = new Set(),
  labels,
  home,
  nearest,
  start,
  once = (_, work) => work(),
}: {
  routes: readonly Route[];
  /** Patterns of what this bot cannot do: they have no route. */
  off?: ReadonlySet<string>;
  /** What the reply keyboard and the commands lead to. */
  labels: readonly Label[];
  home: Link;
  nearest: Menu['nearest'];
  start: Menu['start'];
  once?: Once;
}): Menu & { patterns: string[] } {
  const byPattern = new Map(
    [...routes, route('noop', () => ({ nothing: true }))]
      .filter(({ pattern }) => !off.has(pattern))
      .map((each) => [each.pattern, each]),
  );
  const linkByLabel = new Map(labels.map((each) => [each.label, each]));
  return {
    patterns: [...byPattern.keys()],
    home,
    nearest,
    has: (pattern) => byPattern.has(pattern),
    acts: (pattern) => byPattern.get(pattern)?.acts === true,
    meanwhile: (pattern) => byPattern.get(pattern)?.meanwhile ?? null,
    standsBeside: (pattern) => byPattern.get(pattern)?.beside === true,
    isOff: (pattern) => off.has(pattern),
    visit,
    asks,
    take,
    start,
    linkOf,
  };

  async function visit({ pattern, params }: Link, visitor: Visitor, key?: string): Promise<RouteAnswer> {
    const found = byPattern.get(pattern);
    if (!found) throw new Error(`no route for "${pattern}"`);
    if (!found.acts || key === undefined) return found.visit(params, visitor);
    const { userId } = visitor;
    const work = async () => (await found.visit(params, visitor, key)) as DeedAnswer;
    return once({ key, userId, request: { pattern, params } }, work);
  }

  function asks({ pattern, params }: Link): Asking | null {
    const found = byPattern.get(pattern)?.asks;
    const back = found?.back(params);
    return found && back && 'link' in back ? { kinds: found.wants, back: back.link } : null;
  }

  async function take(link: Link, input: Input, visitor: Visitor, key: string): Promise<RouteAnswer> {
    const { pattern, params } = link;
    const found = byPattern.get(pattern)?.asks;
    if (!found) throw new Error(`"${pattern}" asks for nothing`);
    const work = async (): Promise<DeedAnswer> => {
      const answer = await found.take(params, input, visitor);
      return 'again' in answer ? { open: link, notice: answer.again } : answer;
    };
    return orTold(link, () =>
      once({ key, userId: visitor.userId, request: { pattern, params, input } }, work),
    );
  }

  function linkOf(label: string, visitor: Visitor): Link | undefined {
    const found = linkByLabel.get(label);
    if (!found || !byPattern.has(found.pattern) || (found.adminOnly && !visitor.isAdmin)) return undefined;
    return to(found.pattern);
  }
}
