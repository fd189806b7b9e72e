import type { InputFrom } from 'xstate';
import type { FlowRegistry } from '../../machines/flow-entry.ts';
import type { FlowInput } from '../../machines/flow-input.ts';
import type { Link } from '../screens/kit/link.ts';
import type { RichText, Screen } from '../screens/kit/screen.ts';
import type { Input, InputKind } from './input.ts';
import type { Checkpoint } from './parking.ts';

/** The part of the product without flows: pages and one-press actions, each behind a link. */
export type Menu = {
  /** The page of a person who is in no flow and on no other page. */
  home: Link;
  has(pattern: string): boolean;
  /** The feature behind the link is switched off, so its buttons are left out. Any other unknown pattern is a mistake. */
  isOff(pattern: string): boolean;
  /** Whether the link changes something: it is followed only after the decision to do so is stored. */
  acts(pattern: string): boolean;
  /** What is told while a change is made that takes longer than a person waits without a word; null for all others. */
  meanwhile(pattern: string): RichText | null;
  /** A page beside whatever flow runs: it stands in a message of its own, and the flow goes on. */
  standsBeside(pattern: string): boolean;
  /** With the key of the deed, where the link changes something: asked twice under one key, it is done once. */
  visit(link: Link, visitor: Visitor, key?: string): Promise<RouteAnswer>;
  /** Null for a page that asks for nothing. While a person is on one that does, what they send goes to `take`. */
  asks(link: Link): Asking | null;
  /** Hands to a page what it asked for: a change like any other, done once per key. */
  take(link: Link, input: Input, visitor: Visitor, key: string): Promise<RouteAnswer>;
  /** Where `/start` leads: a page, or an action that opens one. Changes nothing by itself. */
  start(payload: string, visitor: Visitor, isNew: boolean): Promise<Link>;
  /** The page nearest to what a dead button was about. */
  nearest(link: Link | null): Link;
  /** The link behind a label of the reply keyboard, or behind a command such as `/help`. */
  linkOf(label: string, visitor: Visitor): Link | undefined;
};

/** `back` is where the person goes who changes their mind. */
export type Asking = { kinds: readonly InputKind[]; back: Link };

export type Visitor = {
  userId: number;
  firstName: string | null;
  isAdmin: boolean;
  /** The flow that they leave for this page, or go on with beside it; absent outside of all. */
  leaves?: string;
  /** Runs that wait for them, by slot; the one that they leave for this page is among them. */
  parked?: Readonly<Record<string, Checkpoint>>;
};

export type RouteAnswer<Start extends FlowStart = FlowStart> =
  /** `quietly`: no word that the flow they were in is over. */
  | { show: Screen; toast?: string; quietly?: true }
  /** An action was done; the person goes on to a page. What is parked in the slot `drops` is forgotten. */
  | { open: Link; notice?: RichText; toast?: string; drops?: string; quietly?: true }
  /** A page that has to change something before it is shown: this action comes first, and opens it. */
  | { first: Link }
  | { start: Start; origin: Link }
  /** The person goes on with the run that is parked in this slot. */
  | { resume: string }
  /** Not there, or somebody else's: the nearest list instead. */
  | { missing: true; nearest: Link }
  /** The person stays where they are, in a flow too; the notice stands above what they see. */
  | { nothing: true; notice?: RichText; toast?: string };

export type FlowStart = { flow: string; input: Readonly<Record<string, unknown>> };

/** The flows of a registry, each with the input that its machine asks for beside what the engine gives. */
export type StartOf<Registry extends FlowRegistry> = {
  [Id in keyof Registry & string]: {
    flow: Id;
    input: Omit<InputFrom<Registry[Id]['machine']>, keyof FlowInput>;
  };
}[keyof Registry & string];
