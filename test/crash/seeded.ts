export type Random = ReturnType<typeof seeded>;

/** Mulberry32: the same seed makes the same choices, so a failure can be walked again. */
export function seeded(seed: number) {
  let state = seed >>> 0;
  return { between, whole, chance, of };

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function between(from: number, to: number): number {
    return from + next() * (to - from);
  }

  function whole(from: number, to: number): number {
    return Math.floor(between(from, to + 1));
  }

  function chance(probability: number): boolean {
    return next() < probability;
  }

  function of<T>(choices: readonly T[]): T {
    return choices[whole(0, choices.length - 1)]!;
  }
}
