import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduleCallHandlers } from '../../src/http/schedule-calls.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { NoRoom } from '../../src/services/schedules/fair-gate.ts';
import type { TakeSlotCall } from '../../src/services/schedules/take-slot-call.ts';

describe('a slot’s call over HTTP', () => {
  let take: TakeSlotCall;
  let isStopping = false;
  let server: ReturnType<typeof createHttpServer>;
  let address: string;
  beforeAll(async () => {
    const handlers = scheduleCallHandlers({
      isSigned: async () => true,
      takeSlotCall: (...call) => take(...call),
      noteGivenUp: async () => undefined,
      isStopping: () => isStopping,
      log: createLog('silent'),
    });
    server = createHttpServer(handlers, () => undefined);
    address = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/api/publish`;
  });
  afterAll(() => closeServer(server));

  async function comes() {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'upstash-signature': 'ok' },
      body: '{}',
    });
    const { headers, status } = response;
    const { reason } = (await response.json()) as { reason?: string };
    return {
      ...{ status, reason, retryAfter: headers.get('retry-after') },
      isFinal: headers.get('upstash-nonretryable-error') === 'true',
    };
  }
  const once = { retryAfter: null, isFinal: false };

  it('is answered 200 whatever became of the text, so that it is not brought again', async () => {
    const failed = { phrase: '', why: '', refunded: 320, isStopped: false, isAgainInAnHour: false };
    take = async () => ({ status: 'error', reason: 'publish_failed', ...failed });
    expect(await comes()).toEqual({ ...once, status: 200, reason: 'publish_failed' });
    take = async () => ({ status: 'skipped', reason: 'no_keywords' });
    expect(await comes()).toEqual({ ...once, status: 200, reason: 'no_keywords' });
  });

  it('is given up at once when it makes no sense', async () => {
    take = async () => 'nonsense';
    expect(await comes()).toEqual({ status: 489, reason: 'bad_payload', retryAfter: null, isFinal: true });
  });

  it('is asked for again where there is no room (S06), and where the process crashed on it', async () => {
    take = async () => {
      throw new NoRoom('no room in 300000 ms');
    };
    expect(await comes()).toEqual({ ...once, status: 503, reason: 'no_slot', retryAfter: '120' });
    take = async () => {
      throw new Error('a fault of ours');
    };
    expect(await comes()).toMatchObject({ ...once, status: 500 });
  });

  it('X21: is asked for again by a process that stops, also when it stopped in the middle of a run', async () => {
    take = async () => {
      isStopping = true;
      throw new NoRoom('closed');
    };
    expect(await comes()).toEqual({ ...once, status: 503, reason: 'shutting_down', retryAfter: '60' });
    take = async () => {
      throw new Error('not to be begun');
    };
    expect(await comes()).toEqual({ ...once, status: 503, reason: 'shutting_down', retryAfter: '60' });
  });
});
