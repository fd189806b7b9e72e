import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTelegramApi } from '../../../src/clients/telegram-api.ts';
import { createFaces } from '../../../src/messengers/faces.ts';
import { createTelegramFace } from '../../../src/messengers/telegram/show-screen.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';
import { rich } from '../../../src/screens/kit/screen.ts';
import { createPace } from '../../../src/services/notify/pace.ts';
import { makeTellPerson, type Subject } from '../../../src/services/notify/tell-person.ts';
import { makeUsers } from '../../../src/store/users.ts';
import { forEachDatabase } from '../../support/stores.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const log = pino({ level: 'silent' });

describe('the pace of pushes', () => {
  function played() {
    const clock = { now: 0 };
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    return { ...createPace({ now: () => clock.now, wait }), waits, clock };
  }

  it('is twenty a second, all people together', async () => {
    const { turn, waits } = played();
    for (let person = 0; person < 4; person += 1) await turn(person);
    expect(waits).toEqual([50, 100, 150]);
  });

  it('is one a second to one person, who holds back none of the others', async () => {
    const { turn, waits } = played();
    await turn(7);
    await turn(7);
    await turn(8);
    expect(waits).toEqual([1_000, 100]);
  });

  it('rests for everybody when the messenger asks for it', async () => {
    const { turn, rest, waits } = played();
    rest(3_000);
    await turn(7);
    expect(waits).toEqual([3_000]);
  });
});

forEachDatabase((sql) => {
  let telegram: TelegramStandIn;
  let anna: number;
  beforeAll(async () => {
    telegram = await startTelegramStandIn({ token });
  });
  afterAll(() => telegram.close());
  beforeEach(async () => {
    anna = telegram.people.add({ first_name: 'Анна' }).id;
    telegram.people.say(anna, '/start');
    await users().remember({ id: anna, username: null, firstName: 'Анна', lastName: null, isAdmin: false });
  });

  const users = () => makeUsers(sql());
  const seen = () => telegram.people.messages(anna).flatMap(({ from, text }) => (from?.is_bot ? [text] : []));

  function tell(about: Subject = 'important', userId = anna) {
    const api = openTelegramApi(token, { apiRoot: telegram.url, timeoutSeconds: 2 });
    const pace = createPace({ wait: async () => undefined });
    const { listens, setBlocked } = users();
    const tellPerson = makeTellPerson({
      listens,
      setBlocked,
      presenter: createFaces({ telegram: createTelegramFace(api, log) }, async (id) => ({
        messenger: 'telegram',
        chat: String(id),
      })),
      pace,
      log,
    });
    return tellPerson({ userId, about, screen: { text: rich`Токены кончаются`, keyboard: [] } });
  }

  const strike = (fault: Fault) => telegram.faults.add({ match: 'sendMessage', times: 1, fault });

  it('brings a push to a person who listens', async () => {
    expect(await tell('balance')).toBe('told');
    expect(seen()).toEqual(['Токены кончаются']);
  });

  it('obeys the switch of its subject, and no other', async () => {
    await sql()`update users set notify_balance = false where id = ${anna}`;
    expect(await tell('balance')).toBe('unwanted');
    expect(await tell('news')).toBe('told');
    expect(await tell('important')).toBe('told');
    expect(await tell('important', 424_242), 'of a stranger nothing is known').toBe('unwanted');
  });

  it('notes a person who blocked the bot, and does not try again until they are back', async () => {
    telegram.people.block(anna);
    expect(await tell()).toBe('blocked');
    const calls = telegram.calls().length;
    expect(await tell()).toBe('blocked');
    expect(telegram.calls()).toHaveLength(calls);
    telegram.people.unblock(anna);
    await users().remember({ id: anna, username: null, firstName: 'Анна', lastName: null, isAdmin: false });
    expect(await tell()).toBe('told');
  });

  it('says how long the messenger asks to wait', async () => {
    strike({ kind: 'status', status: 429, retryAfter: 30 });
    expect(await tell()).toEqual({ later: { afterMs: 30_000 } });
    expect(seen()).toEqual([]);
  });

  it('calls a push whose answer was lost unknown, and does not repeat it', async () => {
    strike({ kind: 'reset-after' });
    expect(await tell()).toBe('unknown');
    expect(seen()).toEqual(['Токены кончаются']);
  });
});
