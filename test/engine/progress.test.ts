import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/engine/progress.ts';

const RUN = 'run-1';
const stage = (name: string) => ({ type: 'progress.made', stage: name });
const late = { type: 'work.delayed' };

let told: unknown[];
let progress: ReturnType<typeof createProgress>;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  progress = createProgress((_, __, event) => void told.push(event), { gapMs: 3_000, lateMs: 120_000 });
});
afterEach(() => void vi.useRealTimers());

it('tells the first stage at once, then no more than one in three seconds, the newest', () => {
  for (const name of ['gathering', 'writing', 'images']) {
    progress.made(7, RUN, stage(name));
    vi.advanceTimersByTime(10);
  }
  expect(told).toEqual([stage('gathering')]);
  vi.advanceTimersByTime(3_000);
  expect(told).toEqual([stage('gathering'), stage('images')]);
});

it('says once that it takes long, also when a stage is reported at that very moment', () => {
  progress.begun(7, RUN);
  vi.advanceTimersByTime(118_900);
  progress.made(7, RUN, stage('gathering'));
  vi.advanceTimersByTime(1_500);
  progress.made(7, RUN, stage('writing'));
  vi.advanceTimersByTime(300_000);
  expect(told).toEqual([stage('gathering'), late, stage('writing')]);
});

it('says nothing more when the work is over', () => {
  progress.begun(7, RUN);
  progress.made(7, RUN, stage('gathering'));
  progress.ended(RUN);
  vi.advanceTimersByTime(300_000);
  expect(told).toEqual([]);
});
