import { describe, expect, it, vi } from 'vitest';
import { createActor, fromPromise, setup } from 'xstate';
import {
  type ConnectVkInput,
  noVkYet,
  type VkEvent,
  type VkSlice,
  vkActions,
  vkActors,
  vkGuards,
  vkQuestions,
} from '../../machines/fragments/vk-questions.ts';

type Event = VkEvent | { type: 'asked' };

/** A dialogue in which a community can be connected more than once. */
function startHost(connect: (input: ConnectVkInput) => Promise<{ connectionId: number }>) {
  const machine = setup({
    types: {} as { context: VkSlice; events: Event; tags: 'busy' | 'secret' },
    actors: vkActors,
    guards: vkGuards,
    actions: vkActions<VkSlice, Event>(),
  }).createMachine({
    id: 'host',
    context: {
      ...{ run: 'run-1', userId: 1, projectId: 2, projectName: 'Цветы', connectionId: null, failure: null },
      vk: noVkYet,
    },
    initial: 'choosing',
    states: {
      choosing: { on: { asked: { target: 'token', actions: 'askForVk' } } },
      ...vkQuestions({
        ...{ token: 'token', reading: 'reading', group: 'group', saving: 'saving' },
        ends: { connected: 'choosing', failed: 'choosing' },
        ways: {},
      }),
    },
  });
  const readVkKey = fromPromise(async () => ({
    kind: 'community' as const,
    groups: [{ id: 7, name: 'Цветы', members: null }],
  }));
  return createActor(
    machine.provide({
      actors: { readVkKey, connectVk: fromPromise(({ input }) => connect(input)) },
    } as Parameters<typeof machine.provide>[0]),
  ).start();
}

describe('the questions of a connection, asked again in the same dialogue', () => {
  it('begin work under another key: the first answer is not taken for the second', async () => {
    const keys: string[] = [];
    const host = startHost(async ({ key }) => {
      keys.push(key);
      return { connectionId: keys.length };
    });
    for (const times of [1, 2]) {
      host.send({ type: 'asked' });
      host.send({ type: 'secret.received', sealed: 'sealed', shape: 'a'.repeat(40) });
      await vi.waitFor(() => expect(host.getSnapshot().context.connectionId).toBe(times));
    }
    expect(keys).toEqual(['run-1:vk:1', 'run-1:vk:2']);
  });
});
