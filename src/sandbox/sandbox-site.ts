import { join } from 'node:path';
import type { ArrivalPanel } from './page-server.ts';
import { onPort } from './stand-in.ts';
import { DEFAULT_USERS } from './wordpress/site.ts';
import { startWordPressStandIn } from './wordpress/start.ts';

export type SandboxSite = Awaited<ReturnType<typeof startSandboxSite>>;

const [OWNER] = DEFAULT_USERS;
const SHOWN = 30;

/** A WordPress site of one's own, to connect to the bot and to read what it publishes. */
export async function startSandboxSite(folder: string, port: number) {
  const wordpress = await onPort(port, (free) =>
    startWordPressStandIn({
      port: free,
      journal: join(folder, 'wordpress.jsonl'),
      sites: { '': { settings: { title: 'Мой сайт', seo: 'yoast' } } },
    }),
  );
  const address = wordpress.addressOf();
  const credentials = { login: OWNER!.login, password: OWNER!.appPasswords![0]! };
  return { address, ...credentials, panel, close: wordpress.close };

  /** What has arrived there, the newest first, as a reader of the site would find it. */
  function panel(): ArrivalPanel {
    const site = wordpress.site();
    const posts = site.posts.values().filter(({ status }) => status === 'publish');
    return {
      id: 'wordpress',
      title: 'Сайт',
      facts: [
        { name: 'Адрес', value: address, url: address },
        { name: 'Логин', value: credentials.login },
        { name: 'Пароль приложения', value: credentials.password },
      ],
      items: posts
        .slice(-SHOWN)
        .reverse()
        .map(({ title, slug, madeAt, excerpt, featuredMedia }) => {
          const picture = site.media.get(featuredMedia);
          return {
            at: new Date(madeAt).toLocaleString('ru-RU'),
            title,
            text: excerpt,
            url: `${address}/${slug}/`,
            ...(picture && { image: `${address}/wp-content/uploads/${picture.file}` }),
          };
        }),
    };
  }
}
