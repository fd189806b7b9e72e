import { setTimeout as delay } from 'node:timers/promises';
import { makeConnections } from '../../src/store/connections.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { ENCRYPTION_KEY } from '../crash/article-authors.ts';
import {
  AUTHORS,
  type Author,
  at,
  type Ground,
  idlePeer,
  OTHERS,
  prepared,
  QUIET_MS,
  TARGET_MS,
  told,
  WARM_UP_AUTHORS,
  whilePressing,
  wholeText,
} from './busy-bot.ts';
import { chatOf, MAX_TOKEN } from './busy-bot-chats.ts';
import type { Outcome } from './outcome.ts';

/** A hundred people have a post with a picture written and publish it at once; ten others walk through the menu. */
export async function busyPosts(): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    const ground = await prepared(closing, 1);
    const everybody: Author[] = [];
    for (const author of ground.authors.slice(0, WARM_UP_AUTHORS + AUTHORS))
      everybody.push(await withChat(ground, author));
    const peer = await idlePeer(ground, closing);
    const publish = (author: Author) => wholeText(ground, author, 'pub:social');
    const warmUp = async () => void (await Promise.all(everybody.slice(0, WARM_UP_AUTHORS).map(publish)));
    await Promise.all([whilePressing(ground, warmUp), whilePressing(peer, () => delay(QUIET_MS))]);
    const began = performance.now();
    const publishing = Promise.all(everybody.slice(WARM_UP_AUTHORS).map(publish));
    const meanwhile = async () => void (await publishing);
    const [busy, idle] = await Promise.all([
      whilePressing(ground, meanwhile),
      whilePressing(peer, meanwhile),
    ]);
    const seconds = (performance.now() - began) / 1000;
    return {
      case: 'busy-posts',
      ours: Number(at(busy.times, 0.99).toFixed(1)),
      peer: Number(at(idle.times, 0.99).toFixed(1)),
      ratio: at(busy.times, 0.99) / at(idle.times, 0.99),
      unit: 'ms from a press to its screen, p99',
      notes:
        `${busy.times.length} presses of ${OTHERS} people in the menu while ${AUTHORS} others have a post with a picture written, ` +
        `look at it and publish it to MAX, all in ${seconds.toFixed(0)} s: ${told(busy)}; at the same time in an idle bot ` +
        `on the same machine ${told(idle)}; target below ${TARGET_MS} ms`,
    };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function withChat({ sql }: Ground, author: Author): Promise<Author> {
  const chat = String(chatOf(author.userId));
  const connectionId = await makeConnections(sql, createSealing([ENCRYPTION_KEY])).save(author.userId, {
    projectId: author.projectId,
    platform: 'max',
    identifier: chat,
    credentials: { chat_id: chat, bot_token: MAX_TOKEN },
  });
  return { ...author, connectionId: connectionId! };
}
