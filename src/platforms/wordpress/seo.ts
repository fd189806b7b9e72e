import type { WordPressPost } from './client.ts';
import type { SeoPlugin } from './client-discovery.ts';
import { WordPressFailed } from './client-failed.ts';
import type { WordPressRun } from './run.ts';

export type Seo = {
  title: string;
  description: string;
  focus: string;
  canonical?: string;
  noindex?: boolean;
};

const labels = {
  title: 'SEO-заголовок',
  description: 'SEO-описание',
  focus: 'ключевая фраза',
  canonical: 'канонический адрес',
  noindex: 'запрет индексации',
} satisfies Record<keyof Seo, string>;

const yoastKeys: Readonly<Record<keyof Seo, string>> = {
  title: '_yoast_wpseo_title',
  description: '_yoast_wpseo_metadesc',
  focus: '_yoast_wpseo_focuskw',
  canonical: '_yoast_wpseo_canonical',
  noindex: '_yoast_wpseo_meta-robots-noindex',
};

/** What goes along with the post itself. Rank Math takes nothing there; a site that hides its plugin may be Yoast's. */
export function metaOf(seo: Seo, plugin: SeoPlugin | null): Record<string, string> | null {
  if (plugin === 'rankmath') return null;
  const given = fieldsOf(seo).map((field) => [
    yoastKeys[field],
    field === 'noindex' ? '1' : String(seo[field]),
  ]);
  return Object.fromEntries(given);
}

/** Sends the fields to the SEO plugin that takes them outside the post, and says in one sentence what did not take. */
export async function settleSeo(
  run: WordPressRun,
  post: WordPressPost,
  seo: Seo,
  plugin: SeoPlugin | null,
): Promise<string[]> {
  if (plugin === 'rankmath') return toRankMath(run, post, seo);
  const meta = metaOf(seo, plugin) ?? {};
  const missed = fieldsOf(seo).filter((field) => post.meta[yoastKeys[field]] !== meta[yoastKeys[field]]);
  if (missed.length === 0) return [];
  const names = missed.map((field) => labels[field]).join(', ');
  return plugin === 'yoast'
    ? [
        `Yoast SEO не принял через API: ${names}. Обновите плагин или заполните эти поля в редакторе WordPress.`,
      ]
    : [`На сайте не нашлось ни Yoast SEO, ни Rank Math: ${names} сохранить негде.`];
}

async function toRankMath(run: WordPressRun, { id }: WordPressPost, seo: Seo): Promise<string[]> {
  const meta = {
    rank_math_title: seo.title,
    rank_math_description: seo.description,
    rank_math_focus_keyword: seo.focus,
    ...(seo.canonical && { rank_math_canonical_url: seo.canonical }),
    ...(seo.noindex && { rank_math_robots: ['noindex'] }),
  };
  try {
    await run.wordpress.updateRankMath(run.access, id, meta, run.signal);
    return [];
  } catch (error) {
    if (!(error instanceof WordPressFailed)) throw error;
    run.log.warn({ err: error, post: id }, 'Rank Math did not take its fields');
    const names = fieldsOf(seo).map((field) => labels[field]);
    return [`Rank Math не принял через API: ${names.join(', ')}. Заполните эти поля в редакторе WordPress.`];
  }
}

const fieldsOf = (seo: Seo): (keyof Seo)[] =>
  (Object.keys(labels) as (keyof Seo)[]).filter((field) => Boolean(seo[field]));
