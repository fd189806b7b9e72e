import type { HeldChannel, Monitor, RecentEvent } from '../autopost/store/monitor.ts';
import { reasonOf, statuses, type Tone, wordsOf } from './autopost-words.ts';

export type AutopostOverview = {
  counts: { id: string; title: string; tone: Tone; amount: number }[];
  /** The newest first. */
  events: { at: number; what: string; words: string; tone: Tone }[];
  /** Channels that take nothing now, and why. */
  held: { channelId: string; words: string }[];
};

const EVENTS_READ = 200;
const LINES_SHOWN = 40;

/** Where every post is and what happened to it last, in words for a person. */
export function makeAutopostOverview(
  monitor: Pick<Monitor, 'snapshot' | 'recent' | 'held'>,
  workspaceId: string,
  now: () => number = Date.now,
) {
  return async (): Promise<AutopostOverview> => {
    const [{ byStatus }, events, held] = await Promise.all([
      monitor.snapshot(workspaceId),
      monitor.recent(workspaceId, { limit: EVENTS_READ }),
      monitor.held(workspaceId),
    ]);
    return {
      counts: statuses.map((status) => ({ ...status, amount: byStatus[status.id] ?? 0 })),
      events: inLines(events)
        .slice(0, LINES_SHOWN)
        .map((line) => toLine(line, now())),
      held: held.map(toHeld),
    };
  };
}

/** What happened to one post in forty channels at once is one line. */
function inLines(events: readonly RecentEvent[]): RecentEvent[][] {
  const lines = new Map<string, RecentEvent[]>();
  for (const [index, event] of events.entries()) {
    const together = event.action === 'enqueue' || event.action === 'dedup_suppressed';
    const key = together ? `${event.action} ${event.messageId} ${event.ts.getTime()}` : String(index);
    lines.set(key, [...(lines.get(key) ?? []), event]);
  }
  return [...lines.values()];
}

function toLine(line: readonly RecentEvent[], now: number): AutopostOverview['events'][number] {
  const [first, ...others] = line as [RecentEvent, ...RecentEvent[]];
  const what = others.length > 0 ? `Каналов: ${line.length}` : (first.channel ?? 'Приём постов');
  return { at: first.ts.getTime(), what, ...wordsOf(first, now) };
}

function toHeld({ channelId, enabled, pausedUntil, error }: HeldChannel) {
  const until = pausedUntil ? ` до ${pausedUntil.toLocaleTimeString('ru-RU', { timeStyle: 'short' })}` : '';
  const state = enabled ? `на паузе${until}` : 'выключен';
  return { channelId, words: [state, reasonOf(error)].filter(Boolean).join(': ') };
}
