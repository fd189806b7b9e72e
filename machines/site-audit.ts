import { assign, setup } from 'xstate';
import { type Failure, failedTheSame, isRefusal } from './failure.ts';
import type { Cancelled, FlowInput, TokensCredited } from './flow-input.ts';
import { creditedActions, hearsOfTokens } from './fragments/tokens-credited.ts';
import { port } from './ports.ts';

/** Which site would be audited, and for how much: shown before anything is charged. */
export type AuditOffer = {
  projectId: number;
  projectName: string;
  url: string;
  price: number;
  balance: number;
  isAdmin: boolean;
};

export type AuditSiteInput = { key: string; userId: number; projectId: number; url: string; price: number };
/** The audit itself is stored with the project. */
export type AuditDone = { spent: number };

type Context = FlowInput &
  AuditOffer & {
    late: boolean;
    /** Every agreement to pay has a key of its own. */
    attempts: number;
    done: AuditDone | null;
    failure: Failure | null;
  };
type Event = Cancelled | TokensCredited | { type: 'cost.accepted' } | { type: 'work.delayed' };

export const siteAuditMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & AuditOffer; tags: 'busy' },
  actors: { auditSite: port<AuditDone, AuditSiteInput>('auditSite') },
  guards: { isRefusal },
  actions: {
    ...creditedActions<Context, Event>(),
    beginWork: assign({ attempts: ({ context }) => context.attempts + 1, late: false }),
    rememberDelay: assign({ late: true }),
    rememberDone: assign({ done: (_, { done }: { done: AuditDone }) => done }),
    rememberFailure: assign({
      failure: ({ context }, { error }: { error: unknown }) => failedTheSame(context.failure, error),
    }),
  },
}).createMachine({
  id: 'SiteAudit',
  context: ({ input }) => ({ ...input, late: false, attempts: 0, done: null, failure: null }),
  initial: 'confirm',
  states: {
    confirm: {
      on: {
        'cost.accepted': { target: 'auditing', actions: 'beginWork' },
        ...hearsOfTokens,
        cancelled: 'cancelled',
      },
    },
    auditing: {
      tags: 'busy',
      on: { 'work.delayed': { actions: 'rememberDelay' } },
      invoke: {
        id: 'auditSite',
        src: 'auditSite',
        input: ({ context: { run, attempts, userId, projectId, url, price } }) => ({
          key: `${run}:auditSite:${attempts}`,
          userId,
          projectId,
          url,
          price,
        }),
        onDone: {
          target: 'results',
          actions: { type: 'rememberDone', params: ({ event }) => ({ done: event.output }) },
        },
        onError: [
          {
            guard: { type: 'isRefusal', params: ({ event }) => event },
            target: 'confirm',
            actions: { type: 'rememberFailure', params: ({ event }) => event },
          },
          { target: 'failed', actions: { type: 'rememberFailure', params: ({ event }) => event } },
        ],
      },
    },
    results: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
