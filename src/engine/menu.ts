import type { InputFrom } from 'xstate';
import type { FlowInput } from '../../machines/flow-input.ts';
import type { FlowId, registry } from '../../machines/registry.ts';
import type { Link } from '../screens/kit/link.ts';
import type { RichText, Screen } from '../screens/kit/screen.ts';

/** The part of the product without flows: pages and one-press actions, each behind a link. */
export type Menu = {
  has(pattern: string): boolean;
  visit(link: Link, visitor: Visitor): Promise<RouteAnswer>;
  /** Where `/start` leads. */
  start(payload: string, visitor: Visitor, isNew: boolean): Promise<Link>;
  /** The link behind a label of the reply keyboard, or behind a command such as `/help`. */
  linkOf(label: string, visitor: Visitor): Link | undefined;
};

export type Visitor = { userId: number; firstName: string | null; isAdmin: boolean };

export type RouteAnswer =
  | { show: Screen; toast?: string }
  /** An action was done; the person goes on to a page. */
  | { open: Link; notice?: RichText; toast?: string }
  | { start: FlowStart; origin: Link }
  /** Not there, or somebody else's: the nearest list instead. */
  | { missing: true; nearest: Link }
  /** The person stays where they are, in a flow too; the notice stands above what they see. */
  | { nothing: true; notice?: RichText; toast?: string };

export type FlowStart = {
  [Id in FlowId]: { flow: Id; input: Omit<InputFrom<(typeof registry)[Id]['machine']>, keyof FlowInput> };
}[FlowId];
