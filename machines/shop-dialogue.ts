import { assign, setup } from 'xstate';

/** The state of a chat outside of any scenario, in the words of the table. */
export const DEFAULT_STATE = 'default';

/** A rule that fits what the customer did, as far as the dialogue has to know it. */
export type MatchedRule = {
  id: string;
  version: number;
  /** Null: the rule holds anywhere, and opens a scenario of its own when it leads to a state. */
  state: string | null;
  /** Null: the state stays. `default`: the scenario ends. */
  nextState: string | null;
  maxTurns: number;
  captured: { name: string; value: string } | null;
};

/** What the customer is answered with. The words are found outside. */
export type Reply =
  | { kind: 'rule'; rule: string; version: number; vars: Vars }
  | { kind: 'clarify' | 'ask_again' | 'text_only' | 'stale_button' | 'menu' | 'cancelled' | 'still_waiting' }
  | { kind: 'escalate'; why: 'no_match' | 'too_many_turns' | 'asked' };

export type Vars = Readonly<Record<string, string>>;

export type DialogueContext = {
  /** The rules' own state. */
  state: string;
  /** The customer's messages within the scenario. */
  turns: number;
  /** Of the rule that opened the scenario. */
  maxTurns: number;
  /** Messages in a row that no rule fits. */
  misses: number;
  /** The rule that asked the question the customer is answering. */
  question: string | null;
  vars: Vars;
  /** Unix ms; null: nothing to forget. */
  expiresAt: number | null;
  reply: Reply | null;
};

export type DialogueEvent =
  | { type: 'clock.read'; at: number }
  | { type: 'scenario.lost' }
  | { type: 'message.received'; rule: MatchedRule | null }
  | { type: 'media.refused' }
  | { type: 'button.expired' }
  | { type: 'menu.asked' }
  | { type: 'dialogue.cancelled' }
  | { type: 'operator.asked' };

type Received = { event: Extract<DialogueEvent, { type: 'message.received' }> };
const rule = ({ event }: Received) => ({ rule: event.rule });
const time = ({ event }: { event: Extract<DialogueEvent, { type: 'clock.read' }> }) => ({ at: event.at });

export const freshDialogue: DialogueContext = {
  state: DEFAULT_STATE,
  turns: 0,
  maxTurns: 0,
  misses: 0,
  question: null,
  vars: {},
  expiresAt: null,
  reply: null,
};

type RuleParams = { rule: MatchedRule | null };

/** Belongs to no scenario. */
const isFree = ({ state }: MatchedRule): boolean => state === null || state === DEFAULT_STATE;
const leadsOn = ({ nextState }: MatchedRule): boolean => nextState !== null && nextState !== DEFAULT_STATE;

/** Ways out of wherever the customer is. */
const waysOut = {
  'menu.asked': { target: '#ShopDialogue.idle', actions: ['forget', 'showMenu'] },
  'dialogue.cancelled': { target: '#ShopDialogue.idle', actions: ['forget', 'confirmCancelling'] },
  'operator.asked': {
    target: '#ShopDialogue.escalated',
    actions: ['forget', { type: 'escalate', params: { why: 'asked' } }],
  },
  'button.expired': { actions: 'refuseButton' },
} as const;

const openScenario = {
  guard: { type: 'opensScenario', params: rule },
  target: '#ShopDialogue.collecting',
  actions: ['forget', { type: 'followRule', params: rule }],
} as const;

const expiry = {
  'clock.read': {
    guard: { type: 'isExpired', params: time },
    target: '#ShopDialogue.idle',
    actions: 'forget',
  },
} as const;

/**
 * A customer's talk with a shop. Which rule fits is found outside, among thousands; here it is decided what that means:
 * whether a scenario goes on, ends, or has taken too long, and when a person is called. The deadline is data: the event
 * `clock.read` comes before every message.
 */
export const shopDialogueMachine = setup({
  types: {} as { context: DialogueContext; events: DialogueEvent; input: DialogueContext },
  guards: {
    matches: (_, { rule: it }: RuleParams) => it !== null,
    opensScenario: (_, { rule: it }: RuleParams) => it !== null && isFree(it) && leadsOn(it),
    endsScenario: (_, { rule: it }: RuleParams) => it?.nextState === DEFAULT_STATE,
    isExpired: ({ context }, { at }: { at: number }) => context.expiresAt !== null && context.expiresAt < at,
    tooManyTurns: ({ context }) => context.turns + 1 >= context.maxTurns,
    hasMissedBefore: ({ context }) => context.misses > 0,
  },
  actions: {
    forget: assign(() => freshDialogue),
    countTurn: assign({ turns: ({ context }) => context.turns + 1 }),
    countMiss: assign({ misses: ({ context }) => context.misses + 1 }),
    followRule: assign(({ context }, { rule: it }: RuleParams) => {
      if (it === null) return {};
      const { id, version, nextState, maxTurns, captured } = it;
      const vars = captured ? { ...context.vars, [captured.name]: captured.value } : context.vars;
      return {
        vars,
        misses: 0,
        state: nextState ?? context.state,
        maxTurns: context.maxTurns || maxTurns,
        question: nextState === null ? context.question : id,
        reply: { kind: 'rule', rule: id, version, vars } as const,
      };
    }),
    endScenario: assign(({ context }) => ({ ...freshDialogue, reply: context.reply })),
    escalate: assign((_, { why }: { why: Extract<Reply, { kind: 'escalate' }>['why'] }) => ({
      ...freshDialogue,
      reply: { kind: 'escalate', why } as const,
    })),
    clarify: assign({ reply: { kind: 'clarify' } }),
    askAgain: assign({ reply: { kind: 'ask_again' } }),
    refuseMedia: assign({ reply: { kind: 'text_only' } }),
    refuseButton: assign({ reply: { kind: 'stale_button' } }),
    showMenu: assign({ reply: { kind: 'menu' } }),
    confirmCancelling: assign({ reply: { kind: 'cancelled' } }),
    askToWait: assign({ reply: { kind: 'still_waiting' } }),
  },
}).createMachine({
  id: 'ShopDialogue',
  context: ({ input }) => input,
  initial: 'idle',
  states: {
    idle: {
      on: {
        ...waysOut,
        ...expiry,
        'message.received': [
          openScenario,
          {
            guard: { type: 'matches', params: rule },
            actions: [{ type: 'followRule', params: rule }, 'endScenario'],
          },
          {
            guard: 'hasMissedBefore',
            target: 'escalated',
            actions: { type: 'escalate', params: { why: 'no_match' } },
          },
          { actions: ['countMiss', 'clarify'] },
        ],
        'media.refused': { actions: 'refuseMedia' },
      },
    },
    collecting: {
      on: {
        ...waysOut,
        ...expiry,
        'scenario.lost': { target: 'idle', actions: 'forget' },
        'message.received': [
          {
            guard: 'tooManyTurns',
            target: 'escalated',
            actions: { type: 'escalate', params: { why: 'too_many_turns' } },
          },
          openScenario,
          {
            guard: { type: 'endsScenario', params: rule },
            target: 'idle',
            actions: [{ type: 'followRule', params: rule }, 'endScenario'],
          },
          {
            guard: { type: 'matches', params: rule },
            actions: ['countTurn', { type: 'followRule', params: rule }],
          },
          {
            guard: 'hasMissedBefore',
            target: 'escalated',
            actions: { type: 'escalate', params: { why: 'no_match' } },
          },
          { actions: ['countTurn', 'countMiss', 'askAgain'] },
        ],
        'media.refused': [
          {
            guard: 'tooManyTurns',
            target: 'escalated',
            actions: { type: 'escalate', params: { why: 'too_many_turns' } },
          },
          { actions: ['countTurn', 'refuseMedia'] },
        ],
      },
    },
    escalated: {
      on: {
        ...waysOut,
        ...expiry,
        'message.received': [
          openScenario,
          {
            guard: { type: 'matches', params: rule },
            target: 'idle',
            actions: [{ type: 'followRule', params: rule }, 'endScenario'],
          },
          { actions: 'askToWait' },
        ],
        'media.refused': { actions: 'askToWait' },
      },
    },
  },
});
