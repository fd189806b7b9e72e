import { expect } from 'vitest';

// Long enough for a machine on which every core is busy; a test that passes does not wait for it.
const PATIENCE_MS = 15_000;

/** `await eventually(() => anna.sees()).toBe('…')`: what is on its way may take its time. */
export const eventually = <Value>(look: () => Value) =>
  expect.poll(look, { timeout: PATIENCE_MS, interval: 10 });
