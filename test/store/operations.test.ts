import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { OperationKeyReused, OperationLost } from '../../src/errors.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createOperations, releaseLeases } from '../../src/store/operations.ts';
import { forEachDatabase, freshDatabase } from '../support/stores.ts';

const call = (more = {}) => ({
  key: randomUUID(),
  userId: 7,
  request: { topic: 'окна', images: 4 },
  ...more,
});

/** A promise to be settled from outside: work that ends when the test says so. */
function pending<Value>() {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

forEachDatabase((sql) => {
  const operations = (options: { leaseMs?: number; pollMs?: number } = {}) =>
    createOperations(sql(), { pollMs: 10, ...options });

  const rowOf = async (key: string) => {
    const [row] =
      await sql()`select status, stages, result, error, lease_token from operations where key = ${key}`;
    return row;
  };

  /** As if the process that holds the lease had been silent for too long. */
  const expireLease = (key: string) =>
    sql()`update operations set lease_until = now() - interval '1 hour' where key = ${key}`;

  describe('an effect that is one statement', () => {
    const naming = (id: number) =>
      sql()`insert into users (id) select ${id}::bigint from first returning to_json(id) as result`;

    it('happens once under twenty callers, and all get its result', async () => {
      const asked = call();
      const ids = Array.from({ length: 20 }, (_, n) => 5_000 + n);
      const results = await Promise.all(ids.map((id) => operations().inStatement(asked, naming(id))));
      const named = await sql()`select id from users where id = any(${ids})`;
      expect(named).toEqual([{ id: results[0] }]);
      expect(new Set(results)).toEqual(new Set([results[0]]));
      expect(await rowOf(asked.key)).toMatchObject({ status: 'done', result: results[0] });
    });

    it('leaves nothing behind when it fails, and may be tried again', async () => {
      const asked = call();
      await sql()`insert into users (id) values (5100)`;
      await expect(operations().inStatement(asked, naming(5_100))).rejects.toThrow('users_pkey');
      expect(await rowOf(asked.key)).toBeUndefined();
      expect(await operations().inStatement(asked, naming(5_101))).toBe(5_101);
    });

    it('that changed nothing may be tried again', async () => {
      const asked = call();
      const nobody = sql()`select to_json(1) as result from first where false`;
      expect(await operations().inStatement(asked, nobody)).toBeNull();
      expect(await operations().inStatement(asked, naming(5_200))).toBe(5_200);
    });

    it('refuses another request, or another person, under the same key', async () => {
      const asked = call();
      await operations().inStatement(asked, naming(5_300));
      const again = (more: object) => operations().inStatement({ ...asked, ...more }, naming(5_301));
      await expect(again({ request: { topic: 'двери', images: 4 } })).rejects.toThrow(OperationKeyReused);
      await expect(again({ userId: 8 })).rejects.toThrow(OperationKeyReused);
      expect(await again({ request: { images: 4, topic: 'окна' } })).toBe(5_300);
      expect(await sql()`select from users where id = 5301`).toHaveLength(0);
    });
  });

  describe('an effect inside our database', () => {
    it('happens once under twenty callers, and all get its result', async () => {
      const asked = call();
      const work = vi.fn(async () => ({ id: randomUUID() }));
      const results = await Promise.all(
        Array.from({ length: 20 }, () => operations().inTransaction(asked, work)),
      );
      expect(work).toHaveBeenCalledTimes(1);
      expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    });

    it('leaves nothing behind when it throws, and may be tried again', async () => {
      const asked = call();
      const registering = operations().inTransaction(asked, async (tx) => {
        await tx`insert into users (id) values (1001)`;
        throw new Error('the process stumbled');
      });
      await expect(registering).rejects.toThrow('the process stumbled');
      expect(await sql()`select id from users where id = 1001`).toHaveLength(0);
      expect(await rowOf(asked.key)).toBeUndefined();
      expect(await operations().inTransaction(asked, async () => 'second')).toBe('second');
    });

    it('refuses another request, or another person, under the same key', async () => {
      const asked = call();
      await operations().inTransaction(asked, async () => 1);
      const again = (more: object) => operations().inTransaction({ ...asked, ...more }, async () => 2);
      await expect(again({ request: { topic: 'двери', images: 4 } })).rejects.toThrow(OperationKeyReused);
      await expect(again({ userId: 8 })).rejects.toThrow(OperationKeyReused);
      expect(await again({ request: { images: 4, topic: 'окна' } })).toBe(1);
    });

    it('gives back every kind of result, also what jsonb would refuse', async () => {
      for (const result of [
        null,
        0,
        false,
        'строка',
        [1, { a: [] }],
        { text: 'a\u0000b', emoji: '\ud83d' },
      ]) {
        const asked = call();
        await operations().inTransaction(asked, async () => result);
        expect(await operations().inTransaction(asked, async () => 'another')).toEqual(result);
      }
    });
  });

  describe('work that was told to stop and does not hear it', () => {
    it('keeps its key no longer than its lease, and another one goes on', async () => {
      const ours = operations({ leaseMs: 300 });
      const asked = call();
      const overdue = new AbortController();
      const [reached, stuck] = [pending<void>(), pending<string>()];
      const hanging = ours.withStages({ ...asked, signal: overdue.signal }, async (stage) => {
        await stage('text', async () => 'written once');
        overdue.abort(new Error('too long'));
        reached.settle();
        return stuck.promise;
      });
      await reached.promise; // on two connections the second caller may claim the key first
      const taken = ours.withStages(asked, async (stage) => stage('text', async () => 'written twice'));
      expect(await taken).toBe('written once');
      stuck.settle('late');
      await expect(hanging).rejects.toThrow(OperationLost);
    });
  });

  describe('an effect outside', () => {
    it('happens once under twenty callers, and all get its result', async () => {
      const asked = call();
      const publish = vi.fn(async () => 'https://blog.example/1');
      const results = await Promise.all(
        Array.from({ length: 20 }, () =>
          operations().withStages(asked, (stage) => stage('publish', publish)),
        ),
      );
      expect(publish).toHaveBeenCalledTimes(1);
      expect(new Set(results)).toEqual(new Set(['https://blog.example/1']));
    });

    it('keeps finished stages when a later one throws, and continues behind them', async () => {
      const asked = call();
      const write = vi.fn(async () => ({ text: 'статья', half: '\ud83d' }));
      const failing = operations().withStages(asked, async (stage) => {
        await stage('write', write);
        return stage('publish', () => Promise.reject(new Error('the site is down')));
      });
      await expect(failing).rejects.toThrow('the site is down');
      expect(await rowOf(asked.key)).toMatchObject({
        status: 'running',
        error: 'Error: the site is down',
        lease_token: null,
      });

      const result = await operations().withStages(asked, async (stage) => {
        const { text, half } = await stage('write', write);
        return stage('publish', async () => `${text}${half} published`);
      });
      expect(result).toBe('статья\ud83d published');
      expect(write).toHaveBeenCalledTimes(1);
      expect(await rowOf(asked.key)).toMatchObject({ status: 'done', error: null });
    });

    it('is taken over behind its finished stages when its process has died, and a late worker loses', async () => {
      const asked = call();
      const write = vi.fn(async () => 'text');
      const [reached, stuck] = [pending<void>(), pending<string>()];
      const late = operations().withStages(asked, async (stage) => {
        await stage('write', write);
        return stage('publish', () => {
          reached.settle();
          return stuck.promise;
        });
      });
      await reached.promise;
      await expireLease(asked.key);

      const result = await operations().withStages(asked, async (stage) => {
        const text = await stage('write', write);
        return stage('publish', async () => `${text} by the second`);
      });
      expect(result).toBe('text by the second');
      expect(write).toHaveBeenCalledTimes(1);

      stuck.settle('by the first');
      await expect(late).rejects.toThrow(OperationLost);
      expect(await rowOf(asked.key)).toMatchObject({
        status: 'done',
        result: 'text by the second',
        error: null,
      });
    });

    it('does not let a late worker finish while the next one is still working', async () => {
      const asked = call();
      const [firstRuns, firstEnds] = [pending<void>(), pending<string>()];
      const late = operations().withStages(asked, () => {
        firstRuns.settle();
        return firstEnds.promise;
      });
      await firstRuns.promise;
      await expireLease(asked.key);
      const [secondRuns, secondEnds] = [pending<void>(), pending<string>()];
      const next = operations().withStages(asked, () => {
        secondRuns.settle();
        return secondEnds.promise;
      });
      await secondRuns.promise;
      firstEnds.settle('first');
      await expect(late).rejects.toThrow(OperationLost);
      secondEnds.settle('second');
      expect(await next).toBe('second');
    });

    it('tells the work that its lease was lost, and its end of that is no failure', async () => {
      const asked = call();
      const running = pending<void>();
      const losing = operations({ leaseMs: 150 }).withStages(asked, (_stage, signal) => {
        running.settle();
        return new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('request aborted')));
        });
      });
      await running.promise;
      await sql()`update operations set lease_token = 'somebody else' where key = ${asked.key}`;
      await expect(losing).rejects.toThrow(OperationLost);
    });

    it('is not taken over while its process renews the lease', async () => {
      const asked = call();
      const [reached, ends] = [pending<void>(), pending<string>()];
      const leaseMs = 3_000;
      const slow = operations({ leaseMs }).withStages(asked, () => {
        reached.settle();
        return ends.promise;
      });
      await reached.promise;
      const leaseOf = async () => {
        const [row] = await sql()`select lease_until from operations where key = ${asked.key}`;
        return row?.lease_until as Date;
      };
      const first = await leaseOf();
      await vi.waitFor(
        async () => expect((await leaseOf()).getTime()).toBeGreaterThan(first.getTime()),
        10_000,
      );
      const second = vi.fn(async () => 'second');
      const waiting = operations().withStages(asked, second);
      ends.settle('first');
      expect(await Promise.all([slow, waiting])).toEqual(['first', 'first']);
      expect(second).not.toHaveBeenCalled();
    });

    it('refuses another request under the same key, finished or not', async () => {
      const asked = call();
      const other = { ...asked, request: { topic: 'двери' } };
      const ends = pending<string>();
      const running = operations().withStages(asked, () => ends.promise);
      await vi.waitFor(async () => expect(await rowOf(asked.key)).toBeDefined());
      await expect(operations().withStages(other, async () => 'other')).rejects.toThrow(OperationKeyReused);
      ends.settle('done');
      await running;
      await expect(operations().withStages(other, async () => 'other')).rejects.toThrow(OperationKeyReused);
    });

    it('lets a caller stop waiting', async () => {
      const asked = call();
      const ends = pending<string>();
      const running = operations().withStages(asked, () => ends.promise);
      await vi.waitFor(async () => expect(await rowOf(asked.key)).toBeDefined());
      const stop = new AbortController();
      const waiting = operations().withStages({ ...asked, signal: stop.signal }, async () => 'second');
      stop.abort(new Error('shutting down'));
      await expect(waiting).rejects.toThrow();
      ends.settle('first');
      expect(await running).toBe('first');
    });

    it('is not judged while the database is away, whatever failed first', async () => {
      const asked = call();
      const away = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
      const stumbling = operations().withStages(asked, () => Promise.reject(away));
      await expect(stumbling).rejects.toThrow(OperationLost);
      await expect(stumbling).rejects.toHaveProperty('cause', away);
      expect(await operations().withStages(asked, async () => 'later')).toBe('later');
    });

    it('keeps both of two stages that finish together', async () => {
      const asked = call();
      const run = () =>
        operations().withStages(asked, async (stage) => {
          await Promise.all([stage('text', async () => 't'), stage('images', async () => ['i'])]);
          throw new Error('later');
        });
      await expect(run()).rejects.toThrow('later');
      expect(Object.keys((await rowOf(asked.key))?.stages as object).sort()).toEqual(['images', 'text']);
    });

    it('goes on at once when a process knows that it is alone', async () => {
      const asked = call();
      const dead = operations().withStages(asked, async (stage) => {
        await stage('text', async () => 'written');
        await new Promise(() => undefined);
        return 'never';
      });
      dead.catch(() => undefined);
      await vi.waitFor(async () => expect((await rowOf(asked.key))?.stages).toHaveProperty('text'));
      await releaseLeases(sql());
      const result = await operations().withStages(asked, (stage) => stage('text', async () => 'again'));
      expect(result).toBe('written');
    });
  });
});

it('an effect outside is put off, not failed, when the database cannot even be asked about it', async () => {
  const { sql, close } = await openDatabase({ url: 'postgres://127.0.0.1:1/none', dataDir: '' });
  const work = vi.fn(async () => 'done');
  await expect(createOperations(sql).withStages(call(), work)).rejects.toThrow(OperationLost);
  expect(work).not.toHaveBeenCalled();
  await close();
});

it('tells the work that its lease has run out while the database says nothing', async () => {
  const { sql, close } = await freshDatabase('PGlite');
  const [reached, told, end] = [pending<void>(), pending<unknown>(), pending<void>()];
  const working = createOperations(sql, { leaseMs: 300 }).withStages(call(), async (_stage, signal) => {
    signal.addEventListener('abort', () => told.settle(signal.reason));
    reached.settle();
    await end.promise;
    return 'done';
  });
  await reached.promise;
  const silence = sql.begin(() => end.promise); // its only connection
  expect(await told.promise).toBeInstanceOf(OperationLost);
  end.settle();
  await Promise.allSettled([silence, working]);
  await close();
});
