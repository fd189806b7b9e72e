import { type Api, InputFile } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTelegramApi } from '../../src/clients/telegram-api.ts';
import { faultOf } from '../../src/messengers/telegram/api-fault.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';

const TOKEN = '1000000001:A-TOKEN-THAT-OPENS-NOTHING-AT-ALL';
const PERSON = 1001;

describe('calls to Telegram', () => {
  let telegram: TelegramStandIn;
  let api: Api;
  beforeAll(async () => {
    telegram = await startTelegramStandIn({ token: TOKEN });
    telegram.people.start(PERSON);
    api = openTelegramApi(TOKEN, { apiRoot: telegram.url, timeoutSeconds: 1 });
  });
  beforeEach(() => telegram.faults.clear());
  afterAll(() => telegram.close());

  it('bring a text of any alphabet', async () => {
    const text = 'Цветы «Ромашка» ☕ & <ко>';
    await expect(api.sendMessage(PERSON, text)).resolves.toMatchObject({ text });
  });

  it('bring a file, byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251));
    const { document } = await api.sendDocument(PERSON, new InputFile(bytes, 'отчёт.csv'));
    expect(telegram.file(document!.file_id)?.bytes.equals(bytes)).toBe(true);
  });

  it('tell what Telegram refused', async () => {
    const refused = await faultIn(api.sendMessage(PERSON, ''));
    expect(refused).toEqual({ kind: 'refused' });
  });

  it('tell how long Telegram wants to be left alone', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status: 429, retryAfter: 7 } });
    expect(await faultIn(api.sendMessage(PERSON, 'Алло'))).toEqual({ kind: 'wait', ms: 7_000 });
  });

  it.each(['reset', 'reset-after', 'hang', 'hang-after', 'malformed', 'truncated'] as const)(
    'leave it open whether a message arrived when the answer was lost: %s',
    async (kind) => {
      telegram.faults.add({ match: 'sendMessage', fault: { kind } });
      expect(await faultIn(api.sendMessage(PERSON, 'Алло'))).toEqual({ kind: 'unknown' });
    },
  );

  it('know that a message to a closed port never left', async () => {
    const nowhere = openTelegramApi(TOKEN, { apiRoot: 'http://127.0.0.1:1', timeoutSeconds: 1 });
    expect(await faultIn(nowhere.sendMessage(PERSON, 'Алло'))).toEqual({ kind: 'unreached' });
  });

  it('give up a Telegram that has gone silent in the middle of a long poll', async () => {
    telegram.faults.add({ match: 'getUpdates', fault: { kind: 'hang' } });
    const impatient = openTelegramApi(TOKEN, { apiRoot: telegram.url, timeoutSeconds: 0.1 });
    await expect(impatient.getUpdates({ timeout: 25 })).rejects.toHaveProperty(
      'error.cause.name',
      'DeadlinePassed',
    );
  });

  it('end when they are called off', async () => {
    const calledOff = new AbortController();
    telegram.faults.add({ match: 'getUpdates', fault: { kind: 'hang' } });
    const polling = api.getUpdates({ timeout: 30 }, calledOff.signal as never);
    calledOff.abort();
    await expect(polling).rejects.toThrow();
  });
});

async function faultIn(call: Promise<unknown>) {
  return call.then(
    () => null,
    (error: unknown) => faultOf(error),
  );
}
