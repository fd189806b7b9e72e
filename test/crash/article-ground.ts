import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { PostPlatform } from '../../src/platforms/platforms.ts';
import type { Author } from '../../src/sandbox/openrouter/router.ts';
import { type StandInsByName, startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { startWordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { openDatabase } from '../../src/store/database.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { addAuthor, addPoster, ENCRYPTION_KEY, sitePath, sitesOf } from './article-authors.ts';
import { type BotProcess, startBot, TOKEN } from './bot-process.ts';
import { startForwarder } from './forwarder.ts';
import { freePort } from './free-port.ts';
import { ownRedis } from './own-redis.ts';
import { type PostPlace, startPostPlaces } from './post-places.ts';
import { supplierEnvironment } from './supplier-environment.ts';

export type ArticleGround = Awaited<ReturnType<typeof startArticleGround>>;

type Options = {
  ids: readonly number[];
  /** Of these, the ones that have nothing but a site of which the bot does not know yet. */
  newcomers?: readonly number[];
  /** Those who write posts instead of articles, and where. */
  posters?: ReadonlyMap<number, readonly PostPlatform[]>;
  processes: number;
  redisDatabase: number;
  author: Author;
};

/**
 * Everything around the bot, in the process of the test, where no kill reaches it: Telegram, the suppliers, a site for
 * everybody, the stores. The bot itself runs in processes of its own behind one address.
 */
export async function startArticleGround({
  ids,
  newcomers = [],
  posters = new Map(),
  processes,
  redisDatabase,
  author,
}: Options) {
  const databaseUrl = await freshPostgresUrl();
  const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 4 });
  const redis = await ownRedis(redisDatabase);
  const telegram = await startTelegramStandIn({ token: TOKEN, redeliveryMs: 50 });
  const wordpress = await startWordPressStandIn({ sites: sitesOf(ids) });
  const suppliers = await startSupplierStandIns(loadConfig({}).suppliers, { modelThinksMs: 0, author });
  const posting = await startPostPlaces(telegram);
  const places = new Map([...posters].map(([id, platforms]) => [id, platforms.map(posting.placeOn)]));
  for (const id of ids.filter((each) => !newcomers.includes(each))) {
    const own = places.get(id);
    if (own) await addPoster(database.sql, id, own, picturesFor(own));
    else await addAuthor(database.sql, id, wordpress.addressOf(sitePath(id)), 1);
  }
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const forwarder = await startForwarder(ports);
  const more = {
    ENCRYPTION_KEY,
    ALLOW_PRIVATE_URLS: '1',
    DATA_DIR: await mkdtemp(join(inject('scratchDir'), 'articles-')),
    ...supplierEnvironment(suppliers.suppliers),
    ...posting.env,
  };
  const bots: BotProcess[] = [];
  const everyProcess: BotProcess[] = [];
  for (let slot = 0; slot < processes; slot += 1) await startNew(slot);
  await Promise.all(bots.map(({ started }) => started));
  return {
    sql: database.sql,
    redis: redis.redis,
    telegram,
    wordpress,
    posting,
    /** Of those who write posts. */
    places,
    models: (suppliers.byName as StandInsByName).openRouter,
    /** The living, each in its place. */
    bots,
    kill,
    postsOf,
    errors,
    close,
  };

  async function startNew(slot: number): Promise<void> {
    const addresses = { port: ports[slot]!, apiRoot: telegram.url, publicUrl: forwarder.url };
    bots[slot] = await startBot({ ...addresses, databaseUrl, redisUrl: redis.url, more });
    everyProcess.push(bots[slot]);
  }

  /** Ends it with SIGKILL and starts another in its place. */
  async function kill(victim: BotProcess): Promise<void> {
    await victim.kill();
    await startNew(bots.indexOf(victim));
  }

  function postsOf(userId: number): number {
    return wordpress.site(sitePath(userId)).posts.values().length;
  }

  /** What the processes themselves call errors. */
  function errors() {
    return everyProcess.flatMap((bot) => bot.log().filter(({ level }) => level >= 50));
  }

  async function close(): Promise<void> {
    await Promise.all(bots.map((bot) => bot.kill()));
    await forwarder.close();
    await Promise.all([telegram.close(), wordpress.close(), suppliers.close(), posting.close()]);
    await redis.close();
    await database.close();
  }
}

/** Telegram makes two messages of a picture and a long text: without one, a post is one message everywhere. */
const picturesFor = ([first]: readonly PostPlace[]): number => (first?.platform === 'telegram' ? 0 : 1);
