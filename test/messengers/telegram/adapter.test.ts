import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTelegramApi } from '../../../src/clients/telegram-api.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Happenings } from '../../../src/engine/happenings.ts';
import type { Incoming } from '../../../src/engine/incoming.ts';
import { NotAdmitted, Stopping, StoreAway } from '../../../src/engine/not-applied.ts';
import { ChatClosed, type Presenter, ShowLater, type ShowRequest } from '../../../src/engine/presenter.ts';
import { createAdapter } from '../../../src/messengers/telegram/adapter.ts';
import { createLinkDecoder } from '../../../src/messengers/telegram/callback-data.ts';
import { createReplies, type Replies, type Reply } from '../../../src/messengers/telegram/replies.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';
import { to } from '../../../src/screens/kit/link.ts';
import { outage } from '../../../src/screens/kit/system.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const ANNA = 1001;
let telegram: TelegramStandIn;
beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
});
afterEach(() => telegram.close());

/** The adapter between the stand-in and an engine that the test plays. */
function adapter(
  handle: (incoming: Incoming) => Promise<void> = async () => undefined,
  outages: Pick<Parameters<typeof createAdapter>[0], 'now' | 'isFirstToTell' | 'replies'> = {},
) {
  const events: Incoming[] = [];
  const shown: ShowRequest[] = [];
  const log: Record<string, unknown>[] = [];
  const presenter: Presenter = {
    async show(request) {
      shown.push(request);
      return { messageId: '1' };
    },
  };
  const handleUpdate = createAdapter({
    api: openTelegramApi(token, { apiRoot: telegram.url, timeoutSeconds: 5 }),
    engine: {
      handle: (incoming: Incoming) => {
        events.push(incoming);
        return handle(incoming);
      },
    } as Engine,
    presenter,
    ...outages,
    decode: createLinkDecoder(['nav:projects']),
    happenings: {} as Happenings,
    log: pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
  });
  return { events, shown, log, presenter, handleUpdate, hears, hearsAtOnce, hearsByWebhook };

  /** Everything that waits at Telegram. */
  async function hears(): Promise<void> {
    const waiting = telegram.pendingUpdates();
    for (const update of waiting) await handleUpdate(update as never);
  }

  /** The same, and what travels back with the answers. */
  async function hearsByWebhook(): Promise<unknown[]> {
    const replies: unknown[] = [];
    for (const update of telegram.pendingUpdates())
      replies.push(await handleUpdate(update as never, { takesReply: true }));
    return replies;
  }

  async function hearsAtOnce(): Promise<void> {
    await Promise.all(telegram.pendingUpdates().map((update) => handleUpdate(update as never)));
  }
}

const press = (data: string) => telegram.people.press(ANNA, 55, data, { forge: true });
const says = (text: string) => telegram.people.say(ANNA, text);

const callsOf = (name: string) => telegram.calls().filter(({ method }) => method === name);

describe('a press that came by webhook', () => {
  it('is acknowledged in the answer to it, with its toast', async () => {
    const bot = adapter(async ({ acknowledge }) => void acknowledge('Не найдено'));
    press('nav:projects');
    expect(await bot.hearsByWebhook()).toEqual([
      { method: 'answerCallbackQuery', callback_query_id: expect.any(String), text: 'Не найдено' },
    ]);
    expect(callsOf('answerCallbackQuery')).toEqual([]);
  });

  it('is acknowledged by a call of its own when its screen takes long', async () => {
    const bot = adapter(async ({ acknowledge }) => {
      acknowledge('Сейчас');
      await expect.poll(() => callsOf('answerCallbackQuery').length).toBe(1);
    });
    const { answer } = press('nav:projects');
    expect(await bot.hearsByWebhook()).toEqual([null]);
    expect(await answer()).toEqual({ text: 'Сейчас' });
  });

  it('is acknowledged all the same when it could not be applied', async () => {
    const bot = adapter(async ({ acknowledge }) => {
      acknowledge();
      throw new NotAdmitted('another process was first');
    });
    const { answer } = press('nav:projects');
    await expect(bot.hearsByWebhook()).rejects.toThrow(NotAdmitted);
    expect(await answer()).toEqual({});
  });

  it('takes nothing back with a text', async () => {
    says('Ромашка');
    expect(await adapter().hearsByWebhook()).toEqual([null]);
  });
});

describe('a text that came by webhook', () => {
  const reply: Reply = {
    method: 'editMessageReplyMarkup',
    chat_id: ANNA,
    message_id: 7,
    reply_markup: { inline_keyboard: [] },
  };

  /** As the presenter does when a question is past. */
  const boarding = (replies: Replies, alone: () => void) => replies.board(ANNA, { reply, alone });

  it('takes the buttons off the question it answers in the answer to it, without a call', async () => {
    const replies = createReplies();
    const alone = vi.fn();
    const bot = adapter(async () => void boarding(replies, alone), { replies });
    says('Ромашка');
    expect(await bot.hearsByWebhook()).toEqual([reply]);
    expect(alone).not.toHaveBeenCalled();
  });

  it('leaves it to a call of its own when the update is refused', async () => {
    const replies = createReplies();
    const alone = vi.fn();
    const bot = adapter(
      async () => {
        boarding(replies, alone);
        throw new NotAdmitted('another process was first');
      },
      { replies },
    );
    says('Ромашка');
    await expect(bot.hearsByWebhook()).rejects.toThrow(NotAdmitted);
    expect(alone).toHaveBeenCalledOnce();
  });

  it('carries one call, and none behind its answer', async () => {
    const replies = createReplies();
    const boarded: boolean[] = [];
    const board = () => boarded.push(boarding(replies, () => undefined));
    const bot = adapter(
      async () => {
        board();
        board();
      },
      { replies },
    );
    says('Ромашка');
    await bot.hearsByWebhook();
    board();
    expect(boarded).toEqual([true, false, false]);
  });
});

describe('an update', () => {
  it('that comes together with others is heard in its turn, whatever it is', async () => {
    const bot = adapter();
    says('Ромашка');
    press('nav:projects');
    says('ООО «Ромашка»');
    telegram.people.sticker(ANNA);
    press('nav:projects');
    await bot.hearsAtOnce();
    const kinds = bot.events.map(({ action }) => action.kind);
    expect(kinds).toEqual(['text', 'press', 'text', 'other', 'press']);
  });

  it('becomes what the person did, and who they are', async () => {
    const bot = adapter();
    says('/start ref_5');
    press('nav:projects');
    await bot.hears();
    expect(bot.events).toMatchObject([
      {
        userId: ANNA,
        person: { username: 'anna_cvety', firstName: 'Анна', lastName: null },
        action: { kind: 'command', name: 'start', payload: 'ref_5' },
      },
      { userId: ANNA, action: { kind: 'press', link: to('nav:projects'), messageId: '55' } },
    ]);
    expect(bot.events[0]!.updateId).toBe(telegram.pendingUpdates()[0]!.update_id);
  });

  it.each([
    ['a changed message', { edited_message: messageIn({ id: ANNA, type: 'private' }) }],
    ['a post in a channel', { channel_post: messageIn({ id: -100, type: 'channel', title: 'Канал' }) }],
    ['a word in a group', { message: messageIn({ id: -200, type: 'group', title: 'Группа' }) }],
    ['a word in a large group', { message: messageIn({ id: -100200, type: 'supergroup', title: 'Группа' }) }],
    ['a vote', { poll_answer: { poll_id: '1', user: anna(), option_ids: [0] } }],
    ['a block', { my_chat_member: { chat: { id: ANNA, type: 'private' }, from: anna(), date: 1 } }],
    ['something Telegram will invent', { time_travel: { to: 1999 } }],
  ])('that is %s is passed over, and the log says so', async (_, content) => {
    const bot = adapter();
    telegram.people.inject(content);
    await bot.hears();
    expect(bot.events).toEqual([]);
    expect(bot.log).toContainEqual(
      expect.objectContaining({ msg: 'update ignored', kind: Object.keys(content)[0] }),
    );
  });

  it('that is a press in a group ends its spinner and nothing else', async () => {
    const bot = adapter();
    const { answer } = pressInGroup();
    await bot.hears();
    expect(bot.events).toEqual([]);
    expect(await answer()).toEqual({});
  });

  it('that is a press in a group too old to be answered is over all the same', async () => {
    const bot = adapter();
    telegram.faults.add({
      match: 'answerCallbackQuery',
      fault: { kind: 'status', status: 400 },
    });
    pressInGroup();
    await expect(bot.hears()).resolves.toBeUndefined();
  });

  it('of another bot is ignored', async () => {
    const bot = adapter();
    const message = messageIn({ id: ANNA, type: 'private' });
    telegram.people.inject({ message: { ...message, from: { ...anna(), is_bot: true } } });
    await bot.hears();
    expect(bot.events).toEqual([]);
  });

  it('loses what no store takes in a name', async () => {
    const bot = adapter();
    const message = messageIn({ id: ANNA, type: 'private' });
    const from = { ...anna(), first_name: 'А\u0000нна', last_name: '\ud83d', username: undefined };
    telegram.people.inject({ message: { ...message, from } });
    await bot.hears();
    expect(bot.events[0]!.person).toEqual({ firstName: 'Анна', lastName: '\ufffd', username: null });
  });
});

describe('a press', () => {
  it('is answered with the toast of the engine, once', async () => {
    const bot = adapter(async ({ acknowledge }) => {
      expect(acknowledge('Не найдено')).toBe(true);
      expect(acknowledge('Ещё раз')).toBe(false);
    });
    const { answer } = press('nav:projects');
    await bot.hears();
    expect(await answer()).toEqual({ text: 'Не найдено' });
    expect(telegram.calls().filter(({ method }) => method === 'answerCallbackQuery')).toHaveLength(1);
  });

  it.each([
    ['as it is, when it fits', 'ж'.repeat(200), 'ж'.repeat(200)],
    ['cut, when it does not', 'ж'.repeat(201), `${'ж'.repeat(199)}…`],
    ['cut between letters, never within one', `ж${'🌷'.repeat(100)}`, `ж${'🌷'.repeat(99)}…`],
  ])('shows a toast %s', async (_, toast, shown) => {
    const bot = adapter(async ({ acknowledge }) => void acknowledge(toast));
    const { answer } = press('nav:projects');
    await bot.hears();
    expect(await answer()).toEqual({ text: shown });
  });

  it('loses its spinner although the engine does not come back', async () => {
    const bot = adapter(() => new Promise(() => undefined));
    const { answer } = press('nav:projects');
    void bot.hears();
    expect(await answer(5_000)).toEqual({});
  });

  it.each([
    ['asks to wait', { kind: 'status', status: 429, retryAfter: 0 }],
    ['breaks off the connection', { kind: 'reset' }],
  ] as const)('is answered all the same when Telegram %s', async (_, fault) => {
    telegram.faults.add({ match: 'answerCallbackQuery', fault, times: 1 });
    const bot = adapter(async ({ acknowledge }) => void acknowledge('Готово'));
    const { answer } = press('nav:projects');
    await bot.hears();
    expect(await answer(5_000)).toMatchObject({ text: 'Готово' });
  });

  it('that can no longer be answered is handled all the same', async () => {
    telegram.faults.add({ match: 'answerCallbackQuery', fault: { kind: 'status', status: 400 } });
    const bot = adapter(async ({ acknowledge }) => void acknowledge());
    press('nav:projects');
    await bot.hears();
    expect(bot.events).toHaveLength(1);
  });
});

describe('an update that failed', () => {
  const broken = () => adapter(() => Promise.reject(new Error('the database is away')));

  it('is apologised for, with the same button to try again', async () => {
    const bot = broken();
    const { answer } = press('nav:projects');
    await bot.hears();
    expect(await answer()).toEqual({});
    expect(bot.shown).toEqual([
      {
        userId: ANNA,
        notice: null,
        replace: null,
        screen: {
          text: [{ markup: 'Произошла ошибка. Попробуйте позже.' }],
          keyboard: [
            [{ label: 'Повторить', link: to('nav:projects'), style: 'primary' }],
            [{ label: 'Меню', link: to('nav:dashboard') }],
          ],
        },
      },
    ]);
    expect(bot.log).toContainEqual(expect.objectContaining({ msg: 'an update failed', user: ANNA }));
  });

  it('without a press, or with unknown data, leaves the way to the menu', async () => {
    for (const act of [() => says('Привет'), () => press('forged')]) {
      const bot = broken();
      act();
      await bot.hears();
      expect(bot.shown[0]!.screen.keyboard.flat().map(({ label }) => label)).toEqual(['Меню']);
    }
  });

  it('is apologised for once in an outage, also when several come at once', async () => {
    const bot = broken();
    for (let each = 0; each < 3; each += 1) press('nav:projects');
    await Promise.all([bot.hears(), bot.hears()]);
    await bot.hears();
    expect(bot.shown).toHaveLength(1);
  });

  it('is apologised for again in the next outage', async () => {
    let works = false;
    const bot = adapter(async () => {
      if (!works) throw new Error('the database is away');
    });
    says('раз');
    await bot.hears();
    works = true;
    await bot.hears();
    works = false;
    await bot.hears();
    expect(bot.shown).toHaveLength(2);
  });

  it('and whose apology could not be brought comes again, to be tried or told', async () => {
    const bot = broken();
    bot.presenter.show = () => Promise.reject(new ShowLater(null));
    says('раз');
    await expect(bot.hears()).rejects.toThrow(ShowLater);
    bot.presenter.show = async (request) => {
      bot.shown.push(request);
      return { messageId: '1' };
    };
    await bot.hears();
    expect(bot.shown).toHaveLength(1);
  });

  it('of a person who blocked the bot is over: no apology is sent', async () => {
    const bot = broken();
    bot.presenter.show = () => Promise.reject(new ChatClosed('blocked'));
    says('раз');
    await expect(bot.hears()).resolves.toBeUndefined();
  });

  it.each([new Stopping('no new work'), new NotAdmitted('locked'), new StoreAway('Redis is away')])(
    'because of $name is not apologised for: Telegram brings it again',
    async (error) => {
      const bot = adapter(() => Promise.reject(error));
      says('раз');
      await expect(bot.hears()).rejects.toBe(error);
      expect(bot.shown).toEqual([]);
    },
  );
});

describe('a store that is away', () => {
  const during = (clock: { now: number }, isFirstToTell = async () => true) => {
    let away = true;
    const bot = adapter(
      async () => {
        if (away) throw new StoreAway('Redis is away');
      },
      { now: () => clock.now, isFirstToTell },
    );
    return Object.assign(bot, {
      comesBack() {
        away = false;
      },
      isAway() {
        away = true;
      },
    });
  };

  it('is told of once, and only when it lasts', async () => {
    const clock = { now: 1_000 };
    const bot = during(clock);
    says('раз');
    await expect(bot.hears()).rejects.toThrow(StoreAway);
    expect(bot.shown).toEqual([]);
    for (let each = 0; each < 3; each += 1) {
      clock.now += 10_000;
      await expect(bot.hears()).rejects.toThrow(StoreAway);
    }
    expect(bot.shown.map(({ screen }) => screen)).toEqual([{ text: outage, keyboard: [] }]);
  });

  it('is told of again in the next outage', async () => {
    const clock = { now: 1_000 };
    const bot = during(clock);
    says('раз');
    for (const isAway of [true, true, false, true, true]) {
      if (isAway) bot.isAway();
      else bot.comesBack();
      await bot.hears().catch(() => undefined);
      clock.now += 10_000;
    }
    expect(bot.shown).toHaveLength(2);
  });

  it('is not told of when another process has done so', async () => {
    const clock = { now: 1_000 };
    const bot = during(clock, async () => false);
    says('раз');
    await expect(bot.hears()).rejects.toThrow(StoreAway);
    clock.now += 10_000;
    await expect(bot.hears()).rejects.toThrow(StoreAway);
    expect(bot.shown).toEqual([]);
  });
});

describe('an update without the form that Telegram promises', () => {
  const nothing = undefined;
  it.each([
    { message: 5 },
    { message: { chat: { type: 'private' }, text: 5 } },
    { message: { chat: { type: 'private' }, from: { id: 7, first_name: 5 }, text: 'Привет' } },
    { message: nothing },
    { callback_query: { id: '1', from: anna(), message: {} } },
    { callback_query: 5 },
  ])('is ignored: %j', async (content) => {
    const bot = adapter();
    expect(await bot.handleUpdate({ update_id: 1, ...content } as never)).toBeNull();
    expect(bot.events).toEqual([]);
  });

  it('is noted in the log', async () => {
    const bot = adapter();
    await bot.handleUpdate({ update_id: 1, message: 5 } as never);
    expect(bot.log).toMatchObject([{ update: 1, msg: 'update not understood' }]);
  });
});

function anna() {
  return { id: ANNA, is_bot: false, first_name: 'Анна' };
}

function messageIn(chat: object) {
  return { message_id: 5, date: 1, chat, from: anna(), text: 'Привет' };
}

/** A press that Telegram knows of, on a message that the bot sent to a group. */
function pressInGroup() {
  const pressed = press('nav:projects');
  const update = telegram.pendingUpdates().at(-1)!;
  const { callback_query } = update;
  const message = messageIn({ id: -200, type: 'group', title: 'Группа' });
  Object.assign(callback_query!, { message });
  return pressed;
}
