import { assign, setup } from 'xstate';
import { type Failure, failedTheSame, toFailure } from './failure.ts';
import type { Cancelled, FlowInput, TextReceived } from './flow-input.ts';
import { port } from './ports.ts';

/** What the person's words may be, in characters. */
export const replyLength = { min: 2, max: 2_000 } as const;

/** Fewer turns are a lucky sentence, not a conversation. */
const LEAST_TURNS = 2;

/** Which case is played. Its texts stay in its file: the context holds what decides. */
export type CaseTerms = {
  case_id: string;
  /** Ids of the five things that are listened for. */
  components: readonly string[];
  /** The dialogue ends by itself after so many. */
  turns: number;
};

/** A turn that was made, without its words: they are in the table `conversations`, under this session and turn. */
type DialogueEntry = { turn: number; achieved: readonly string[] };

/** How far a dialogue has come. */
export type DialogueProgress = {
  /** Names the dialogue in `conversations`. */
  session: string;
  turn_count: number;
  dialogue_entries: readonly DialogueEntry[];
  /** Components reached so far, whatever the case calls them. */
  total_provd_achieved: readonly string[];
};

export type StartDialogueInput = { key: string; userId: number; caseId: string; session: string };
export type AnswerTurnInput = StartDialogueInput & {
  turn: number;
  text: string;
  reached: readonly string[];
};
export type ReviewDialogueInput = StartDialogueInput & { turns: number; reached: readonly string[] };
export type EndDialoguesInput = { userId: number };

/** What the person's last words have reached. The reply itself is stored by then. */
export type TurnAnswered = { achieved: readonly string[] };

type Context = FlowInput &
  CaseTerms &
  DialogueProgress & {
    /** Every start of a dialogue and every message has a key of its own. */
    starts: number;
    attempts: number;
    /** The turn with which the dialogue ends by itself; later when the person goes on after an analysis. */
    ends_at: number;
    /** Goes on with a dialogue that was left some time ago. */
    resumed: boolean;
    /** Goes on after an analysis, or after everything was reached. */
    continued: boolean;
    /** What the person said and the counterpart has not answered yet. */
    words: string | null;
    refused: 'short' | 'long' | null;
    failure: Failure | null;
  };
type Event =
  | TextReceived
  | Cancelled
  | { type: 'theory.opened' }
  | { type: 'theory.closed' }
  | { type: 'dialogue.started' }
  | { type: 'dialogue.restarted' }
  | { type: 'dialogue.continued' }
  | { type: 'analysis.requested' }
  | { type: 'case.changed' };
type Said = { text: string };
type Answer = { answer: TurnAnswered };
type Failed = { error: unknown };

export type AIChatInput = FlowInput & CaseTerms & { resumed: DialogueProgress | null };

const flow = setup({
  types: {} as { context: Context; events: Event; input: AIChatInput; tags: 'busy' },
  actors: {
    startDialogue: port<CaseTerms, StartDialogueInput>('startDialogue'),
    answerTurn: port<TurnAnswered, AnswerTurnInput>('answerTurn'),
    reviewDialogue: port<null, ReviewDialogueInput>('reviewDialogue'),
    endDialogues: port<null, EndDialoguesInput>('endDialogues'),
  },
  guards: {
    isResumed: ({ context }) => context.resumed,
    isReply: (_, { text }: Said) => refusalOf(text) === null,
    hasTurns: ({ context }) => context.turn_count > 0,
    /** Once: a person who goes on after the analysis is not stopped again by the same five. */
    reachesEverything: ({ context }, { answer }: Answer) =>
      !context.continued &&
      context.turn_count + 1 >= LEAST_TURNS &&
      isEverything(context, union(context.total_provd_achieved, answer.achieved)),
    isLastTurn: ({ context }) => context.turn_count + 1 >= context.ends_at,
    /** The case left the product, or the dialogue was finished elsewhere: nothing is left to go on with. */
    isOver: (_, { error }: Failed) => ['CASE_GONE', 'DIALOGUE_OVER'].includes(toFailure(error).code),
  },
  actions: {
    nameSession: assign({
      starts: ({ context }) => context.starts + 1,
      session: ({ context }) => `${context.run}:${context.starts + 1}`,
      refused: null,
    }),
    beginDialogue: assign((_, { terms }: { terms: CaseTerms }) => ({
      ...terms,
      turn_count: 0,
      dialogue_entries: [],
      total_provd_achieved: [],
      ends_at: terms.turns,
      resumed: false,
      continued: false,
      failure: null,
    })),
    beginTurn: assign({
      attempts: ({ context }) => context.attempts + 1,
      words: (_, { text }: Said) => text.trim(),
      resumed: false,
      refused: null,
      failure: null,
    }),
    refuseReply: assign({ refused: (_, { text }: Said) => refusalOf(text), failure: null }),
    countTurn: assign(({ context }, { answer: { achieved } }: Answer) => ({
      words: null,
      turn_count: context.turn_count + 1,
      dialogue_entries: [...context.dialogue_entries, { turn: context.turn_count + 1, achieved }],
      total_provd_achieved: union(context.total_provd_achieved, achieved),
    })),
    /** As many turns again as the case has. */
    giveMoreTurns: assign({ ends_at: ({ context }) => context.turn_count + context.turns, continued: true }),
    forgetRefusal: assign({ refused: null, failure: null }),
    rememberFailure: assign({
      words: null,
      failure: ({ context }, { error }: Failed) => failedTheSame(context.failure, error),
    }),
  },
});

const failed = { type: 'rememberFailure', params: ({ event }: { event: Failed }) => event } as const;
const over = { guard: { type: 'isOver', params: ({ event }: { event: Failed }) => event } } as const;
const answered = ({ event }: { event: { output: TurnAnswered } }): Answer => ({ answer: event.output });
const said = ({ event }: { event: TextReceived }): Said => event;

export const aiChatMachine = flow.createMachine({
  id: 'AIChat',
  context: ({ input: { resumed, ...input } }) => ({
    ...input,
    session: '',
    turn_count: 0,
    dialogue_entries: [],
    total_provd_achieved: [],
    ...resumed,
    starts: 0,
    attempts: 0,
    ends_at: Math.max(input.turns, (resumed?.turn_count ?? 0) + 1),
    resumed: resumed !== null,
    continued: resumed !== null && isEverything(input, resumed.total_provd_achieved),
    words: null,
    refused: null,
    failure: null,
  }),
  initial: 'first_step',
  states: {
    first_step: { always: [{ guard: 'isResumed', target: 'waiting_user' }, { target: 'intro' }] },
    intro: {
      on: {
        'theory.opened': 'theory',
        'dialogue.started': { target: 'starting', actions: 'nameSession' },
        cancelled: 'leaving',
      },
    },
    theory: {
      on: {
        'theory.closed': 'intro',
        'dialogue.started': { target: 'starting', actions: 'nameSession' },
        cancelled: 'leaving',
      },
    },
    starting: {
      tags: 'busy',
      invoke: {
        id: 'startDialogue',
        src: 'startDialogue',
        input: ({ context }) => ({
          key: `${context.run}:start:${context.starts}`,
          userId: context.userId,
          caseId: context.case_id,
          session: context.session,
        }),
        onDone: {
          target: 'waiting_user',
          actions: { type: 'beginDialogue', params: ({ event }) => ({ terms: event.output }) },
        },
        onError: [
          { ...over, target: 'closed', actions: failed },
          { target: 'intro', actions: failed },
        ],
      },
    },
    waiting_user: {
      on: {
        'text.received': [
          {
            guard: { type: 'isReply', params: said },
            target: 'answering',
            actions: { type: 'beginTurn', params: said },
          },
          { actions: { type: 'refuseReply', params: said } },
        ],
        'analysis.requested': { guard: 'hasTurns', target: 'reviewing', actions: 'forgetRefusal' },
        'dialogue.restarted': { target: 'starting', actions: 'nameSession' },
        cancelled: 'leaving',
      },
    },
    answering: {
      tags: 'busy',
      invoke: {
        id: 'answerTurn',
        src: 'answerTurn',
        input: ({ context }) => ({
          key: `${context.run}:turn:${context.attempts}`,
          userId: context.userId,
          caseId: context.case_id,
          session: context.session,
          turn: context.turn_count + 1,
          text: context.words!,
          reached: context.total_provd_achieved,
        }),
        onDone: [
          {
            guard: { type: 'reachesEverything', params: answered },
            target: 'reviewing',
            actions: { type: 'countTurn', params: answered },
          },
          {
            guard: 'isLastTurn',
            target: 'reviewing',
            actions: { type: 'countTurn', params: answered },
          },
          { target: 'waiting_user', actions: { type: 'countTurn', params: answered } },
        ],
        onError: [
          { ...over, target: 'closed', actions: failed },
          { target: 'waiting_user', actions: failed },
        ],
      },
    },
    reviewing: {
      tags: 'busy',
      invoke: {
        id: 'reviewDialogue',
        src: 'reviewDialogue',
        // Keyed by the turn: asked for again without a new word, the same analysis comes back unpaid.
        input: ({ context }) => ({
          key: `${context.run}:review:${context.starts}:${context.turn_count}`,
          userId: context.userId,
          caseId: context.case_id,
          session: context.session,
          turns: context.turn_count,
          reached: context.total_provd_achieved,
        }),
        onDone: 'review_complete',
        onError: [
          { ...over, target: 'closed', actions: failed },
          { target: 'waiting_user', actions: failed },
        ],
      },
    },
    review_complete: {
      on: {
        'dialogue.continued': { target: 'waiting_user', actions: 'giveMoreTurns' },
        // The counterpart still listens: words without a press of the button are the next turn.
        'text.received': {
          guard: { type: 'isReply', params: said },
          target: 'answering',
          actions: ['giveMoreTurns', { type: 'beginTurn', params: said }],
        },
        'dialogue.restarted': { target: 'starting', actions: 'nameSession' },
        'case.changed': 'other_case',
        cancelled: 'leaving',
      },
    },
    leaving: {
      tags: 'busy',
      invoke: {
        id: 'endDialogues',
        src: 'endDialogues',
        input: ({ context }) => ({ userId: context.userId }),
        onDone: 'left',
        // The menu does not wait for it: a dialogue that stayed open is closed after a day.
        onError: 'left',
      },
    },
    left: { type: 'final' },
    other_case: { type: 'final' },
    closed: { type: 'final' },
  },
});

/** Why words are not taken; null: they are. Signs and emoji alone say nothing that could be answered. */
function refusalOf(text: string): Context['refused'] {
  const { length } = [...text.trim()];
  if (length > replyLength.max) return 'long';
  return length < replyLength.min || !/[\p{L}\p{N}]/u.test(text) ? 'short' : null;
}

const isEverything = ({ components }: CaseTerms, reached: readonly string[]): boolean =>
  components.every((component) => reached.includes(component));

const union = (known: readonly string[], fresh: readonly string[]): readonly string[] => [
  ...new Set([...known, ...fresh]),
];
