import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { OperationKeyReused } from '../../src/errors.ts';
import { createJobs, type JobHandler } from '../../src/store/jobs.ts';
import { createOperations } from '../../src/store/operations.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  const kind = () => `kind-${randomUUID()}`;

  function jobs(handlers: Record<string, JobHandler>, leaseMs = 30_000) {
    const operations = createOperations(sql(), { leaseMs, pollMs: 10 });
    return createJobs({ sql: sql(), operations, handlers, log: pino({ level: 'silent' }) });
  }

  const statusOf = async (key: string) => {
    const [row] =
      await sql()`select status, attempts, result::text, error from operations where key = ${key}`;
    return row;
  };
  const isDue = (key: string) =>
    sql()`update operations set run_after = now(), lease_until = null where key = ${key}`;

  it('runs a job once, however often and from however many processes it is asked for', async () => {
    const its = kind();
    const ran: unknown[] = [];
    const handlers = {
      [its]: (async ({ payload, userId }) => ran.push([payload, userId])) satisfies JobHandler,
    };
    const [one, two] = [jobs(handlers), jobs(handlers)];
    const job = { key: randomUUID(), kind: its, userId: 7, payload: { slot: '09:00' } };
    expect(await one.enqueue(job)).toBe(true);
    expect(await two.enqueue(job)).toBe(false);
    await Promise.all([one.sweep(), two.sweep(), one.sweep()]);
    await one.sweep();
    expect(ran).toEqual([[{ slot: '09:00' }, 7]]);
    expect(await statusOf(job.key)).toMatchObject({ status: 'done', result: '1' });
  });

  it('refuses another job under the same key', async () => {
    const its = kind();
    const { enqueue } = jobs({});
    const job = { key: randomUUID(), kind: its, userId: null, payload: 1 };
    await enqueue(job);
    await expect(enqueue({ ...job, payload: 2 })).rejects.toThrow(OperationKeyReused);
  });

  it('does not begin a job before its time, nor one that this process has no handler for', async () => {
    const its = kind();
    const { enqueue, sweep } = jobs({ [its]: () => Promise.reject(new Error('too early')) });
    const later = {
      key: randomUUID(),
      kind: its,
      userId: null,
      payload: null,
      runAfter: Date.now() + 60_000,
    };
    const foreign = { key: randomUUID(), kind: kind(), userId: null, payload: null };
    await enqueue(later);
    await enqueue(foreign);
    await sweep();
    expect(await statusOf(later.key)).toMatchObject({ status: 'running', attempts: 0 });
    expect(await statusOf(foreign.key)).toMatchObject({ status: 'running', attempts: 0 });
  });

  it('goes on behind the last finished stage when a job is tried again', async () => {
    const its = kind();
    const did: string[] = [];
    const handlers: Record<string, JobHandler> = {
      async [its](_, { stage, attempt }) {
        await stage('charge', async () => did.push('charge'));
        if (attempt === 1) throw new Error('the site is away');
        await stage('publish', async () => did.push('publish'));
        return null;
      },
    };
    const { enqueue, sweep } = jobs(handlers);
    const job = { key: randomUUID(), kind: its, userId: 7, payload: null };
    await enqueue(job);
    await sweep();
    await sweep();
    expect(did, 'it rests before it is tried again').toEqual(['charge']);
    expect(await statusOf(job.key)).toMatchObject({ error: 'Error: the site is away' });
    await isDue(job.key);
    await sweep();
    expect(did).toEqual(['charge', 'publish']);
  });

  it('is taken over from a process that died in the middle of it', async () => {
    const its = kind();
    const did: string[] = [];
    const job = { key: randomUUID(), kind: its, userId: 7, payload: null };
    let reached = () => {};
    const middle = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying = jobs({
      async [its](_, { stage }) {
        await stage('charge', async () => did.push('charge'));
        reached();
        return new Promise(() => undefined); // the process is gone
      },
    });
    await dying.enqueue(job);
    void dying.sweep();
    await middle;
    const next = jobs({
      async [its](_, { stage }) {
        await stage('charge', async () => did.push('charge'));
        return stage('publish', async () => did.push('publish'));
      },
    });
    await next.sweep();
    expect(did, 'the lease still runs').toEqual(['charge']);
    await isDue(job.key);
    await next.sweep();
    expect(did).toEqual(['charge', 'publish']);
    expect(await statusOf(job.key)).toMatchObject({ status: 'done' });
  });

  it('is given up after many attempts, and the reason stays', async () => {
    const its = kind();
    const { enqueue, sweep } = jobs({ [its]: () => Promise.reject(new Error('never')) });
    const job = { key: randomUUID(), kind: its, userId: null, payload: null };
    await enqueue(job);
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await isDue(job.key);
      await sweep();
    }
    expect(await statusOf(job.key)).toMatchObject({ status: 'failed', attempts: 8, error: 'Error: never' });
  });
});
