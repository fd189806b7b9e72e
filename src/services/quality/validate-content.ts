import { type PostPlatform, postRulesOf } from '../../platforms/platforms.ts';
import { modelTalkIn } from './model-talk.ts';
import { type ReadHtml, readHtml, textOf } from './read-html.ts';

/** The last look before anything leaves. Every failure is named, not only the first. */

export type ContentFault =
  | { readonly code: 'too-short'; readonly length: number; readonly min: number }
  | { readonly code: 'h1-count'; readonly count: number }
  | { readonly code: 'no-sections' }
  | { readonly code: 'no-paragraph'; readonly min: number }
  | { readonly code: 'placeholder'; readonly found: string }
  | { readonly code: 'not-russian'; readonly cyrillic: number }
  /** A refusal, a greeting, our own instructions, or markup that was to be obeyed and is read instead. */
  | { readonly code: 'model-talk'; readonly found: string }
  | { readonly code: 'empty' }
  | {
      readonly code: 'too-long';
      readonly part: 'text' | 'title';
      readonly length: number;
      readonly max: number;
    };

const articleRules = { minLength: 500, minParagraph: 50 } as const;

/** Marks a writer leaves to be filled in. A Markdown link, `[ваш врач](…)`, is not one. */
const placeholders: readonly RegExp[] = [
  /\[\s*(?:INSERT|YOUR)\b[^\]\n]{0,60}\]?/iu,
  /lorem ipsum/iu,
  /(?<![\p{L}\p{N}_])TODO(?![\p{L}\p{N}_])/u,
  /<\/?placeholder\b[^>]*>/iu,
  /\{\{[^{}]*\}\}/u,
  /\[\s*(?:вста[вь]|впи[сш]|вве[дс]|укаж|указа|заполн|допи[сш]|добав|подстав|замен|ваш|назван|наименован|имя|фио|телефон|номер|адрес|город|цен|сумм|дат|ссылк|сайт|компани|текст)[^\]\n]{0,60}\](?!\()/iu,
  /(?<!\p{L})(?:вставьте|впишите|укажите|введите) (?:сюда|здесь)(?!\p{L})/iu,
  /(?<!\p{L})(?:текст-заполнитель|рыба-текст|заглушка текста)(?!\p{L})/iu,
];

type Around = {
  /** Published with the page, but not read in it. */
  beside?: readonly string[];
  /** Words of the customer's own, such as the company's name: a model repeats them, whatever they look like. */
  own?: readonly string[];
};

/** `page` is what is read in the HTML, for a caller who has read it already. */
export function validateArticle(
  html: string,
  page: ReadHtml = readHtml(html),
  { beside = [], own = [] }: Around = {},
): ContentFault[] {
  const talk = modelTalkIn([...page.blocks.map((block) => block.text), ...beside], own);
  const text = textOf(page);
  const { length } = text;
  const { minLength, minParagraph } = articleRules;
  return [
    ...when(length < minLength, { code: 'too-short', length, min: minLength }),
    ...when(page.h1.length !== 1, { code: 'h1-count', count: page.h1.length }),
    ...when(page.h2.length === 0, { code: 'no-sections' }),
    ...when(!page.paragraphs.some((paragraph) => paragraph.length >= minParagraph), {
      code: 'no-paragraph',
      min: minParagraph,
    }),
    ...foreignIn(text),
    ...(talk === null ? [] : [{ code: 'model-talk', found: talk } as const]),
    ...placeholdersIn(html),
  ];
}

/** Lengths count what is read: markup is free on the platforms that allow it. */
export function validatePost(
  platform: PostPlatform,
  post: { text: string; title?: string | null },
): ContentFault[] {
  const { limit, titleLimit } = postRulesOf(platform);
  const text = visible(platform, post.text);
  const title = post.title ?? '';
  return [
    ...when(text.trim() === '', { code: 'empty' }),
    ...when(text.length > limit, {
      code: 'too-long',
      part: 'text',
      length: text.length,
      max: limit,
    }),
    ...when(titleLimit !== undefined && title.length > titleLimit, {
      code: 'too-long',
      part: 'title',
      length: title.length,
      max: titleLimit ?? 0,
    }),
    ...placeholdersIn(`${title}\n${post.text}`),
  ];
}

/** Brands and terms come in Latin letters; when most of a text does, the model forgot for whom it writes. */
const LEAST_CYRILLIC = 0.5;

function foreignIn(text: string): ContentFault[] {
  const letters = text.replace(/\P{L}+/gu, '').length;
  const cyrillic = letters === 0 ? 1 : text.replace(/\P{Script=Cyrillic}+/gu, '').length / letters;
  return when(cyrillic < LEAST_CYRILLIC, { code: 'not-russian', cyrillic });
}

export type ImageData = { alt: string; filename: string; caption?: string | null };

const MAX_FILENAME = 180;
const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u;

/** A picture is never refused for its caption: data that cannot be used gives way to generic (n counts from 1). */
export function usableImageData(
  data: ImageData,
  generic: { title: string; slug: string; n: number },
): ImageData {
  const usable = data.alt.trim() !== '' && SLUG.test(data.filename) && data.filename.length <= MAX_FILENAME;
  if (usable) return data;
  const number = `-${generic.n}`;
  const stem = generic.slug.slice(0, MAX_FILENAME - number.length).replace(/^-+|-+$/gu, '');
  return {
    alt: `${generic.title} — изображение ${generic.n}`,
    filename: `${SLUG.test(stem) ? stem : 'image'}${number}`,
    caption: null,
  };
}

/** Tags and escaped angle brackets alike: `&lt;placeholder&gt;` is what a reader would see. */
export function placeholdersIn(html: string): ContentFault[] {
  const shown = html.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return placeholders.flatMap((pattern) => {
    const found = shown.match(pattern)?.[0];
    return found === undefined ? [] : [{ code: 'placeholder', found } as const];
  });
}

function visible(platform: PostPlatform, text: string): string {
  if (postRulesOf(platform).tags.length === 0) return text;
  return text
    .replace(/<\/?(?:b|strong|i|em|u|s|a|code|pre|blockquote)(?:\s[^>]*)?>/giu, '')
    .replace(/&(?:lt|gt|amp|quot);/gu, ' ');
}

const when = (failed: boolean, fault: ContentFault): ContentFault[] => (failed ? [fault] : []);
