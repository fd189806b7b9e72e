import { registry } from '../../machines/registry.ts';
import { createForeignDatabase } from '../clients/foreign-database.ts';
import { createGuardedFetch } from '../clients/http/guarded-fetch.ts';
import { askNameServer, type ResolveName } from '../clients/http/resolve-name.ts';
import { makeTelegramStars } from '../clients/telegram-stars.ts';
import type { Config, YooKassaSettings } from '../config.ts';
import { createFlows } from '../engine/flows.ts';
import type { Log } from '../log.ts';
import type { Once } from '../menu/create-menu.ts';
import { faultOf } from '../messengers/telegram/api-fault.ts';
import { wordPressAccess } from '../platforms/wordpress/access.ts';
import { createWordPress } from '../platforms/wordpress/client.ts';
import { makeWordPressAdapter } from '../platforms/wordpress/publish.ts';
import { makeWordPressPublisher } from '../platforms/wordpress/publisher.ts';
import { makeSitePages } from '../platforms/wordpress/site-pages.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { loadFlowScreens } from '../screens/load-flow-screens.ts';
import { makeCheckServices } from '../services/monitor/check-services.ts';
import { freeShare } from '../services/monitor/disk.ts';
import { createMetrics } from '../services/monitor/metrics.ts';
import { makeModelFailures } from '../services/monitor/model-failures.ts';
import { makeSaveCategory } from '../services/projects/save-category.ts';
import { makeSaveProject } from '../services/projects/save-project.ts';
import { makeSaveProjectField } from '../services/projects/save-project-field.ts';
import { makeArticleDesk } from '../services/schedules/article-desk.ts';
import { makePostDesk } from '../services/schedules/post-desk.ts';
import { insertSiteProject } from '../store/site-projects.ts';
import { abilitiesOf } from './abilities.ts';
import { composeArticles } from './articles.ts';
import { composeAutopost } from './autopost.ts';
import { composeBackground } from './background.ts';
import { composeCategoryTools } from './category-tools.ts';
import { composeChannels } from './channels.ts';
import { composeConnections } from './connections.ts';
import { composeConversation } from './conversation.ts';
import { fillPorts } from './fill-ports.ts';
import { layFoundation } from './foundation.ts';
import { composeHappenings } from './happenings.ts';
import { composeHouseWork } from './house-work.ts';
import { composeIndexing } from './indexing.ts';
import { composeKeywords } from './keywords.ts';
import { composeMedia } from './media.ts';
import { menuData } from './menu-data.ts';
import { composeCosts, sharedFigures } from './metrics.ts';
import { composeMoney } from './money.ts';
import { composeOwner } from './owner.ts';
import { composePeople } from './people.ts';
import { composePerson } from './person.ts';
import { composePictures } from './pictures.ts';
import { composePipelines } from './pipelines.ts';
import { postPublishers } from './post-publishers.ts';
import { composePosts } from './posts.ts';
import { bringPrompts } from './prompts.ts';
import { composeRanks } from './ranks.ts';
import { composeRefreshes } from './refreshes.ts';
import { composeMenu } from './routes.ts';
import { composeScheduler } from './scheduler.ts';
import { composeSchedules } from './schedules.ts';
import { composeShopBot } from './shop-bot.ts';
import { composeTools } from './tools.ts';
import { composeTrainer } from './trainer.ts';
import { composeWriting } from './writing.ts';

export type App = Awaited<ReturnType<typeof compose>>;

const GIVE_BACK_MS = 2_000;

/** Where the outside world is found: what the settings do not name, stand-ins may play. */
type Outside = Pick<Config, 'suppliers' | 'max' | 'vk' | 'pinterest'> & {
  /** With the addresses its notices come from, where they are not the provider's own. */
  yookassa: (YooKassaSettings & { senders?: readonly string[] }) | null;
  /** Stand-ins that people may name to the bot. */
  openOrigins?: readonly string[];
  /** How names in addresses that people wrote become addresses of hosts. */
  resolve?: ResolveName;
};

/** How the machines are served, where it is not as usual. */
export type Serving = {
  /** Stands between the machines and their services, to watch or to hold them. */
  around?: <Services extends object>(services: Services) => Services;
  /** How long each service may take, by its port. */
  bounds?: Readonly<Record<string, number>>;
};

/** The composition root: builds everything, fills every port. Only this file sees everything. */
export async function compose(
  config: Config,
  telegram: { token: string; apiRoot: string },
  log: Log,
  outside: Partial<Outside> = {},
  { around = (services) => services, bounds }: Serving = {},
) {
  const { suppliers, max, vk, pinterest, yookassa }: Outside = { ...config, ...outside };
  const { openOrigins = [], resolve = askNameServer } = outside;
  if (!max) throw new TypeError('Expected the address of MAX, or of its stand-in');
  const foundation = await layFoundation(config, telegram, log);
  const { database, sql, sessions, keyValues, checks, isFirstToTell, keys, sealing } = foundation;
  const { users, projects, categories, operations, ledger, connections, limits, personalData } = foundation;
  const { screens, replies, presenter, fetchFile, tellPerson } = composePeople({ telegram, sql, users, log });

  const { folder, pictures, arePublic } = composePictures(config, keys[0]!);
  const metrics = createMetrics();
  const models = makeModelFailures({ counters: keyValues, counted: metrics.model, log });
  const allowPrivate = config.allowPrivateUrls;
  const fetch = createGuardedFetch({ allowPrivate, openOrigins, resolve });
  const writing = composeWriting({
    suppliers,
    publicUrl: config.publicUrl,
    fetch,
    cache: keyValues,
    pictures,
    showsPictures: arePublic,
    activePrompt: await bringPrompts({ sql, cache: keyValues, log }),
    noteCost: composeCosts(sql, metrics),
    watched: models.watched,
    log,
  });
  const wordpress = createWordPress({ fetch, allowHttp: allowPrivate });
  const wordpressAdapter = makeWordPressAdapter({ wordpress, log });
  const sitePages = makeSitePages({ ...connections, wordpress, isThere: writing.isThere, log });
  const indexing = composeIndexing({
    ...{ endpoints: config.indexNow, key: keys[0]!, connections, fetch, log },
    enqueue: (job) => jobs.enqueue(job),
  });
  const articles = composeArticles({
    announce: indexing.announce,
    sql,
    ledger,
    operations,
    categories,
    connections,
    limits,
    keyValues,
    pictures,
    writing,
    publishers: {
      wordpress: makeWordPressPublisher({ adapter: wordpressAdapter, remember: connections.note }),
    },
    locate: (credentials, article, signal) =>
      wordpressAdapter.locate(wordPressAccess(credentials), article, signal),
    sitePages,
    tell: tellOfPublications,
    showsArticles: config.richMessages,
    log,
  });
  const media = composeMedia({ sql, fetchFile, pictures, log });
  const keywords = composeKeywords({ sql, ledger, operations, limits, writing, fetchFile, log });
  const gateway = suppliers.firecrawl?.webUrl ?? null;
  const tools = composeTools({ sql, ledger, operations, limits, fetch, gateway, writing, log });
  const categoryTools = composeCategoryTools({
    ...{ sql, ledger, operations, limits, writing, fetchFile, log },
    reviews: config.reviews,
  });
  const trainer = await composeTrainer({ sql, operations, limits, writing, log });
  const channels = composeChannels({ vk, pinterest, connections, keyValues, telegram, max });
  const connecting = composeConnections({
    channels,
    sql,
    operations,
    connections,
    keyValues,
    limits,
    sealing,
    wordpress,
    wordpressAdapter,
    writing,
    indexing,
    publicUrl: addressForBrowsers(config),
    keys,
    inject: (injection) => engine.inject(injection),
    log,
  });
  const stopping = new AbortController();
  const autopost = composeAutopost({
    database,
    sealing,
    telegram,
    max,
    files: pictures,
    fetch,
    readRows: createForeignDatabase({ allowPrivate, resolve }),
    ...(config.adminId !== undefined && { tell: tellAdmin(config.adminId) }),
    settings: config.autopost,
    log,
  });

  const posts = composePosts({
    ...{ sql, ledger, operations, categories, connections, limits, pictures, writing, log },
    publishers: postPublishers({ adapters: autopost.adapters, channels, connections, log }),
    tell: tellOfPublications,
  });

  const abilities = abilitiesOf(config, suppliers);
  const { readsSites, trains } = abilities;
  const pipelines = composePipelines({
    ...{ sql, categories },
    keywordOffer: keywords.pages.offer,
    ...categoryTools.offers,
    offerArticle: articles.pages.offerArticle,
    openDraft: articles.openDraft,
    cancelDraft: articles.pages.cancelDraft,
    loadArticle: articles.load,
    ...{ offerPost: posts.pages.offerPost, openPost: posts.pages.openPost },
    ...{ cancelPost: posts.pages.cancelPost, loadPost: posts.load },
    unavailable: connecting.pages.unavailable,
    readsSites,
  });

  const shopBot = config.shopBot
    ? composeShopBot({
        ...{ database, log },
        workspaces: autopost.stores.workspaces,
        max: autopost.adapters.max,
        maxUrl: max.baseUrl,
        tell: autopost.tell,
      })
    : null;

  const scheduler = composeScheduler({ config, sql, key: keys[0]!, log });
  const ranks = composeRanks({
    ...{ sql, categories, tell: tellPerson, log },
    addressesFor: writing.addressesFor,
    offerArticle: articles.pages.offerArticle,
  });
  const refreshes = composeRefreshes({
    ...{ sql, ledger, operations, limits, connections, wordpress, writing, log },
  });
  const houseWork = composeHouseWork({
    checkRanks: ranks.check,
    ...{ sql, tell: tellPerson, files: pictures, expireDrafts: articles.expireDrafts, log },
    schedules: scheduler.schedules,
  });
  const scheduling = composeSchedules({
    ...{ sql, operations, ledger, projects, categories, connections, log },
    schedules: scheduler.schedules,
    tell: (userId, screen) => tellPerson({ userId, about: 'publications', screen }),
    desks: {
      article: makeArticleDesk({ ...articles.scheduled, isAdmin: users.isAdmin }),
      post: makePostDesk({ ...posts.scheduled, isAdmin: users.isAdmin }),
    },
    enqueue: (job) => jobs.enqueue(job),
    runs: config.runs,
  });
  const money = composeMoney({
    ...{ sql, limits, tellPerson, sessions, log, hashOf: personalData.hashOf },
    pausedSchedules: scheduling.pausedCount,
    starsApi: makeTelegramStars(screens),
    yookassa,
    returnUrl: addressForBrowsers(config) ?? 'https://t.me',
    stars: config.stars,
    flows: () => flows,
    inject: (injection) => engine.inject(injection),
    jobs: () => jobs,
  });
  const person = composePerson({
    ...{ sql, users, personalData, money },
    cancelSchedules: scheduling.cancelAll,
    ...{ owner: config.owner, api: screens },
  });
  const checkServices = makeCheckServices([
    ...checks,
    ...(writing.pingModels ? [{ name: 'openrouter', ping: writing.pingModels, optional: true }] : []),
    { name: 'qstash', ping: scheduler.schedules.ping, optional: true },
  ]);
  const owner = composeOwner({
    ...{ config, database, users, checkServices, ledger, presenter, tellPerson, money, log },
    busy: () => engine.busy(),
    counted: metrics.broadcast,
    stopping: stopping.signal,
    watch: {
      ...{ keyValues, isFirstToTell, dataDir: config.dataDir, tellOwner: autopost.tell },
      queueAgeMs: async () => (await autopost.health()).oldestDueMs,
      modelFailures: models.inARow,
    },
  });
  const { jobs, recurring, outdated } = composeBackground({
    ...{ config, sql, operations, ledger, articles, posts, refreshes, media, money, owner, shopBot, log },
    handlers: { ...scheduling.jobs, ...indexing.jobs, ...money.jobHandlers },
    tell: tellOfPublications,
    stopping: stopping.signal,
  });

  const services = {
    saveProject: makeSaveProject({
      ...{ operations, insertProject: projects.insert, insertSiteProject },
      profileOf: tools.profileOf,
    }),
    saveProjectField: makeSaveProjectField(projects),
    saveCategory: makeSaveCategory({ operations, insertCategory: categories.insert }),
    ...connecting.services,
    ...keywords.services,
    ...categoryTools.services,
    ...articles.services,
    ...refreshes.services,
    ...scheduling.services,
    ...posts.services,
    ...pipelines.services,
    ...trainer.services,
    ...tools.services,
  };
  const ports = fillPorts(registry, around(services), bounds && { bounds });

  const flows = createFlows(registry, await loadFlowScreens(), {
    ProjectCreate: async () => ({ readsSites }),
    AIChat: trainer.load,
    ArticlePublish: articles.load,
    SocialPostPublish: posts.load,
    ...pipelines.loaders,
  });
  // A deed is one stage: its answer is kept under the key, so a second call gets the same one.
  const once: Once = (call, work) => operations.withStages(call, (stage) => stage('deed', work));
  const menu = composeMenu(
    menuData({
      ...{
        abilities,
        foundation,
        writing,
        articles,
        posts,
        connecting,
        keywords,
        categoryTools,
        tools,
        media,
      },
      ...{ scheduling, ranks, refreshes, pipelines, trainer, money, owner, person, log },
    }),
    once,
  );

  const { engine, api, handleUpdate } = composeConversation({
    ...{ config, telegram, foundation, flows, menu, presenter, replies, log },
    actors: ports.actors,
    onTransition: metrics.transition,
    updateTaken: metrics.updateTaken,
    happenings: composeHappenings({
      membershipChanged: connecting.followMembership,
      setBlocked: users.setBlocked,
      log,
      ...money.happenings,
    }),
  });
  return {
    api,
    handleUpdate,
    engine,
    flows,
    sessions,
    checkServices,
    sql,
    /** Served by the bot itself, unless they live elsewhere. */
    pictures: config.supabase ? null : folder,
    expireDrafts: articles.expireDrafts,
    finishPublications: articles.finishPublications,
    finishPosts: posts.finishPosts,
    expirePosts: posts.expirePosts,
    autopost,
    money,
    shopBot,
    houseWork,
    owner,
    runJobs: jobs.sweep,
    /** For Prometheus. */
    metrics: () =>
      metrics.read({
        ...{ checkServices, busy: engine.busy },
        own: async () => ({ freeDiskShare: await freeShare(config.dataDir) }),
        shared: () => sharedFigures(sql, autopost.health, log),
      }),
    /** Slots of schedules, called over HTTP. */
    scheduleCalls: {
      isSigned: scheduler.isSigned,
      takeSlotCall: scheduling.takeSlotCall,
      noteGivenUp: scheduling.noteGivenUp,
      isStopping: () => stopping.signal.aborted,
    },
    sealing,
    /** As operators' commands need them. */
    places: { maxUrl: max.baseUrl, publicUrl: config.publicUrl ?? addressForBrowsers(config) ?? undefined },
    fetchFile,
    receiveGrant: connecting.receiveGrant,
    consents: connecting.consents,
    channels,
    embedded: database.embedded,
    outdated,
    /** What the bot offers behind the "/" beside the usual. */
    commands: trains ? trainer.pages.cases.map(({ id, title }) => ({ command: id, description: title })) : [],
    start,
    stop,
    close,
  };

  /**
   * What works without being asked. People may write before it: the engine takes updates from the beginning.
   * `ownUrl`: where this process listens.
   */
  async function start(ownUrl: string): Promise<void> {
    scheduler.start(ownUrl);
    await houseWork.start();
    await owner.start();
    await autopost.start();
    await shopBot?.start();
    recurring.start();
  }

  /** No new work; what runs may finish within the grace. */
  async function stop(graceMs: number): Promise<void> {
    stopping.abort(new Error('the process stops'));
    const stopped = [
      engine.stop(graceMs),
      autopost.stop(graceMs),
      shopBot?.stop(graceMs),
      recurring.stop(),
      scheduling.stop(graceMs),
      scheduler.stop(),
    ];
    await Promise.all(stopped);
  }

  function tellAdmin(adminId: number) {
    return async (text: string) => {
      try {
        await api.sendMessage(adminId, text);
      } catch (error) {
        // Tried again at every look, it would fill the log with failures and keep the other alerts waiting behind it.
        if (faultOf(error).kind !== 'closed') throw error;
        log.warn(
          { text },
          'the person of ADMIN_ID has not started the bot, or has blocked it: an alert for the log',
        );
      }
    };
  }

  async function tellOfPublications(userId: number, screen: Screen): Promise<void> {
    await tellPerson({ userId, about: 'publications', screen });
  }

  async function close(): Promise<void> {
    await jobs.stop();
    await owner.close();
    await ports.settled(GIVE_BACK_MS);
    await connecting.close();
    await writing.close();
    await categoryTools.close();
    await foundation.close();
  }
}

/**
 * Where a site sends a person back to us. WordPress does that over HTTPS only; in the sandbox all is on one machine, by
 * its number, because Telegram takes no button that leads to `localhost`.
 */
function addressForBrowsers({ publicUrl, sandbox, port }: Config): string | null {
  if (sandbox) return publicUrl ?? `http://127.0.0.1:${port}`;
  return publicUrl?.startsWith('https:') ? publicUrl : null;
}
