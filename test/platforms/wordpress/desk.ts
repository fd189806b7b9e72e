import { pino } from 'pino';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import type { WordPressArticle } from '../../../src/platforms/wordpress/article.ts';
import { createWordPress } from '../../../src/platforms/wordpress/client.ts';
import { makeWordPressAdapter, type WordPressChannel } from '../../../src/platforms/wordpress/publish.ts';
import { startWordPressStandIn } from '../../../src/sandbox/wordpress/start.ts';
import type { SiteSettings } from '../../../src/sandbox/wordpress/wire.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { keptStages } from '../../services/ai/kept-stages.ts';

const pictureUrl = (n: number) => `https://pictures.example/1/2/okno-${n}.webp?expires=1&signature=a${n}`;
const inHtml = (n: number) => pictureUrl(n).replaceAll('&', '&amp;');
const figure = (n: number) =>
  `<figure><img src="${inHtml(n)}" alt="Окно ${n}" width="8" height="8"><figcaption>Подпись ${n}</figcaption></figure>`;

/** Four pictures, contents, links, and data for search engines, as the pipeline leaves them. */
export const article: WordPressArticle = {
  title: 'Как выбрать окна & не пожалеть',
  slug: 'kak-vybrat-okna',
  excerpt: 'Коротко о главном',
  html: `<h1>Как выбрать окна &amp; не пожалеть</h1>
<nav class="toc">
<p><strong>Содержание</strong></p>
<ul>
<li><a href="#profil">Профиль</a></li>
</ul>
</nav>
<p style="color:#333333">Вступление со <a href="https://example.org/" rel="noopener noreferrer">ссылкой</a>.</p>
${figure(1)}
<h2 id="profil">Профиль</h2>
${figure(2)}
<p>Текст.</p>
${figure(3)}
<table><thead><tr><th>Цена</th></tr></thead><tbody><tr><td>100</td></tr></tbody></table>
${figure(4)}
<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Article',
    image: [1, 2, 3, 4].map(pictureUrl),
  })}</script>`,
  seo: { title: 'Окна: как выбрать', description: 'Описание для выдачи', focus: 'выбрать окна' },
  images: [1, 2, 3, 4].map((n) => ({
    url: pictureUrl(n),
    bytes: tinyPng(8 + n, 8),
    contentType: 'image/webp', // it lies: the first bytes say PNG
    filename: `okno-${n}`,
    alt: `Окно ${n}`,
    caption: `Подпись ${n}`,
  })),
  categories: ['Окна'],
  tags: ['профиль', 'Монтаж & уход'],
};

/** A site, the adapter, and stages that a crash leaves behind. */
export async function openDesk(settings: Partial<SiteSettings> = {}, patienceMs = 500) {
  const standIn = await startWordPressStandIn({ sites: { '': { settings } } });
  const site = standIn.site();
  const pauses: number[] = [];
  const log = pino({ level: 'silent' });
  const wordpress = createWordPress({
    fetch: createGuardedFetch({ allowPrivate: true }),
    allowHttp: true,
    retries: 1,
    waitMs: () => 1,
    limits: { lookMs: 5_000, uploadMs: patienceMs, describeMs: 5_000, postMs: patienceMs },
  });
  const adapter = makeWordPressAdapter({
    wordpress,
    log,
    lookAgainMs: 5_000,
    pause: async (ms) => void pauses.push(ms),
  });
  const admin: WordPressChannel = {
    url: standIn.url,
    login: 'admin',
    appPassword: 'sand boxa dmin pass word 0001',
  };
  const author = { ...admin, login: 'author', appPassword: 'sand boxa utho rpas swor 0002' };
  const stages = keptStages();
  const call = { idempotencyKey: 'draft:17:publish', stage: stages.run };
  return { standIn, site, wordpress, adapter, admin, author, stages, call, pauses };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
