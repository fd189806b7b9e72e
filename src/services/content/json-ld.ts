type ArticleFacts = {
  schemaType?: string;
  headline: string;
  description: string;
  images: string[];
  author: string;
  /** The person who signs; without one the company does. */
  person?: string;
  publisher: string;
  /** ISO 8601. */
  datePublished: string;
  /** Of a renewed article; else the day it came out. */
  dateModified?: string;
};

export type Question = { question: string; answer: string };

/** Invisible data for search engines; undefined members are left out by JSON itself. */
export const articleSchema = (facts: ArticleFacts) => ({
  '@context': 'https://schema.org',
  '@type': facts.schemaType || 'Article',
  headline: facts.headline,
  description: facts.description,
  image: facts.images.length > 0 ? facts.images : undefined,
  author: facts.person
    ? { '@type': 'Person', name: facts.person, worksFor: { '@type': 'Organization', name: facts.author } }
    : { '@type': 'Organization', name: facts.author },
  publisher: { '@type': 'Organization', name: facts.publisher },
  datePublished: facts.datePublished,
  dateModified: facts.dateModified ?? facts.datePublished,
});

/** The data of an article, once the address of its page is known. Anything else stays as it is. */
export const withPageAddress = (data: unknown, address: string): unknown =>
  typeof data === 'object' && data !== null && 'headline' in data
    ? { ...data, mainEntityOfPage: { '@type': 'WebPage', '@id': address } }
    : data;

export const faqSchema = (questions: Question[]) => ({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});

/**
 * No "<" is left in the data, so neither "</script>" nor "<!--" can end or swallow the element; and no "[word", which
 * WordPress would take for a shortcode and run.
 */
export const jsonLdScript = (data: object): string => {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replace(/\[(?=\/?[a-z_])(?!(?:true|false|null)\b)/giu, '\\u005b');
  return `<script type="application/ld+json">${json}</script>`;
};

/** The element written anew from its text, or nothing if that is no JSON object or list. */
export function rewrittenJsonLd(text: string): string {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? jsonLdScript(data) : '';
  } catch {
    return ''; // not JSON, or nested deeper than the stack: either way not for publishing
  }
}

/** A whole element as it stands in an article, with its text. */
export const JSON_LD_SCRIPT = /<script type="application\/ld\+json">([\s\S]*?)<\/script>\s*/gu;

/** The element written anew with its pictures at other places; null: the picture is left out. */
export function relinkedJsonLd(jsonLd: string, places: ReadonlyMap<unknown, string | null>): string {
  return jsonLdScript(relink(JSON.parse(jsonLd)) as object);

  function relink(value: unknown): unknown {
    if (typeof value === 'string') return places.get(value) ?? value;
    if (Array.isArray(value)) return value.filter((item) => places.get(item) !== null).map(relink);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, relink(inner)] as const);
    return Object.fromEntries(entries.filter(([, inner]) => !Array.isArray(inner) || inner.length > 0));
  }
}
