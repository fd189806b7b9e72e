import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeJobs } from '../../src/autopost/store/jobs.ts';
import { createRecurring, type JobTurns, type RecurringJob } from '../../src/compose/create-recurring.ts';
import { forEachDatabase } from '../support/stores.ts';

const MINUTE = 60_000;
const everybodysTurn: JobTurns = { take: async () => true, finish: async () => {} };

describe('a recurring job', () => {
  const failures: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void failures.push(JSON.parse(line).job) });
  const running = (job: Partial<RecurringJob>, turns = everybodysTurn) => {
    const recurring = createRecurring(
      [{ name: 'count', everyMs: MINUTE, runsIn: 'every process', run: async () => {}, ...job }],
      { turns, by: 'a', log },
    );
    recurring.start();
    return recurring;
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    failures.length = 0;
  });

  it('runs at its interval until it is stopped', async () => {
    const run = vi.fn(async () => {});
    const { stop } = running({ run });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    await stop();
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('that takes longer than its interval is not started a second time', async () => {
    const finish: (() => void)[] = [];
    const run = vi.fn(() => new Promise<void>((resolve) => void finish.push(resolve)));
    const { stop } = running({ run });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(run).toHaveBeenCalledTimes(1);
    const stopped = stop();
    finish[0]?.();
    await stopped;
  });

  it('that fails is logged and runs again', async () => {
    const run = vi.fn(async () => {
      throw new Error('the database is away');
    });
    const { stop } = running({ run });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await stop();
    expect(run).toHaveBeenCalledTimes(2);
    expect(failures).toEqual(['count', 'count']);
  });

  it('of one process is left to the process that has the turn', async () => {
    const run = vi.fn(async () => {});
    const { stop } = running({ run, runsIn: 'one process' }, { ...everybodysTurn, take: async () => false });
    await vi.advanceTimersByTimeAsync(MINUTE);
    await stop();
    expect(run).not.toHaveBeenCalled();
  });
});

forEachDatabase((sql) => {
  it('of several processes one takes the turn, and the next turn is free again', async () => {
    const jobs = makeJobs(sql());
    const taken = await Promise.all(['a', 'b', 'c'].map((by) => jobs.take('expire drafts', by, 0, MINUTE)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = ['a', 'b', 'c'][taken.indexOf(true)]!;
    await jobs.finish('expire drafts', winner, null);
    expect(await jobs.take('expire drafts', 'd', 0, MINUTE)).toBe(true);
  });
});
