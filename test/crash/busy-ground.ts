import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import type { FlowId } from '../../machines/registry.ts';
import { loadConfig } from '../../src/config.ts';
import { parseSession } from '../../src/engine/session.ts';
import { startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createRedisSessionStore } from '../../src/store/session-store-redis.ts';
import { testKey } from '../support/article-works.ts';
import { startChannelStandIns } from '../support/channel-stand-ins.ts';
import { heldModels } from '../support/held-models.ts';
import { type ScriptedPerson, scriptedPerson } from '../support/person.ts';
import { playedPeople, startPlayedSites } from '../support/played-bot.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import type { Asked } from './asking-bot.ts';
import { TOKEN } from './bot-process.ts';
import { PATIENT } from './busy-walk.ts';
import { freePort } from './free-port.ts';
import { ownRedis } from './own-redis.ts';

const REDIS_DATABASE = 8;
const MOST_SITES = 120;
const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 60;

/**
 * Where a person's process is taken away: before the service has begun; while a model is asked; when it is done and its
 * result is not stored yet.
 */
export type Hold = { flow: FlowId; state: string; when: Asked['when'] | 'within' };
export type BusyGround = Awaited<ReturnType<typeof startBusyGround>>;

/** A bot in a process of its own, which waits wherever a person is held, and everything around it in this one. */
export async function startBusyGround() {
  const databaseUrl = await freshPostgresUrl();
  const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 4 });
  const redis = await ownRedis(REDIS_DATABASE);
  const sessions = createRedisSessionStore(redis.redis, { prefix: `seo:${TOKEN.split(':', 1)[0]}` });
  const telegram = await startTelegramStandIn({ token: TOKEN, callbackLifetimeMs: PATIENT.timeoutMs });
  const models = heldModels();
  const suppliers = await startSupplierStandIns(loadConfig({}).suppliers, {
    modelThinksMs: 0,
    author: models.author,
  });
  const channels = await startChannelStandIns();
  const wordpress = await startPlayedSites(MOST_SITES);
  const bot = {
    telegram,
    person: (firstName = 'Анна') => scriptedPerson(telegram, { first_name: firstName }),
    app: { sql: database.sql },
  };
  const port = await freePort();
  const env = {
    ...{ PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'warn', THROTTLE_PER_MINUTE: '100000' },
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, ENCRYPTION_KEY: testKey },
    ...{ PLAYED_TOKEN: TOKEN, PLAYED_API_ROOT: telegram.url },
    DATA_DIR: await mkdtemp(join(inject('scratchDir'), 'busy-')),
    ...channels.env,
    PLAYED_SUPPLIERS: JSON.stringify(suppliers.suppliers),
  };
  const holds = new Map<number, Hold>();
  const held = new Set<number>();
  let output = '';
  let child = await start();
  return {
    bot,
    sql: database.sql,
    redis: redis.redis,
    ...{ url: `http://127.0.0.1:${port}`, models, wordpress },
    ...channels.standIns,
    ...playedPeople(bot, wordpress),
    grants,
    consents,
    holdAt,
    holdWithin,
    isHeld: (userId: number) => held.has(userId),
    stateOf,
    kill,
    restart,
    output: () => output,
    close,
  };

  /** What a browser does on the page of the person's site: access is granted, and the bot is called back. */
  async function grants(person: ScriptedPerson): Promise<void> {
    const address = new URL(linkOf(person));
    const approved = [...address.searchParams, ['user', 'admin'], ['approve', '1']] as [string, string][];
    const back = await sent(`${address.origin}${address.pathname}`, approved);
    await calledBack(back);
  }

  /** The same at Pinterest. Returns what leads back into the chat. */
  async function consents(person: ScriptedPerson, username: string): Promise<string> {
    const link = new URL(linkOf(person));
    const page = new URL(await calledBack(link));
    const approved = [...page.searchParams, ['approve', '1'], ['username', username]] as [string, string][];
    await calledBack(await sent(`${channels.standIns.pinterest.url}/oauth/`, approved));
    return `pinterest_auth_${link.searchParams.get('nonce')}`;
  }

  async function calledBack({ pathname, search }: URL): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.headers.get('location') ?? 'about:blank';
  }

  function holdAt(userId: number, hold: Hold): void {
    holds.set(userId, hold);
  }

  /** Until the process is gone: no model answers this person's company, and the store says how far they have come. */
  async function holdWithin(userId: number, hold: Hold, task: string, company: string): Promise<void> {
    models.hold(task, company);
    while (!held.has(userId)) {
      if (await stands(userId, hold)) held.add(userId);
      await delay(LOOK_EVERY_MS);
    }
  }

  async function start(): Promise<ChildProcess> {
    const started = fork('test/crash/asking-bot.ts', { execArgv: ['--import', 'tsx'], env, silent: true });
    for (const stream of [started.stdout, started.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const ready = new Promise<void>((resolve, reject) => {
      started.once('exit', () => reject(new Error(`the bot ended:\n${output}`)));
      started.on('message', (message: 'ready' | Asked) => {
        if (message === 'ready') resolve();
        else void answer(started, message);
      });
    });
    await ready;
    return started;
  }

  async function answer(asking: ChildProcess, { id, when, input }: Asked): Promise<void> {
    const userId = whoseIs(input);
    const hold = userId === undefined ? undefined : holds.get(userId);
    const isDue = userId !== undefined && hold?.when === when && !held.has(userId);
    if (isDue && (await (when === 'done' ? standsSoon(userId, hold) : stands(userId, hold))))
      held.add(userId);
    else if (asking.connected) asking.send(id);
  }

  /** A decision is stored before its work begins, so the store says which state asks. */
  async function stands(userId: number, hold: Hold): Promise<boolean> {
    return (await stateOf(userId)) === `${hold.flow}.${hold.state}`;
  }

  /** Work that reports its stages is done before the last report of it is stored. */
  async function standsSoon(userId: number, hold: Hold): Promise<boolean> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      if (await stands(userId, hold)) return true;
      if (!(await stateOf(userId))?.startsWith(hold.flow)) return false;
      await delay(LOOK_EVERY_MS);
    }
    return false;
  }

  async function stateOf(userId: number): Promise<string | null> {
    const stored = await sessions.peek(userId);
    const run = stored ? parseSession(stored)?.flow : null;
    return run ? `${run.flow}.${String(run.snapshot.value)}` : null;
  }

  /** By its field, or by an address in it that carries the number of a person who is held. */
  function whoseIs(input: unknown): number | undefined {
    if (typeof input === 'object' && input !== null && 'userId' in input) return Number(input.userId);
    const asked = JSON.stringify(input);
    return [...holds.keys()].find((userId) => asked.includes(String(userId)));
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async function restart(): Promise<void> {
    models.releaseAll();
    child = await start();
  }

  async function close(): Promise<void> {
    models.releaseAll();
    if (child.exitCode === null && child.signalCode === null) await kill();
    await Promise.all([telegram.close(), suppliers.close(), channels.close(), wordpress.close()]);
    await redis.close();
    await database.close();
  }
}

function linkOf(person: ScriptedPerson): string {
  const buttons = person.screen()?.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.find(({ url }) => url !== undefined)?.url ?? '';
}

async function sent(address: string, form: [string, string][]): Promise<URL> {
  const body = new URLSearchParams(form);
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  await answer.arrayBuffer();
  return new URL(answer.headers.get('location') ?? '');
}
