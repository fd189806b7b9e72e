import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { DeadlinePassed, withDeadline } from '../../../src/clients/http/deadline.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the words of the interrupted call')));
  });

it('ends work that takes too long, however often memory is cleaned meanwhile', async () => {
  const caller = new AbortController();
  const work = withDeadline(60, caller.signal, untilAborted);
  const ended = expect(work).rejects.toBeInstanceOf(DeadlinePassed);
  await sleep(1);
  collectGarbage();
  await ended;
});

it('gives a caller who leaves their own reason back', async () => {
  const caller = new AbortController();
  const reason = new Error('the person has left');
  const work = withDeadline(60_000, caller.signal, untilAborted);
  caller.abort(reason);
  await expect(work).rejects.toBe(reason);
});

it('leaves work that is done in time alone', async () => {
  let seen: AbortSignal | undefined;
  const work = async (signal: AbortSignal) => {
    seen = signal;
    return 'done';
  };
  expect(await withDeadline(5, undefined, work)).toBe('done');
  await sleep(20);
  expect(seen?.aborted).toBe(false);
});
