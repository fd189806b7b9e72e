import type { MarkdownIt } from 'markdown-it';
import { articleSchema, faqSchema, jsonLdScript } from '../content/json-ld.ts';
import { type ArticleText, PENDING_PICTURE, renderArticle } from '../content/render-article.ts';
import { sanitizeAndRead } from '../content/sanitize-html.ts';
import { checkFacts, type FactWarning, readPrices } from '../quality/check-facts.ts';
import { detectNiche, needsDisclaimer } from '../quality/niches.ts';
import { type ReadHtml, readPage, textOf } from '../quality/read-html.ts';
import { anyLanguage, type Language, remembering, russian } from '../quality/russian-text.ts';
import { type Group, scoreArticle, verdictOf } from '../quality/score-article.ts';
import { simhash, toSigned } from '../quality/simhash.ts';
import type { Topic } from '../quality/topic.ts';
import { type ContentFault, validateArticle } from '../quality/validate-content.ts';

/** Plain data both ways: the work is done in another thread. */
export type WrittenArticle = Required<Omit<ArticleText, 'places'>> & {
  /** Where the company is found: links lead nowhere else. */
  places?: NonNullable<ArticleText['places']>;
  mainPhrase: string;
  /** As people search for them, without volumes. */
  secondaryPhrases: string[];
  seoTitle?: string;
  metaDescription: string;
  /** What the top results say the topic needs. */
  topic?: Topic;
  /** Empty: Article. */
  schemaType: string;
  author: string;
  /** The person who signs. */
  person?: string;
  publisher: string;
  /** ISO 8601. */
  datePublished: string;
  dateModified?: string;
  company: {
    specialization: string;
    /** "goods — price", one per line. */
    prices: string;
    phones: string[];
    /** All that the company and the sources of the article say: a figure or a name from there is no invention. */
    known: string;
  };
};

export type FinishedArticle = {
  /** Safe to publish if `faults` is empty; with H1, contents and JSON-LD. */
  html: string;
  words: number;
  /** H2 sections, as the preview tells them. */
  sections: number;
  score: {
    total: number;
    groups: Readonly<Record<Group, number>>;
    /** What a critique asks the writer to mend. */
    advice: readonly string[];
    languageFailed: boolean;
    /** For the person who ordered the article. */
    strengths: string[];
    weaknesses: string[];
  };
  warnings: FactWarning[];
  faults: ContentFault[];
  /** A signed 64-bit number in digits; null when the language could not be read. */
  contentHash: string | null;
  /** Why the text stands as it was written (E47), for the log. */
  renderError: string | null;
  /** Why the language could not be read (E45), for the log. */
  languageError: string | null;
};

type Tools = { language?: Language; markdownIt?: MarkdownIt };

/**
 * From what a model wrote to what is published and what is thought of it. A draft goes the same way before its
 * pictures are there: `{{IMAGE_N}}` counts as a picture, and stays in the HTML as a fault that keeps it from going out.
 */
export function finishArticle(article: WrittenArticle, tools: Tools = {}): FinishedArticle {
  const language = remembering(tools.language ?? russian);
  const { disclaimer, markdown: written } = withDisclaimer(article);
  const signature = article.person ? `Автор: ${article.person}, ${article.author}` : null;
  // A text that was published before brings its signature along.
  const isSigned = signature === null || written.includes(signature);
  const markdown = isSigned ? written : `${written.trimEnd()}\n\n*${escaped(signature)}*`;
  const added = [disclaimer, signature].filter((text) => text !== null);

  const rendered = renderArticle({ ...article, markdown: hidePending(markdown) }, tools.markdownIt);
  const { html: body, seen } = sanitizeAndRead(rendered.html, readPage);
  const html = showPending(body) + jsonLd(article, seen, added);
  const page = { ...seen, hasJsonLd: true };

  // The conclusion is the author's last paragraph, not the lawyer's or a signature.
  const paragraphs = page.paragraphs.filter((text) => !added.includes(text));
  const score = scoreArticle({ ...article, html }, language, { ...page, paragraphs });
  const readable = score.languageFailed ? anyLanguage : language;
  const { prices, phones, known } = article.company;

  return {
    html,
    words: readable.words(textOf(page)).length,
    sections: page.h2.length,
    score: {
      total: score.total,
      groups: score.groups,
      advice: score.failed,
      languageFailed: score.languageFailed,
      ...verdictOf(score),
    },
    warnings: checkFacts(html, { prices: readPrices(prices), phones, known }, readable, page),
    faults: validateArticle(html, page, {
      beside: [article.metaDescription],
      own: [article.author, article.company.specialization, article.mainPhrase],
    }),
    contentHash: score.languageFailed ? null : String(toSigned(simhash(article.markdown, language))),
    renderError: rendered.fellBack ? told(rendered.cause) : null,
    languageError: score.languageFailed ? told(score.languageError) : null,
  };
}

function withDisclaimer({ company, markdown }: WrittenArticle) {
  const traits = detectNiche(company.specialization);
  const { disclaimer } = traits;
  return needsDisclaimer(traits, markdown)
    ? { disclaimer, markdown: `${markdown.trimEnd()}\n\n*${disclaimer}*` }
    : { disclaimer, markdown };
}

/** A name is words: nothing in it is markup. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>]/gu, '\\$&');

const PENDING = new RegExp(`${PENDING_PICTURE.replaceAll('.', '\\.')}(\\d+)`, 'gu');

const hidePending = (markdown: string): string =>
  markdown.replace(/\]\(\s*<?\{\{\s*IMAGE_(\d+)\s*\}\}>?/gu, `](${PENDING_PICTURE}$1`);

const showPending = (html: string): string => html.replaceAll(PENDING, '{{IMAGE_$1}}');

/** Written by code and never by a model, so it need not pass the gate. */
function jsonLd(article: WrittenArticle, { faq }: ReadHtml, added: readonly string[]): string {
  const facts = articleSchema({
    ...article,
    headline: article.title,
    description: article.metaDescription,
    images: article.images.map(({ url }) => url),
  });
  // Search engines compare it with the page: what the model said beside its text may be something else.
  const questions = faq
    .map(({ question, answer }) => ({
      question,
      answer: answer.filter((text) => !added.includes(text)).join(' '),
    }))
    .filter(({ answer }) => answer !== '');
  const data = questions.length > 0 ? [facts, faqSchema(questions)] : [facts];
  return data.map(jsonLdScript).join('');
}

const told = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
