import type { Site } from './site.ts';
import { escaped, themed } from './theme.ts';
import type { Post, Taxonomy } from './wire.ts';

/** What a reader of the site sees; null where there is no such page. */
export function readerPage(site: Site, path: string, query: URLSearchParams, base: string): string | null {
  if (path === '/' && !query.has('p')) return front(site, base);
  const slug = decodeURIComponent(path.replace(/\.html$/u, '').replaceAll('/', ''));
  const number = query.get('p') ?? /^\/archives\/(\d+)$/u.exec(path)?.[1];
  const post = published(site).find(({ id, slug: own }) =>
    number === undefined ? own === slug : id === Number(number),
  );
  const page = site.settings.pages.find((each) => each.slug === slug);
  if (page && !query.has('p')) {
    const main = `<article><h1>${escaped(page.title)}</h1><p>${escaped(page.text)}</p></article>`;
    return themed({ site: { title: site.settings.title, base }, title: page.title, main });
  }
  return post ? article(site, post, base) : null;
}

function front(site: Site, base: string): string {
  const { title } = site.settings;
  const cards = published(site)
    .map(
      (post) => `<article class="card"><h2><a href="${base}/${post.slug}/">${escaped(post.title)}</a></h2>
<p class="meta">${dayOf(post)}</p><p>${escaped(plain(post.excerpt))}</p></article>`,
    )
    .join('\n');
  const main = cards || '<p>Здесь пока нет ни одной записи.</p>';
  return themed({ site: { title, base }, title, main: `<h1>Блог</h1>${main}` });
}

function article(site: Site, post: Post, base: string): string {
  const { title } = site.settings;
  const rubrics = names(site, 'categories', post.categories).join(', ');
  const tags = names(site, 'tags', post.tags).map((name) => `<span>${name}</span>`);
  const author = site.users.values().find(({ id }) => id === post.author)?.name ?? '';
  const { seoTitle, description, canonical, noindex } = seoOf(site, post);
  return themed({
    site: { title, base },
    title: seoTitle ?? `${post.title} — ${title}`,
    ...(description && { description }),
    ...(canonical && { canonical }),
    noindex,
    main: `<article><h1>${escaped(post.title)}</h1>
<p class="meta">${[dayOf(post), escaped(author), rubrics].filter(Boolean).join(' · ')}</p>
${featured(site, post, base)}
${withoutBlocks(here(post.content, base))}
${tags.length > 0 ? `<p class="tags">${tags.join('')}</p>` : ''}</article>`,
  });
}

/** A stock WordPress prints no description: a plugin does, or a theme that was made to. */
function seoOf(site: Site, { meta, excerpt }: Post) {
  const plugin = site.seoPlugin();
  const said = (...keys: string[]) =>
    plugin === 'rankmath-new'
      ? undefined
      : keys.map((key) => meta[key]).find((value) => typeof value === 'string');
  const printsExcerpt = plugin === 'seopress' || site.settings.themeDescribes;
  const robots = meta.rank_math_robots;
  return {
    seoTitle: said('_yoast_wpseo_title', 'rank_math_title', '_seopress_titles_title'),
    description:
      said('_yoast_wpseo_metadesc', 'rank_math_description', '_seopress_titles_desc') ??
      (printsExcerpt ? plain(excerpt) : undefined),
    canonical: said('_yoast_wpseo_canonical', 'rank_math_canonical_url', '_seopress_robots_canonical'),
    noindex: (Array.isArray(robots) && robots.includes('noindex')) || meta._seopress_robots_index === 'yes',
  };
}

function featured(site: Site, { featuredMedia }: Post, base: string): string {
  const media = site.media.get(featuredMedia);
  if (!media) return '';
  return `<figure class="featured"><img src="${base}/wp-content/uploads/${media.file}" alt="${escaped(media.alt)}"></figure>`;
}

const published = (site: Site): Post[] =>
  site.posts
    .values()
    .filter(({ status }) => status === 'publish')
    .reverse();

const names = (site: Site, taxonomy: Taxonomy, ids: readonly number[]): string[] =>
  ids.flatMap((id) => {
    const term = site.terms.get(id);
    return term?.taxonomy === taxonomy ? [term.name] : [];
  });

/** The next start may give this server another port; its pictures stay its own. */
const here = (content: string, base: string): string =>
  content.replace(/http:\/\/(?:127\.0\.0\.1|localhost):\d+[^\s"<>]*?\/wp-content\//gu, `${base}/wp-content/`);

const withoutBlocks = (content: string): string => content.replace(/<!--\s*\/?wp:[\s\S]*?-->\s*/gu, '');

const plain = (html: string): string => html.replace(/<[^>]*>/gu, '').trim();

const dayOf = ({ madeAt }: Post): string =>
  new Date(madeAt).toLocaleDateString('ru-RU', { day: 'numeric', month: 'long', year: 'numeric' });
