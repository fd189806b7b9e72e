import { registry } from '../../machines/registry.ts';
import { createForeignDatabase } from '../clients/foreign-database.ts';
import { createGuardedFetch } from '../clients/http/guarded-fetch.ts';
import { openTelegramApi } from '../clients/telegram-api.ts';
import type { Config } from '../config.ts';
import { createEngine } from '../engine/engine.ts';
import { createFlows } from '../engine/flows.ts';
import type { SessionStore } from '../engine/session-store.ts';
import type { Check } from '../http/health.ts';
import type { Log } from '../log.ts';
import { categoryRoutes } from '../menu/categories.ts';
import { connectionRoutes } from '../menu/connections.ts';
import { createMenu, type Label } from '../menu/create-menu.ts';
import { dashboardRoutes, home, makeStart, nearest } from '../menu/dashboard.ts';
import { helpRoutes } from '../menu/help.ts';
import { keywordRoutes } from '../menu/keywords.ts';
import { projectRoutes } from '../menu/projects.ts';
import { publishingRoutes } from '../menu/publishing.ts';
import { siteSettingsRoutes } from '../menu/wordpress-settings.ts';
import { createAdapter } from '../messengers/telegram/adapter.ts';
import { createLinkDecoder } from '../messengers/telegram/callback-data.ts';
import { createPresenter } from '../messengers/telegram/show-screen.ts';
import { looksLikeSecret } from '../platforms/secret-shapes.ts';
import { createWordPress } from '../platforms/wordpress/client.ts';
import { makeWordPressAdapter } from '../platforms/wordpress/publish.ts';
import { makeWordPressPublisher } from '../platforms/wordpress/publisher.ts';
import { prices } from '../prices.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { loadFlowScreens } from '../screens/load-flow-screens.ts';
import { replyLabels } from '../screens/pages/dashboard.ts';
import { abandonedScreen } from '../screens/pages/publication-news.ts';
import { loadPromptFiles } from '../services/ai/prompt-file.ts';
import { makeActivePrompt, makeSyncPrompts, promptsFolder, shippedPrompts } from '../services/ai/prompts.ts';
import { outcomeOfAbandoned } from '../services/money/paid-work.ts';
import { makeRateLimits, SANDBOX_TIMES } from '../services/money/rate-limits.ts';
import { makePausedProject } from '../services/projects/paused-project.ts';
import { makeSaveCategory } from '../services/projects/save-category.ts';
import { makeSaveProject } from '../services/projects/save-project.ts';
import { makeSaveProjectField } from '../services/projects/save-project-field.ts';
import { makeEndAbandonedWork } from '../store/abandoned-work.ts';
import { makeApiCosts } from '../store/api-costs.ts';
import { makeCategories } from '../store/categories.ts';
import { makeConnections } from '../store/connections.ts';
import { makeDashboard } from '../store/dashboard.ts';
import { openDatabase } from '../store/database.ts';
import { makeIsFirstToTell } from '../store/first-to-tell.ts';
import { keepApart } from '../store/keep-apart.ts';
import { keyFile } from '../store/key-file.ts';
import { createPostgresKeyValueStore } from '../store/key-value-postgres.ts';
import { createRedisKeyValueStore } from '../store/key-value-redis.ts';
import { makeLedger } from '../store/ledger.ts';
import { createOperations, releaseLeases } from '../store/operations.ts';
import { makeProjects } from '../store/projects.ts';
import { makePromptVersions } from '../store/prompt-versions.ts';
import { openRedis } from '../store/redis.ts';
import { applySchema } from '../store/schema.ts';
import { createSealing } from '../store/sealing.ts';
import { createPostgresSessionStore } from '../store/session-store-postgres.ts';
import { createRedisSessionStore } from '../store/session-store-redis.ts';
import { makeIsStoreAway } from '../store/store-away.ts';
import { sweepExpired } from '../store/sweep-expired.ts';
import { makeUsers } from '../store/users.ts';
import { composeArticles } from './articles.ts';
import { composeAutopost } from './autopost.ts';
import { composeConnections } from './connections.ts';
import { fillPorts } from './fill-ports.ts';
import { composeHappenings } from './happenings.ts';
import { composeKeywords } from './keywords.ts';
import { composePictures } from './pictures.ts';
import { composeShopBot } from './shop-bot.ts';
import { composeWriting } from './writing.ts';

export type App = Awaited<ReturnType<typeof compose>>;

// A screen that Telegram does not take in this time is shown later; the person's lock is not held for it.
const SCREEN_TIMEOUT_SECONDS = 10;
// Longer than a long poll: behind a wire that died without a word, a bot hears nothing for so long.
const SILENCE_SECONDS = 40;

const REMOVE_EXPIRED_EVERY_MS = 5 * 60_000;
const EXPIRE_DRAFTS_EVERY_MS = 10 * 60_000;
const FINISH_PUBLICATIONS_EVERY_MS = 60_000;
const GIVE_BACK_MS = 2_000;

/** Where the outside world is found: what the settings do not name, stand-ins may play. */
export type Outside = Pick<Config, 'suppliers' | 'max'> & {
  /** Stand-ins that people may name to the bot. */
  openOrigins?: readonly string[];
};

/** The composition root: builds everything, fills every port. Only this file sees everything. */
export async function compose(
  config: Config,
  telegram: { token: string; apiRoot: string },
  log: Log,
  outside: Partial<Outside> = {},
) {
  const { suppliers, max, openOrigins = [] }: Outside = { ...config, ...outside };
  if (!max) throw new TypeError('Expected the address of MAX, or of its stand-in');
  const database = await openDatabase({
    dataDir: config.dataDir,
    ...(config.databaseUrl && { url: config.databaseUrl }),
  });
  const { sql } = database;
  await applySchema(sql);
  await keepApart(sql, config);
  // Several bots may share a database and a Redis: each has its own sessions.
  const botId = Number.parseInt(telegram.token, 10);
  const { sessions, keyValues, checks, isFirstToTell, close: closeStores } = await openStores();

  const keys = config.encryptionKeys ?? [await keyFile(config.dataDir)];
  const sealing = createSealing(keys);
  const users = makeUsers(sql);
  const projects = makeProjects(sql);
  const categories = makeCategories(sql);
  const operations = createOperations(sql);
  if (database.embedded) await releaseLeases(sql);
  const pausedProject = makePausedProject(keyValues);
  const ledger = makeLedger(sql);
  const connections = makeConnections(sql, sealing);
  const limits = makeRateLimits(keyValues, { times: config.sandbox ? SANDBOX_TIMES : 1 });
  const { token, apiRoot } = telegram;
  const screens = openTelegramApi(token, { apiRoot, timeoutSeconds: SCREEN_TIMEOUT_SECONDS });
  const presenter = createPresenter(screens, log);

  const { folder, pictures } = composePictures(config, keys[0]!);
  const writing = composeWriting({
    suppliers,
    publicUrl: config.publicUrl,
    cache: keyValues,
    pictures,
    activePrompt: await bringPrompts(),
    noteCost: makeApiCosts(sql),
    log,
  });
  const allowPrivate = config.allowPrivateUrls;
  const fetch = createGuardedFetch({ allowPrivate, openOrigins });
  const wordpress = createWordPress({ fetch, allowHttp: allowPrivate });
  const wordpressAdapter = makeWordPressAdapter({ wordpress, log });
  const articles = composeArticles({
    sql,
    ledger,
    operations,
    categories,
    connections,
    limits,
    pictures,
    writing,
    publishers: {
      wordpress: makeWordPressPublisher({ adapter: wordpressAdapter, remember: connections.note }),
    },
    tell: tellOfPublications,
    log,
  });
  const keywords = composeKeywords({ sql, ledger, operations, limits, writing, log });
  const connecting = composeConnections({
    sql,
    operations,
    connections,
    keyValues,
    limits,
    sealing,
    wordpress,
    wordpressAdapter,
    writing,
    publicUrl: addressForBrowsers(config),
    log,
  });
  const expiring = setInterval(
    () => articles.expireDrafts().catch((error) => log.error({ err: error }, 'drafts were not expired')),
    EXPIRE_DRAFTS_EVERY_MS,
  );
  const stopping = new AbortController();
  const finishing = setInterval(
    () =>
      articles
        .finishPublications(stopping.signal)
        .catch((error) => log.error({ err: error }, 'publications were not finished')),
    FINISH_PUBLICATIONS_EVERY_MS,
  );
  const endAbandonedWork = makeEndAbandonedWork({
    sql,
    ledger,
    drafts: articles.drafts,
    outcomeOf: outcomeOfAbandoned,
  });
  const sweeping = setInterval(
    () => sweep().catch((error) => log.warn({ err: error }, 'expired rows were not removed')),
    REMOVE_EXPIRED_EVERY_MS,
  );

  const autopost = composeAutopost({
    database,
    sealing,
    telegram,
    max,
    files: pictures,
    fetch,
    readRows: createForeignDatabase({ allowPrivate }),
    ...(config.adminId !== undefined && { tell: tellAdmin(config.adminId) }),
    settings: config.autopost,
    log,
  });

  const shopBot = config.shopBot
    ? composeShopBot({
        ...{ database, log },
        workspaces: autopost.stores.workspaces,
        max: autopost.adapters.max,
      })
    : null;

  const ports = fillPorts({
    saveProject: makeSaveProject({
      operations,
      insertProject: projects.insert,
      forgetAnswers: pausedProject.forget,
      log,
    }),
    keepProjectAnswers: pausedProject.keep,
    saveProjectField: makeSaveProjectField(projects),
    saveCategory: makeSaveCategory({ operations, insertCategory: categories.insert }),
    ...connecting.services,
    ...keywords.services,
    ...articles.services,
  });

  const flows = createFlows(registry, await loadFlowScreens());
  const dashboardData = { dashboard: makeDashboard(sql), setReferrer: users.setReferrer };
  const has = (pattern: string): boolean => menu.has(pattern);
  const menu = createMenu({
    routes: [
      ...dashboardRoutes(dashboardData, has),
      ...projectRoutes({ ...projects, pausedAnswers: pausedProject.read }),
      ...categoryRoutes(categories, has),
      ...connectionRoutes(connecting.pages),
      ...siteSettingsRoutes(connecting.siteSettings),
      ...keywordRoutes(keywords.pages),
      ...publishingRoutes({ ...articles.pages, connections: connections.list }),
      ...helpRoutes(prices),
    ],
    labels: [...replyLabels.flat(), helpCommand],
    home,
    nearest,
    start: makeStart(dashboardData),
  });

  const engine = createEngine({
    store: sessions,
    flows,
    menu,
    actors: ports.actors,
    presenter,
    seal: (run, secret) => sealing.seal(`run:${run}`, secret),
    looksLikeSecret,
    isAway: makeIsStoreAway(checks),
    log,
    settings: config.engine,
    people: {
      async note(person) {
        const { isRecent, role } = await users.remember({ ...person, isAdmin: person.id === config.adminId });
        return { isRecent, isAdmin: role === 'admin' };
      },
    },
  });
  const decode = createLinkDecoder([...menu.patterns, ...flows.patterns]);
  const api = openTelegramApi(token, { apiRoot, timeoutSeconds: SILENCE_SECONDS });
  const happenings = composeHappenings({ setBlocked: users.setBlocked, log });
  const handleUpdate = createAdapter({
    api,
    engine,
    presenter,
    decode,
    happenings,
    isFirstToTell,
    log,
  });
  return {
    api,
    handleUpdate,
    engine,
    flows,
    sessions,
    checks: [
      ...checks,
      ...(writing.pingModels ? [{ name: 'openrouter', ping: writing.pingModels, optional: true }] : []),
    ],
    sql,
    /** Served by the bot itself, unless they live elsewhere. */
    pictures: config.supabase ? null : folder,
    expireDrafts: articles.expireDrafts,
    finishPublications: articles.finishPublications,
    autopost,
    shopBot,
    sealing,
    receiveGrant: connecting.receiveGrant,
    embedded: database.embedded,
    close,
  };

  /** The prompts of this release come into force; what was written into the database by hand stays. */
  async function bringPrompts() {
    const files = await loadPromptFiles(promptsFolder);
    const versions = makePromptVersions(sql);
    await makeSyncPrompts({ versions, cache: keyValues, log })(files);
    return makeActivePrompt({ versions, cache: keyValues, shipped: shippedPrompts(files), log });
  }

  function tellAdmin(adminId: number) {
    return async (text: string) => void (await api.sendMessage(adminId, text));
  }

  async function sweep(): Promise<void> {
    const [ended] = await Promise.all([endAbandonedWork(), sweepExpired(sql, config.engine.ttlSeconds)]);
    for (const { key, userId, description, returned } of ended) {
      log.warn({ key, user: userId, returned }, 'abandoned work was ended');
      if (returned === 0) continue;
      await tellOfPublications(userId, abandonedScreen(description, returned)).catch((err) =>
        log.warn({ err, user: userId }, 'a refund was not told'),
      );
    }
  }

  async function tellOfPublications(userId: number, screen: Screen): Promise<void> {
    if (!(await users.wantsPublications(userId))) return;
    await presenter.show({ userId, screen, notice: null, replace: null });
  }

  async function openStores() {
    const inDatabase = createPostgresKeyValueStore(sql);
    const pingDatabase: Check = { name: 'database', ping: () => sql`select 1` };
    if (!config.redisUrl) {
      return {
        sessions: createPostgresSessionStore(sql, { botId }) as SessionStore,
        keyValues: inDatabase,
        checks: [pingDatabase],
        isFirstToTell: makeIsFirstToTell([inDatabase]),
        close: async () => {},
      };
    }
    const redis = await openRedis(config.redisUrl, (error) => log.warn({ err: error }, 'Redis'));
    const keyValues = createRedisKeyValueStore(redis, { prefix: `seo:${botId}` });
    return {
      sessions: createRedisSessionStore(redis, { prefix: `seo:${botId}` }),
      keyValues,
      isFirstToTell: makeIsFirstToTell([keyValues, inDatabase]),
      checks: [pingDatabase, { name: 'redis', ping: () => redis.ping() }],
      close: async () => void redis.disconnect(),
    };
  }

  async function close(): Promise<void> {
    clearInterval(expiring);
    clearInterval(finishing);
    stopping.abort(new Error('the process stops'));
    clearInterval(sweeping);
    await ports.settled(GIVE_BACK_MS);
    await connecting.close();
    await writing.close();
    await closeStores();
    await database.close();
  }
}

/** Where a site sends a person back to us. WordPress does that over HTTPS only; in the sandbox all is on one machine. */
function addressForBrowsers({ publicUrl, sandbox, port }: Config): string | null {
  if (sandbox) return publicUrl ?? `http://localhost:${port}`;
  return publicUrl?.startsWith('https:') ? publicUrl : null;
}

const helpCommand: Label = { label: '/help', pattern: 'nav:help' };
