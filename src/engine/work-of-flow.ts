import type { AnyMachineSnapshot } from 'xstate';

/** Work that a state waits for: the invoked actor's id in the chart, its port, its input and its key. */
export type Work = { id: string; src: string; input: unknown; key: string };

/**
 * What a snapshot waits for, worked out from its state and context. XState would store the input of every invoked
 * actor beside the context it was made of: a second copy, which doubles a snapshot and outlives a migration.
 */
export function worksOf(snapshot: AnyMachineSnapshot): Work[] {
  return snapshot._nodes.flatMap((node) =>
    node.invoke.map(({ id, src, input }) => {
      const given: unknown =
        typeof input === 'function' ? input({ context: snapshot.context } as never) : input;
      return { id, src: String(src), input: given, key: keyOf(id, given) };
    }),
  );
}

/** Two attempts of one actor are two pieces of work: a result belongs to the one that asked for it. */
function keyOf(id: string, input: unknown): string {
  const key = typeof input === 'object' && input !== null && 'key' in input ? input.key : undefined;
  return `${id} ${typeof key === 'string' ? key : JSON.stringify(input)}`;
}
