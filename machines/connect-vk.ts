import { setup } from 'xstate';
import type { Cancelled, FlowInput } from './flow-input.ts';
import {
  noVkYet,
  type VkEvent,
  type VkSlice,
  vkActions,
  vkActors,
  vkGuards,
  vkQuestions,
} from './fragments/vk-questions.ts';

type Input = FlowInput & { projectId: number; projectName: string };
type Context = VkSlice & Input;
type Event = VkEvent | Cancelled;

export const connectVkMachine = setup({
  types: {} as { context: Context; events: Event; input: Input; tags: 'busy' | 'secret' },
  actors: vkActors,
  guards: vkGuards,
  actions: vkActions<Context, Event>(),
}).createMachine({
  id: 'ConnectVK',
  context: ({ input }) => ({ ...input, vk: noVkYet, connectionId: null, failure: null }),
  initial: 'token',
  states: {
    ...vkQuestions({
      token: 'token',
      reading: 'checking_token',
      group: 'select_group',
      saving: 'saving',
      ends: { connected: 'connected', failed: 'failed' },
      ways: { cancelled: 'cancelled' },
    }),
    connected: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
