import { z } from 'zod';
import {
  DEFAULT_STATE,
  type DialogueContext,
  type DialogueEvent,
  freshDialogue,
  type MatchedRule,
  type Reply,
} from '../../machines/shop-dialogue.ts';
import { inertScope } from '../engine/inert-scope.ts';
import type { Json } from '../engine/json.ts';
import { fitting } from './expectations.ts';
import type { CustomerAction } from './inbound.ts';
import { bareWords } from './normal-text.ts';
import { shopRegistry } from './registry.ts';
import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';
import { builtInRules, waysOut } from './texts.ts';

/** A row of `bot_state` as it was read. */
type StoredDialogue = { state: string | null; context: Json; expiresAt: Date | null };

export type Decision = {
  stateBefore: string;
  state: string;
  context: Json;
  /** Something in it is to be forgotten when the customer stays away. */
  remembers: boolean;
  reply: Reply;
  /** The rule that asked what the customer is answering. */
  question: string | null;
  /** What was odd about the stored state, for the log. */
  notes: string[];
};

/** Written by a later release: another process, which knows it, has to answer. */
class NewerDialogue extends Error {
  override readonly name = 'NewerDialogue';
}

const { machine, version } = shopRegistry.ShopDialogue;
const LONGEST_CAPTURE = 500;

const storedContext = z.object({
  v: z.number().int(),
  phase: z.enum(['idle', 'collecting', 'escalated']),
  turns: z.number().int().min(0),
  max_turns: z.number().int().min(0),
  misses: z.number().int().min(0),
  question: z.string().nullable(),
  vars: z.record(z.string(), z.string()),
});

/** What a message means: the chart's own transitions from the stored state. Nothing is done here. */
export function decide(stored: StoredDialogue, action: CustomerAction, rules: RuleSet, at: Date): Decision {
  const notes: string[] = [];
  let snapshot = restore(stored, notes);
  const send = (event: DialogueEvent) => {
    snapshot = machine.transition(snapshot, event, inertScope(machine as never) as never);
  };
  send({ type: 'clock.read', at: at.getTime() });
  if (snapshot.value === 'collecting' && !rules.knowsState(snapshot.context.state)) {
    notes.push(`no rule has the state "${snapshot.context.state}" any more`);
    send({ type: 'scenario.lost' });
  }
  const { question } = snapshot.context;
  send(eventOf(action, rules, snapshot.context.state));
  const { context } = snapshot;
  if (context.reply === null) throw new Error(`the dialogue has no reply to ${action.kind}`);
  return {
    stateBefore: stored.state ?? DEFAULT_STATE,
    state: context.state,
    context: pack(String(snapshot.value), context),
    remembers: snapshot.value !== 'idle' || context.misses > 0,
    reply: context.reply,
    question,
    notes,
  };
}

function restore({ state, context, expiresAt }: StoredDialogue, notes: string[]) {
  const read = storedContext.safeParse(context);
  if (read.success && read.data.v > version) throw new NewerDialogue(`dialogue of version ${read.data.v}`);
  if (!read.success || state === null) {
    if (state !== null) notes.push('the stored dialogue was unreadable');
    return machine.resolveState({ value: 'idle', context: freshDialogue });
  }
  const { phase, turns, max_turns: maxTurns, misses, question, vars } = read.data;
  const restored: DialogueContext = {
    ...{ state, turns, maxTurns, misses, question, vars },
    expiresAt: expiresAt?.getTime() ?? null,
    reply: null,
  };
  return machine.resolveState({ value: phase, context: restored });
}

const pack = (phase: string, { turns, maxTurns, misses, question, vars }: DialogueContext): Json => ({
  ...{ v: version, phase, turns, max_turns: maxTurns, misses, question, vars },
});

function eventOf(action: CustomerAction, rules: RuleSet, state: string): DialogueEvent {
  switch (action.kind) {
    case 'started':
      return { type: 'menu.asked' };
    case 'text':
      return eventOfText(action.text, rules, state);
    case 'photo': {
      const rule = rules.matchPhoto(state);
      if (rule) return received(rule, action.url);
      return action.text === '' ? { type: 'media.refused' } : eventOfText(action.text, rules, state);
    }
    case 'media':
      return { type: 'media.refused' };
    case 'press':
      return eventOfPress(action.rule, rules, state);
    default: {
      const never: never = action;
      throw new TypeError(`Expected an action of a customer, got ${JSON.stringify(never)}`);
    }
  }
}

function eventOfText(text: string, rules: RuleSet, state: string): DialogueEvent {
  const words = bareWords(text);
  const wayOut = waysOut.find((one) => one.words.test(words));
  if (wayOut) return { type: wayOut.event };
  const rule = rules.matchText(text, state);
  return rule ? received(rule, text) : { type: 'message.received', rule: null };
}

/** An old button means what it said, or nothing: never a step of a scenario that is elsewhere by now. */
function eventOfPress(payload: string, rules: RuleSet, state: string): DialogueEvent {
  if (Object.hasOwn(builtInRules, payload))
    return { type: builtInRules[payload as keyof typeof builtInRules] };
  const rule = rules.byId(payload);
  if (!rule || (rule.state !== null && rule.state !== state)) return { type: 'button.expired' };
  return received(rule, rules.labelOf(payload) ?? '');
}

function received(rule: Rule, words: string): DialogueEvent {
  const { rule_id: id, version: ofRule, state, next_state: nextState, max_turns: maxTurns, capture } = rule;
  const value = (fitting(rule.expects, words) ?? words.trim()).slice(0, LONGEST_CAPTURE).toWellFormed();
  const captured: MatchedRule['captured'] = capture === null ? null : { name: capture, value };
  return { type: 'message.received', rule: { id, version: ofRule, state, nextState, maxTurns, captured } };
}
