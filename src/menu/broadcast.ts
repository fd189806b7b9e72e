import type { Input } from '../engine/input.ts';
import { to } from '../screens/kit/link.ts';
import type { RichText } from '../screens/kit/screen.ts';
import { toasts } from '../screens/kit/system.ts';
import {
  type Audience,
  audienceScreen,
  audiences,
  type Broadcast,
  type BroadcastContent,
  backFromWriting,
  broadcastNotices,
  broadcastScreen,
  MOST_UNDER_PICTURE,
  previewScreen,
  writeScreen,
} from '../screens/pages/broadcast.ts';
import { action, asking, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type BroadcastData = {
  sizes(): Promise<Record<Audience, number>>;
  reach(audience: Audience, isImportant: boolean): Promise<number>;
  latest(): Promise<Broadcast[]>;
  broadcast(id: number): Promise<Broadcast | null>;
  draftBroadcast(adminId: number, audience: Audience, content: BroadcastContent): Promise<number>;
  markImportant(id: number, isImportant: boolean): Promise<void>;
  /** False: it is not what was confirmed any more. True also when it had begun before. */
  beginBroadcast(adminId: number, id: number, isImportant: boolean): Promise<boolean>;
  stopBroadcast(adminId: number, id: number, key: string): Promise<boolean>;
  resumeBroadcast(adminId: number, id: number, key: string): Promise<boolean>;
};

const panelLink = to('admin:panel');
const listLink = to('admin:bc');
const pageOf = (n: number) => to('admin:bc:{n}', { n });

/** For the owner alone: `adminRoutes` refuses other people. */
export function broadcastRoutes(data: BroadcastData): Route[] {
  return [
    route('admin:bc', async () => ({ show: audienceScreen(await data.sizes(), await data.latest()) })),
    route('admin:bc:{n}', ({ n }) => pageFor(n, true)),
    route('admin:bc:{n}:check', ({ n }) => pageFor(n, false)),
    asking('admin:bc:to:{audience}', {
      page: async ({ audience }) =>
        isAudience(audience)
          ? { show: writeScreen(audience, await data.reach(audience, false)) }
          : missing(listLink),
      wants: ['text', 'photo'],
      back: () => backFromWriting,
      async take({ audience }, input, { userId }) {
        if (!isAudience(audience)) return missing(listLink);
        const content = contentOf(input);
        if ('again' in content) return content;
        return { open: pageOf(await data.draftBroadcast(userId, audience, content)) };
      },
    }),
    action('admin:bc:{n}:mark:{g}', async ({ n, g }) => {
      if (!isUrgency(g) || !(await data.broadcast(n))) return missing(listLink);
      await data.markImportant(n, g === 'important');
      return { open: to('admin:bc:{n}:check', { n }) };
    }),
    action('admin:bc:{n}:send:{g}', async ({ n, g }, { userId }) => {
      if (!isUrgency(g) || !(await data.broadcast(n))) return missing(listLink);
      return (await data.beginBroadcast(userId, n, g === 'important'))
        ? { open: pageOf(n), notice: broadcastNotices.begun }
        : { open: pageOf(n), toast: toasts.changed };
    }),
    action('admin:bc:{n}:stop', async ({ n }, { userId }, key) => {
      if (!(await data.broadcast(n))) return missing(listLink);
      const isStopped = await data.stopBroadcast(userId, n, key);
      return { open: pageOf(n), notice: isStopped ? broadcastNotices.stopped : broadcastNotices.notRunning };
    }),
    action('admin:bc:{n}:resume', async ({ n }, { userId }, key) => {
      if (!(await data.broadcast(n))) return missing(listLink);
      const isResumed = await data.resumeBroadcast(userId, n, key);
      return { open: pageOf(n), ...(isResumed && { notice: broadcastNotices.resumed }) };
    }),
  ];

  async function pageFor(n: number, showsMessage: boolean): Promise<RouteAnswer> {
    const found = await data.broadcast(n);
    if (!found) return missing(panelLink);
    if (found.status !== 'draft') return { show: broadcastScreen(found) };
    const size = await data.reach(found.audience, found.isImportant);
    return { show: previewScreen(found, size, { showsMessage }) };
  }
}

const isAudience = (word: string): word is Audience => audiences.some((each) => each === word);
const isUrgency = (word: string): boolean => word === 'important' || word === 'news';

function contentOf(
  input: Extract<Input, { kind: 'text' | 'photo' }>,
): BroadcastContent | { again: RichText } {
  const marks = input.marks ?? [];
  if (input.kind === 'text')
    return input.text.trim() === ''
      ? { again: broadcastNotices.empty }
      : { text: input.text, marks, photo: null };
  return input.caption.length > MOST_UNDER_PICTURE
    ? { again: broadcastNotices.captionTooLong }
    : { text: input.caption, marks, photo: input.photo.fileId };
}
