import { type Config, loadConfig } from '../../src/config.ts';
import { startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import type { Site } from '../../src/sandbox/wordpress/site.ts';
import { startWordPressStandIn, type WordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { makeConnections } from '../../src/store/connections.ts';
import { keptLog } from '../services/pictures/kept-log.ts';
import { personWithProjects, type Served } from './accounts.ts';
import { aCluster } from './article-customer.ts';
import { testKey, testSealing } from './article-works.ts';
import { type Ground, startBot } from './bot.ts';
import { startChannelStandIns } from './channel-stand-ins.ts';
import { heldModels } from './held-models.ts';
import { impatient } from './impatient.ts';
import { patience } from './patience.ts';
import type { ScriptedPerson } from './person.ts';
import { balanceOf } from './rows.ts';

export const PASSWORD = 'sand boxa dmin pass word 0001';
export const PHRASE = 'кухни на заказ';

/** Below a result, where the bot offers to go on by itself. */
export const AUTOMATION_OFFER = ['Пн Ср Пт 10:00', 'Будни 10:00', 'Выбрать дни и часы', 'Позже'];

/** For real work on stand-ins, while other suites want the machine as well. */
export const LONG = { timeoutMs: patience(60_000) };

export const always = Number.POSITIVE_INFINITY;

// Late after any stage has begun, on a busy machine too: a walk that waits for the word holds the work until it has come.
const progress = { gapMs: 300, lateMs: 4_000 };

/** How long a place is slow to answer, until well after the bot has said that it takes long. */
export const SLOW_MS = progress.lateMs + 4_000;

const MOST_SITES = 80;
const pathOfSite = (n: number): string => `site${String(n).padStart(2, '0')}`;

export type PlayedBot = Awaited<ReturnType<typeof startPlayedBot>>;
export type Customer = Awaited<ReturnType<PlayedBot['customer']>>;

type CustomerOptions = { keywords?: unknown; images?: number; prices?: string };

/** The whole bot on stand-ins of everything, which fail for one person at a time: by their company, by their site. */
export async function startPlayedBot(
  ground: Ground = 'embedded',
  env: Record<string, string> = {},
  { runs }: { runs?: Config['runs'] } = {},
) {
  const models = heldModels();
  const played = await startSupplierStandIns(loadConfig({}).suppliers, {
    modelThinksMs: 0,
    author: models.author,
  });
  const wordpress = await startPlayedSites(MOST_SITES);
  const { log, lines } = keptLog();
  const channels = await startChannelStandIns();
  const bot = await startBot(ground, { ENCRYPTION_KEY: testKey, ...channels.env, ...env }, log, {
    // Keyword data by Google alone: its faults are what these walks play.
    suppliers: impatient({ ...played.suppliers, yandex: null }),
    engine: { progress },
    ...(runs && { runs }),
  });
  const suppliers = played.byName as Required<typeof played.byName>;
  return {
    bot,
    models,
    suppliers,
    wordpress,
    ...channels.standIns,
    lines,
    ...playedPeople(bot, wordpress),
    mend,
    stop,
  };

  /** Everything works again. */
  function mend(): void {
    for (const { faults } of [...played.standIns, wordpress, ...Object.values(channels.standIns)])
      faults.clear();
    suppliers.openRouter.moods.clear();
    models.releaseAll();
  }

  async function stop(): Promise<void> {
    mend();
    await bot.stop();
    await Promise.all([played.close(), wordpress.close(), channels.close()]);
  }
}

export function startPlayedSites(count: number): Promise<WordPressStandIn> {
  const paths = Array.from({ length: count }, (_, i) => pathOfSite(i + 1));
  return startWordPressStandIn({ sites: Object.fromEntries(paths.map((path) => [path, {}])) });
}

/** People of a bot, each with a company of their own, and the sites that they may publish to. */
export function playedPeople(bot: Served, wordpress: WordPressStandIn) {
  let people = 0;
  let sites = 0;
  return { newcomer, customer, nextSite };

  /** With a project whose company name is unique. */
  async function newcomer(firstName = 'Анна') {
    people += 1;
    const company = `Мастерская-${String(people).padStart(3, '0')}`;
    const person = await personWithProjects(bot, ['Кухни'], firstName);
    const projectId = person.projectIds[0]!;
    await bot.app.sql`
      update projects set company_name = ${company}, specialization = 'мебель на заказ' where id = ${projectId}`;
    return Object.assign(person, { company, projectId, balance: () => balanceOf(bot.app.sql, person.id) });
  }

  /** With a category to write about and a site to publish to. */
  async function customer({ keywords = [aCluster(PHRASE)], images = 1, prices = '' }: CustomerOptions = {}) {
    const person = await newcomer();
    const [category] = await bot.app.sql<[{ id: number }]>`
      insert into categories (project_id, name, prices, keywords, image_settings)
      values (${person.projectId}, 'Кухни на заказ', ${prices}, ${JSON.stringify(keywords)}::text::jsonb,
        ${JSON.stringify({ count: images })}::text::jsonb) returning id`;
    const { site, path, address, identifier } = nextSite();
    const connectionId = (await makeConnections(bot.app.sql, testSealing).save(person.id, {
      projectId: person.projectId,
      platform: 'wordpress',
      identifier,
      credentials: { url: address, login: 'admin', app_password: PASSWORD },
      metadata: { url: address },
    }))!;
    return Object.assign(person, { categoryId: category.id, connectionId, site, path, identifier });
  }

  function nextSite(): { site: Site; path: string; address: string; identifier: string } {
    sites += 1;
    const path = pathOfSite(sites);
    const address = wordpress.addressOf(path);
    return { site: wordpress.site(path), path, address, identifier: address.replace('http://', '') };
  }
}

/** At the price of an article, by the way that people go. */
export async function atThePrice(anna: Customer): Promise<void> {
  await anna.presses('Проекты');
  await anna.presses('Кухни');
  await anna.presses('Категории');
  await anna.presses('Кухни на заказ');
  await anna.presses('WordPress');
  await anna.presses('Написать статью');
  await anna.sees(/Статья для .*Фраза: «кухни на заказ»/s);
}

/** Looking at an article that was written and paid. */
export async function atThePreview(anna: Customer): Promise<void> {
  await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
  await anna.presses('Создать статью');
  await seesPreview(anna);
}

export const seesPreview = (person: ScriptedPerson) =>
  person.sees(/Черновик хранится 24 часа, потом/, { ...LONG, pressable: true });
