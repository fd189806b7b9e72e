import { createHash } from 'node:crypto';

/** Choices that look free and are always the same for the same seed. */
export type Chance = {
  pick<Item>(list: readonly Item[]): Item;
  shuffled<Item>(list: readonly Item[]): Item[];
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  /** From 0 to 1. */
  fraction(): number;
};

export function makeChance(seed: string): Chance {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);

  /** mulberry32: small, quick, and even enough for choosing words. */
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));

  return {
    fraction,
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
    shuffled: (list) => {
      const items = [...list];
      for (let i = items.length - 1; i > 0; i--) {
        const other = between(0, i);
        [items[i], items[other]] = [items[other]!, items[i]!];
      }
      return items;
    },
  };
}
