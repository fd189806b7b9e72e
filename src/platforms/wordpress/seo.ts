import { decodeEntities } from '../../services/posts/entities.ts';
import type { WordPressPost } from './client.ts';
import type { SeoPlugin } from './client-discovery.ts';
import { WordPressFailed } from './client-failed.ts';
import { lettersOf } from './content.ts';
import type { WordPressRun } from './run.ts';

export type Seo = {
  title: string;
  description: string;
  focus: string;
  canonical?: string;
  noindex?: boolean;
};
type Field = keyof Seo;

export type SettledSeo = {
  /** In words for the person. */
  warnings: string[];
  /** Whether the page shows the description to search engines; null: the page could not be read. */
  described: boolean | null;
};

const labels = {
  title: 'SEO-заголовок',
  description: 'SEO-описание',
  focus: 'ключевая фраза',
  canonical: 'канонический адрес',
  noindex: 'запрет индексации',
} satisfies Record<Field, string>;

const yoastKeys: Readonly<Record<Field, string>> = {
  title: '_yoast_wpseo_title',
  description: '_yoast_wpseo_metadesc',
  focus: '_yoast_wpseo_focuskw',
  canonical: '_yoast_wpseo_canonical',
  noindex: '_yoast_wpseo_meta-robots-noindex',
};

/** What goes along with the post itself. Yoast alone takes it there; a site that hides its plugin may be Yoast's. */
export function metaOf(seo: Seo, plugin: SeoPlugin | null): Record<string, string> | null {
  if (plugin === 'rankmath' || plugin === 'seopress') return null;
  const given = fieldsOf(seo).map((field) => [
    yoastKeys[field],
    field === 'noindex' ? '1' : String(seo[field]),
  ]);
  return Object.fromEntries(given);
}

/**
 * Sends the fields to an SEO plugin that takes them outside the post, reads back what took, and looks at the page itself:
 * a theme may print the excerpt as its description without any plugin, and a plugin that is not set up yet prints nothing.
 */
export async function settleSeo(
  run: WordPressRun,
  post: WordPressPost,
  seo: Seo,
  plugin: SeoPlugin | null,
): Promise<SettledSeo> {
  const lost = await lostFields(run, post, seo, plugin);
  // A draft has no page that could be read.
  const described = post.status === 'draft' ? null : await showsDescription(run, post, seo);
  const missed = lost.filter((field) => field !== 'description' || described !== true);
  const isSilent = described === false && !missed.includes('description');
  return {
    described: described ?? (missed.includes('description') ? null : true),
    warnings: [
      ...(missed.length > 0 ? [words[plugin ?? 'none'](missed, described === true)] : []),
      ...(isSilent && plugin ? [silent[plugin]] : []),
    ],
  };
}

/**
 * The plugin's own description follows the excerpt that it was published with; where its owner has written another one,
 * that stays. Rank Math lets nothing be read but the page.
 */
export async function redescribe(
  run: Pick<WordPressRun, 'wordpress' | 'access' | 'signal' | 'log'>,
  { id, link, meta }: WordPressPost,
  { from, to }: { from: string; to: string },
  plugin: SeoPlugin | null,
): Promise<void> {
  const { wordpress, access, signal } = run;
  if (said(from) === '' || said(from) === said(to)) return;
  await taken(run, plugin ?? 'none', async () => {
    if (plugin === 'seopress') {
      const { title, description } = await wordpress.readSeoPress(access, id, signal);
      const renewed = { title, description: said(to) };
      if (said(description) === said(from))
        await wordpress.updateSeoPress(access, id, 'title-description-metas', renewed, signal);
    } else if (plugin === 'rankmath') {
      const shown = await wordpress.descriptionOn(link, signal);
      if (shown !== null && lettersOf(shown) === lettersOf(from))
        await wordpress.updateRankMath(access, id, { rank_math_description: said(to) }, signal);
    } else if (said(String(meta[yoastKeys.description] ?? '')) === said(from)) {
      const renewed = { meta: { [yoastKeys.description]: said(to) } };
      await wordpress.updatePost(access, id, renewed, signal);
    }
  });
}

/** An excerpt is HTML, a description is words. */
const said = (text: string): string => decodeEntities(text).replace(/\s+/gu, ' ').trim();

const namesOf = (fields: readonly Field[]): string => fields.map((field) => labels[field]).join(', ');

const inEditor = 'Заполните эти поля в редакторе WordPress.';

const words: Readonly<Record<SeoPlugin | 'none', (missed: readonly Field[], described: boolean) => string>> =
  {
    yoast: (missed) =>
      `Yoast SEO не принял через API: ${namesOf(missed)}. Обновите плагин или заполните эти поля в редакторе WordPress.`,
    rankmath: (missed) => `Rank Math не принял через API: ${namesOf(missed)}. ${inEditor}`,
    seopress: (missed) => `SEOPress не принял через API: ${namesOf(missed)}. ${inEditor}`,
    none: (missed, described) =>
      described
        ? `SEO-описание на странице есть: сайт берёт его из отрывка записи. Без SEO-плагина сохранить негде: ${namesOf(missed)}.`
        : `На сайте не нашлось SEO-плагина, и сохранить негде: ${namesOf(missed)}. Описание лежит в отрывке записи, но поисковикам эта тема его не показывает.`,
  };

/** It took the fields, and the page does not show them. */
const silent: Readonly<Record<SeoPlugin, string>> = {
  yoast: 'Yoast SEO принял описание, но на странице его пока нет. Проверьте настройки плагина и кеш сайта.',
  rankmath:
    'Rank Math принял описание, но на странице его нет: пока не пройден мастер настройки, плагин ничего не показывает. Откройте Rank Math в админке WordPress и завершите мастер.',
  seopress:
    'SEOPress принял описание, но на странице его пока нет. Проверьте, включён ли в плагине раздел «Titles & Metas», и кеш сайта.',
};

function lostFields(
  run: WordPressRun,
  post: WordPressPost,
  seo: Seo,
  plugin: SeoPlugin | null,
): Field[] | Promise<Field[]> {
  if (plugin === 'rankmath') return toRankMath(run, post, seo);
  if (plugin === 'seopress') return toSeoPress(run, post, seo);
  const meta = metaOf(seo, plugin) ?? {};
  return fieldsOf(seo).filter((field) => post.meta[yoastKeys[field]] !== meta[yoastKeys[field]]);
}

async function toRankMath(run: WordPressRun, { id }: WordPressPost, seo: Seo): Promise<Field[]> {
  const meta = {
    rank_math_title: seo.title,
    rank_math_description: seo.description,
    rank_math_focus_keyword: seo.focus,
    ...(seo.canonical && { rank_math_canonical_url: seo.canonical }),
    ...(seo.noindex && { rank_math_robots: ['noindex'] }),
  };
  const isTaken = await taken(run, 'Rank Math', () =>
    run.wordpress.updateRankMath(run.access, id, meta, run.signal),
  );
  return isTaken ? [] : fieldsOf(seo);
}

async function toSeoPress(run: WordPressRun, { id }: WordPressPost, seo: Seo): Promise<Field[]> {
  const { wordpress, access, signal } = run;
  const { title, description } = seo;
  const put = (group: Parameters<typeof wordpress.updateSeoPress>[2], meta: Record<string, string>) =>
    taken(run, 'SEOPress', () => wordpress.updateSeoPress(access, id, group, meta, signal));
  const robots = {
    ...(seo.canonical && { _seopress_robots_canonical: seo.canonical }),
    ...(seo.noindex && { _seopress_robots_index: 'yes' }), // the plugin's word for «not to be indexed»
  };
  await put('title-description-metas', { title, description });
  const hasFocus = await put('target-keywords', { _seopress_analysis_target_kw: seo.focus });
  const hasRobots = Object.keys(robots).length === 0 || (await put('meta-robot-settings', robots));
  let kept = { title: '', description: '' };
  await taken(run, 'SEOPress', async () => {
    kept = await wordpress.readSeoPress(access, id, signal);
  });
  const isKept: Readonly<Record<Field, boolean>> = {
    title: kept.title === title,
    description: kept.description === description,
    focus: hasFocus,
    canonical: hasRobots,
    noindex: hasRobots,
  };
  return fieldsOf(seo).filter((field) => !isKept[field]);
}

/** The article is out already: what its plugin refuses costs a warning, not the article. */
async function taken(
  run: Pick<WordPressRun, 'log'>,
  plugin: string,
  call: () => Promise<void>,
): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (!(error instanceof WordPressFailed)) throw error;
    run.log.warn({ err: error, plugin }, 'an SEO plugin did not take its fields');
    return false;
  }
}

async function showsDescription(
  { wordpress, log, signal }: WordPressRun,
  { link }: WordPressPost,
  { description }: Seo,
): Promise<boolean | null> {
  try {
    const shown = await wordpress.descriptionOn(link, signal);
    return shown !== null && isSame(shown, description);
  } catch (error) {
    if (!(error instanceof WordPressFailed)) throw error;
    log.warn({ err: error, link }, 'the page of an article could not be read');
    return null;
  }
}

const RECOGNISED = 60;

/** Quotes and dashes come back changed, and some plugins cut what is long. */
const isSame = (shown: string, sent: string): boolean =>
  lettersOf(shown).slice(0, RECOGNISED) === lettersOf(sent).slice(0, RECOGNISED);

const fieldsOf = (seo: Seo): Field[] =>
  (Object.keys(labels) as Field[]).filter((field) => Boolean(seo[field]));
