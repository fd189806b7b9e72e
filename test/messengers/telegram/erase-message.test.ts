import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTelegramApi } from '../../../src/clients/telegram-api.ts';
import { makeEraseMessage } from '../../../src/messengers/telegram/erase-message.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const ANNA = 1001;
let telegram: TelegramStandIn;
beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
  telegram.people.say(ANNA, 'abcd efgh ijkl mnop');
});
afterEach(() => telegram.close());

async function erase() {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  const api = openTelegramApi(token, { apiRoot: telegram.url, timeoutSeconds: 1 });
  await makeEraseMessage(api, log, { pausesMs: [1, 1] })(telegram.pendingUpdates()[0]!.message as never);
  return warnings;
}

const strike = (fault: Fault, times = 1) => telegram.faults.add({ match: 'deleteMessage', times, fault });
const tooMany = { ok: false, error_code: 429, description: 'Too Many', parameters: { retry_after: 0 } };

describe('a message with a secret', () => {
  it.each<[string, Fault]>([
    ['is out of order', { kind: 'status', status: 502 }],
    ['takes no more calls for a while', { kind: 'status', status: 429, body: tooMany }],
    ['drops the connection', { kind: 'reset' }],
    ['drops the connection with the answer', { kind: 'reset-after' }],
  ])('is gone although Telegram %s', async (_, fault) => {
    strike(fault);
    expect(await erase()).toEqual([]);
    expect(telegram.people.messages(ANNA)).toEqual([]);
  });

  it('that stays after all is spoken of in the log', async () => {
    strike({ kind: 'status', status: 502 }, 3);
    expect(await erase()).toEqual(['a message with a secret stays in the chat']);
    expect(telegram.people.messages(ANNA)).toHaveLength(1);
  });

  it('that may not be deleted is not asked for again', async () => {
    strike({ kind: 'status', status: 400 });
    expect(await erase()).toHaveLength(1);
    expect(telegram.people.messages(ANNA)).toHaveLength(1);
  });
});
