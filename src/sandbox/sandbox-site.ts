import { join } from 'node:path';
import type { ArrivalPanel } from './page-server.ts';
import { onPort } from './stand-in.ts';
import { DEFAULT_USERS } from './wordpress/site.ts';
import { startWordPressStandIn } from './wordpress/start.ts';

export type SandboxSite = Awaited<ReturnType<typeof startSandboxSite>>;

const [OWNER] = DEFAULT_USERS;
const SHOWN = 30;

/** What a small company's site has besides its blog: articles lead there. */
const pages = [
  { slug: 'uslugi', title: 'Услуги и цены', text: 'Что мы делаем и сколько это стоит.' },
  { slug: 'o-kompanii', title: 'О компании', text: 'Кто мы, где работаем и как давно.' },
  { slug: 'kontakty', title: 'Контакты', text: 'Телефон, адрес и часы работы.' },
];

/** A WordPress site for every person, to connect to the bot and to read what it publishes: `/u1001`. */
export async function startSandboxSite(folder: string, port: number) {
  const settings = { title: 'Мой сайт', seo: 'yoast', pages } as const;
  const wordpress = await onPort(port, (free) =>
    startWordPressStandIn({
      port: free,
      journal: join(folder, 'wordpress.jsonl'),
      sites: { '': { settings } },
      siteAt: (path) => (/^u\d+$/u.test(path) ? { settings } : null),
    }),
  );
  const credentials = { login: OWNER!.login, password: OWNER!.appPasswords![0]! };
  return { origin: wordpress.url, addressOf, ...credentials, panel, close: wordpress.close };

  function addressOf(userId: number | string): string {
    return wordpress.addressOf(`u${userId}`);
  }

  /** What has arrived at the person's site, the newest first, as a reader of the site would find it. */
  function panel(userId: number): ArrivalPanel {
    const address = addressOf(userId);
    const site = wordpress.site(`u${userId}`);
    const posts = site.posts.values().filter(({ status }) => status === 'publish');
    return {
      id: 'wordpress',
      title: 'Сайт',
      empty:
        'Сюда ещё ничего не публиковали. Подключите этот сайт в чате: его адрес, логин и пароль выше. Статьи появятся здесь.',
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
