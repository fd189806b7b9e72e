import { slug as toSlug } from '../../services/content/slug.ts';
import { OutcomeUnknown } from '../create-once.ts';
import type { WordPressPost } from './client.ts';
import type { SeoPlugin } from './client-discovery.ts';
import { WordPressFailed } from './client-failed.ts';
import {
  asHtml,
  holdsJsonLd,
  holdsMark,
  lettersOf,
  toPostContent,
  withAddress,
  withMark,
  withoutJsonLd,
} from './content.ts';
import { moveImages, type WordPressImage } from './media.ts';
import { createPost, findAfterAttempt, findPost } from './post.ts';
import { isPassed, type WordPressRun } from './run.ts';
import { metaOf, type Seo, type SettledSeo, settleSeo } from './seo.ts';
import { type KnownTerms, resolveTerms } from './terms.ts';

export type WordPressArticle = {
  title: string;
  /** Cleaned, with H1, contents, figures and JSON-LD. */
  html: string;
  slug: string;
  excerpt: string;
  seo: Seo;
  images: readonly WordPressImage[];
  categories: readonly string[];
  tags: readonly string[];
  /** To be finished by its owner: not to be read on the site yet. */
  asDraft?: boolean;
};

type Circumstances = {
  seoPlugin: SeoPlugin | null;
  keepsJsonLd: boolean;
  knownTerms: Partial<KnownTerms>;
};
/** `isDraft`: as the site has it, whatever was asked for. */
type Made = { id: number; link: string; isDraft: boolean; terms: KnownTerms; warnings: string[] };

const NO_JSON_LD =
  'Разметка для поисковиков (JSON-LD) не сохранилась: WordPress вырезает её у пользователей без права ' +
  'unfiltered_html. Подключите сайт под администратором или редактором, чтобы она осталась.';
const PLUGIN_HELPS = ' Основную разметку статьи добавит сам SEO-плагин сайта.';
const ALREADY_THERE = 'Точно такая же статья на сайте уже есть, второй раз бот её не публикует.';
const NOT_READ_BACK =
  'Статья опубликована, но проверить её SEO-поля не удалось: посмотрите их в редакторе WordPress.';

/** Everything up to the post itself. Throws OutcomeUnknown when it may be there and cannot be seen. */
export async function makePost(
  run: WordPressRun,
  article: WordPressArticle,
  { seoPlugin, keepsJsonLd, knownTerms }: Circumstances,
): Promise<Made> {
  const known: KnownTerms = { categories: {}, tags: {}, ...knownTerms };
  const { letters, ...named } = soughtOf(article, run.mark);
  const sought = { ...named, letters };
  const attempted = await isPassed(run.stage, 'attempt');
  const earlier = await (attempted ? findAfterAttempt(run, sought) : findPost(run, sought));
  if (earlier) {
    const { id, link, status } = await asWanted(run, earlier, article);
    const warnings = holdsMark(earlier.content, run.mark) || status !== earlier.status ? [] : [ALREADY_THERE];
    return { id, link, isDraft: isDraft({ status }), terms: known, warnings };
  }

  const { moved, warnings: leftOut } = await moveImages(run, article.images);
  const { terms, warnings: unnamed } = await run.stage('terms', () => resolveTerms(run, article, known));
  const featured = moved.find(({ to }) => to !== null) ?? null;
  const content = toPostContent(article.html, moved, featured);
  const meta = metaOf(article.seo, seoPlugin);

  await run.stage('attempt', async () => ({ mark: run.mark, slug: named.slug }));
  const fresh = {
    ...named,
    content: withMark(keepsJsonLd ? content : { ...content, jsonLd: '' }, run.mark),
    excerpt: asHtml(article.excerpt),
    status: article.asDraft ? ('draft' as const) : ('publish' as const),
    ...(featured?.to && { featured_media: featured.to.id }),
    categories: Object.values(terms.categories).flat(),
    tags: Object.values(terms.tags).flat(),
    ...(meta && { meta }),
  };
  const { id, link, status } = await createPost(run, fresh, sought);
  return { id, link, isDraft: isDraft({ status }), terms, warnings: [...leftOut, ...unnamed] };
}

/** By what a post of this article is known on the site, beside its mark. */
export const soughtOf = ({ title, slug, html }: NamedArticle, mark: string) => ({
  title: asHtml(title),
  slug: toSlug(slug) || mark,
  letters: lettersOf(toPostContent(html, []).body),
});
type NamedArticle = Pick<WordPressArticle, 'title' | 'slug' | 'html'>;

/** A draft whose answer was lost, and that is to be read by all now. What its owner has published is left as it is. */
async function asWanted(
  run: WordPressRun,
  post: WordPressPost,
  { asDraft = false }: WordPressArticle,
): Promise<WordPressPost> {
  if (asDraft || post.status !== 'draft') return post;
  try {
    return await run.wordpress.updatePost(run.access, post.id, { status: 'publish' }, run.signal);
  } catch (error) {
    // Refused or not, the site has the text: it must not be taken for absent and paid back.
    if (!(error instanceof WordPressFailed)) throw error;
    throw new OutcomeUnknown(`post ${post.id} is a draft and could not be published`, { cause: error });
  }
}

export const isDraft = ({ status }: Pick<WordPressPost, 'status'>): boolean => status === 'draft';

/** The post is out: from here on a failure is a warning, and everything may be done twice. */
export async function settlePost(
  run: WordPressRun,
  id: number,
  article: WordPressArticle,
  seoPlugin: SeoPlugin | null,
): Promise<SettledSeo> {
  try {
    const post = await run.wordpress.readPost(run.access, id, run.signal);
    const isLost = holdsJsonLd(article.html) && !holdsJsonLd(post.content);
    if (isLost) await withoutLeftovers(run, post);
    // The address of a draft is not the one it will have.
    else if (!isDraft(post)) await named(run, post);
    const { warnings, described } = await settleSeo(run, post, article.seo, seoPlugin);
    const unmarked = isLost ? [`${NO_JSON_LD}${seoPlugin ? PLUGIN_HELPS : ''}`] : [];
    return { warnings: [...unmarked, ...warnings], described };
  } catch (error) {
    if (!(error instanceof WordPressFailed)) throw error;
    run.log.warn({ err: error, post: id }, 'a WordPress post could not be read back');
    return { warnings: [NOT_READ_BACK], described: null };
  }
}

/** The address is known once the post is there. Idempotent: the second time nothing differs. */
async function named(run: WordPressRun, { id, link, content }: WordPressPost): Promise<void> {
  const addressed = withAddress(content, link);
  if (addressed !== content)
    await run.wordpress.updatePost(run.access, id, { content: addressed }, run.signal);
}

/** WordPress takes the tags of a script out and leaves what was between them for everybody to read. */
async function withoutLeftovers(run: WordPressRun, { id, content }: WordPressPost): Promise<void> {
  const clean = withoutJsonLd(content);
  if (clean !== content) await run.wordpress.updatePost(run.access, id, { content: clean }, run.signal);
}
