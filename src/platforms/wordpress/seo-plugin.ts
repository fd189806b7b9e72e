import { setTimeout as sleep } from 'node:timers/promises';
import { DeliveryFailed } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { SeoPluginState } from '../../screens/pages/seo-plugin.ts';
import type { Connection, ConnectionMetadata } from '../../store/connections.ts';
import { wordPressAccess } from './access.ts';
import type { WordPress } from './client.ts';
import { WordPressFailed } from './client-failed.ts';
import type { Access } from './client-request.ts';

type Deps = {
  find(userId: number, connectionId: number): Promise<Connection | null>;
  credentials(userId: number, connectionId: number): Promise<unknown>;
  note(connectionId: number, change: { metadata: ConnectionMetadata }): Promise<void>;
  wordpress: Pick<WordPress, 'discover' | 'me' | 'findPlugins' | 'installPlugin' | 'activatePlugin'>;
  log: Log;
  /** How long a person is left without an answer. */
  patienceMs?: number;
};

/** `slow`: the site is still at it. */
type Installed = { outcome: 'installed' } | { outcome: 'slow' } | { outcome: 'failed'; why: string };

/*
 * SEOPress, because it works without a word more: it takes title and description through its API with an application
 * password, and prints the excerpt by itself. Rank Math prints nothing until its wizard is done in the browser, and a stock
 * Yoast takes no fields through the API.
 */
const PLUGIN = { slug: 'wp-seopress', name: 'wp-seopress/seopress' };
const PATIENCE_MS = 6_000;
const tooSlow = 'Сайт не ответил за несколько секунд. Попробуйте ещё раз чуть позже.';

/** One press that gives a site without an SEO plugin one. Null everywhere: there is no such site of this person. */
export function createSeoPluginDesk({ find, credentials, note, wordpress, log, ...options }: Deps) {
  const { patienceMs = PATIENCE_MS } = options;
  const stopping = new AbortController();
  const running = new Map<number, Promise<Installed>>();
  return { look, install, stop };

  /** As the site itself answers now; what is learned is noted. */
  async function look(userId: number, connectionId: number): Promise<SeoPluginState | null> {
    const site = await siteOf(userId, connectionId);
    if (!site) return null;
    const { identifier } = site.connection;
    if (running.has(connectionId)) return { identifier, state: 'installing' };
    const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), stopping.signal]);
    try {
      const { seoPlugin, restRoot } = await found(site, patience);
      const { capabilities } = await wordpress.me({ restRoot, ...site.credentials }, patience);
      const mayInstallPlugins = Boolean(capabilities.install_plugins && capabilities.activate_plugins);
      await note(connectionId, { metadata: { seoPlugin, mayInstallPlugins } });
      if (seoPlugin) return { identifier, state: 'there', plugin: seoPlugin };
      return { identifier, state: mayInstallPlugins ? 'offered' : 'no-rights' };
    } catch (error) {
      if (patience.aborted) return { identifier, state: 'unanswered', why: tooSlow };
      if (error instanceof DeliveryFailed) return { identifier, state: 'unanswered', why: error.userMessage };
      throw error;
    }
  }

  /** The site goes on by itself when it takes longer than a person waits; a second press joins the first. */
  async function install(userId: number, connectionId: number): Promise<Installed | null> {
    const site = await siteOf(userId, connectionId);
    if (!site) return null;
    const work = running.get(connectionId) ?? begin(connectionId, site);
    const waited = new AbortController();
    const patience = sleep<Installed>(patienceMs, { outcome: 'slow' }, { signal: waited.signal });
    return Promise.race([work, patience.catch(() => work)]).finally(() => waited.abort());
  }

  function begin(connectionId: number, site: Site): Promise<Installed> {
    const work = installed(connectionId, site).finally(() => running.delete(connectionId));
    running.set(connectionId, work);
    return work;
  }

  async function installed(connectionId: number, site: Site): Promise<Installed> {
    const { signal } = stopping;
    try {
      const { restRoot } = await found(site, signal);
      await put({ restRoot, ...site.credentials }, signal);
      const { seoPlugin } = await found(site, signal);
      if (seoPlugin) await note(connectionId, { metadata: { seoPlugin } });
      return seoPlugin ? { outcome: 'installed' } : { outcome: 'failed', why: notSeen };
    } catch (err) {
      log.warn({ err, connection: connectionId }, 'an SEO plugin was not installed');
      if (signal.aborted) return { outcome: 'slow' };
      if (err instanceof WordPressFailed) return { outcome: 'failed', why: sentenceFor(err) };
      throw err;
    }
  }

  /** Looked for before it is asked for: after a lost answer it may be there, on or off. */
  async function put(access: Access, signal: AbortSignal): Promise<void> {
    const known = await wordpress.findPlugins(access, 'SEOPress', signal);
    const there = known.find(({ plugin }) => plugin === PLUGIN.name);
    if (there?.status === 'active') return;
    if (there) await wordpress.activatePlugin(access, PLUGIN.name, signal);
    else await wordpress.installPlugin(access, PLUGIN.slug, signal);
  }

  async function siteOf(userId: number, connectionId: number): Promise<Site | null> {
    const connection = await find(userId, connectionId);
    if (connection?.platform !== 'wordpress') return null;
    const { url, login, appPassword } = wordPressAccess(await credentials(userId, connectionId));
    return { connection, url, credentials: { login, appPassword } };
  }

  function found({ url, credentials: given }: Site, signal: AbortSignal) {
    return wordpress.discover(url, { signal, credentials: given });
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.allSettled(running.values());
  }
}

type Site = { connection: Connection; url: string; credentials: Omit<Access, 'restRoot'> };

const byHand = 'Поставьте плагин SEOPress сами: «Плагины → Добавить новый» в админке WordPress.';
const notSeen = `Сайт ответил, что плагин стоит, но в его API плагина не видно. Проверьте раздел «Плагины» в админке WordPress.`;

const refusals: readonly (readonly [RegExp, string])[] = [
  [
    /^rest_cannot_(?:install|activate|view|manage)/u,
    'Сайт не разрешил этому пользователю ставить плагины. Нужны права администратора, а установка плагинов не должна быть запрещена в wp-config.php (DISALLOW_FILE_MODS).',
  ],
  [
    /^(?:fs_|unable_to_connect_to_filesystem|mkdir_failed|copy_failed|files_not_writable|could_not_remove|folder_exists)/u,
    `Сайт не может записать файлы плагина: у WordPress нет доступа к своей папке. Обратитесь в поддержку хостинга или поставьте плагин через админку: она спросит доступ FTP.`,
  ],
  [
    /^(?:plugins_api_failed|http_|download_failed|no_package|rest_plugin_not_found)/u,
    `Сайт не смог скачать плагин с wordpress.org: хостинг закрывает исходящие запросы, или каталог сейчас не отвечает. ${byHand}`,
  ],
  [
    /incompatible/u,
    'Плагину нужна более новая версия WordPress или PHP. Обновите их на хостинге и попробуйте ещё раз.',
  ],
  [
    /^rest_no_route$/u,
    `Этот WordPress не умеет ставить плагины через API: нужна версия 5.5 или новее. ${byHand}`,
  ],
];

function sentenceFor(error: WordPressFailed): string {
  // 401: the password did not arrive or is no longer good, which has nothing to do with plugins.
  const known = error.status !== 401 && refusals.find(([code]) => code.test(error.refusal ?? ''));
  if (known) return known[1];
  // Neither done nor refused: a look at the site tells, and the button below is that look.
  if (error.mayHaveArrived)
    return 'Ответ сайта потерялся: плагин мог установиться. Подождите минуту и нажмите «Проверить».';
  return error.userMessage;
}
