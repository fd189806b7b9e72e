import type { ChannelPlatform } from '../platforms/platforms.ts';
import type { Fault, FaultRule } from './faults.ts';
import { refusalBody } from './telegram/bot-api.ts';

export type ChannelMood = (typeof channelMoods)[number]['id'];

type Misbehaviour = { times: number | null; fault: Record<ChannelPlatform, Fault> };

const WAIT_SECONDS = 10;
const SLOW_MS = 5_000;
const EVERY_TIME = null;

const onBoth = (fault: Fault) => ({ telegram: fault, max: fault });

/** Ways in which a channel can be made to fail, as somebody at the page chooses them. */
export const channelMoods = [
  { id: 'calm', title: 'Работает как обычно', does: null },
  {
    id: 'forbidden',
    title: 'Бот больше не администратор',
    does: {
      times: EVERY_TIME,
      fault: {
        telegram: {
          kind: 'status',
          status: 400,
          body: refusalBody(400, 'Bad Request: need administrator rights in the channel chat'),
        },
        max: { kind: 'status', status: 403 },
      },
    },
  },
  {
    id: 'wait',
    title: `Один раз попросит подождать ${WAIT_SECONDS} с`,
    does: { times: 1, fault: onBoth({ kind: 'status', status: 429, retryAfter: WAIT_SECONDS }) },
  },
  {
    id: 'slow',
    title: `Отвечает через ${SLOW_MS / 1000} с`,
    does: { times: EVERY_TIME, fault: onBoth({ kind: 'slow', ms: SLOW_MS }) },
  },
  {
    id: 'lost',
    title: 'Принимает, но ответ теряется',
    does: { times: EVERY_TIME, fault: onBoth({ kind: 'reset-after' }) },
  },
] as const satisfies readonly { id: string; title: string; does: Misbehaviour | null }[];

const ANY_REQUEST = '.';

export function isChannelMood(id: unknown): id is ChannelMood {
  return channelMoods.some((mood) => mood.id === id);
}

export function ruleOf(mood: ChannelMood, platform: ChannelPlatform, chat: string): FaultRule | null {
  const does = channelMoods.find(({ id }) => id === mood)?.does;
  return does ? { match: ANY_REQUEST, chat, times: does.times, fault: does.fault[platform] } : null;
}

/** What the rules of a stand-in mean for one of its chats. A rule that was not made here is no mood. */
export function moodOf(rules: readonly FaultRule[], platform: ChannelPlatform, chat: string): ChannelMood {
  const fault = rules.find((rule) => rule.chat === chat)?.fault;
  return channelMoods.find(({ does }) => does !== null && does.fault[platform] === fault)?.id ?? 'calm';
}
