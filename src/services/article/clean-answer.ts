import type { ArticleAnswer } from '../ai/answers.ts';
import { foreignAddresses } from '../posts/company-links.ts';
import { decodeEntities } from '../posts/entities.ts';
import type { Company } from '../projects/brief.ts';

/** What a model wrote, fit to be kept and shown. Only the text itself may have markup. */
export function cleanAnswer(answer: ArticleAnswer, company: Company): ArticleAnswer {
  const { content_markdown, faq_schema, images_meta, ...lines } = storable(answer);
  const words = (text: string): string => wordsOf(text, company);
  return {
    content_markdown,
    title: words(lines.title),
    seo_title: words(lines.seo_title),
    meta_description: words(lines.meta_description),
    faq_schema: faq_schema
      .map(({ question, answer: said }) => ({ question: words(question), answer: words(said) }))
      .filter(({ question, answer: said }) => question !== '' && said !== ''),
    images_meta: images_meta.map(({ filename, alt, figcaption }) => ({
      filename,
      alt: words(alt),
      figcaption: words(figcaption),
    })),
  };
}

/** A title that breaks off in a word looks like a mistake. */
export function atWord(text: string, most: number): string {
  const tidy = oneLine(text);
  if (tidy.length <= most) return tidy;
  const cut = tidy.slice(0, most + 1);
  const end = cut.lastIndexOf(' ');
  return (end > 0 ? cut.slice(0, end) : cut.slice(0, most)).replace(/[\s,;:—–-]+$/u, '');
}

export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** PostgreSQL takes neither a zero character nor half an emoji. */
function storable<Answer>(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
}

/** Search engines and themes obey markup in these, links too, and nothing else cleans them: words alone go out. */
function wordsOf(text: string, company: Company): string {
  const plain = decodeEntities(text)
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1[^>]*>|$)/giu, '')
    .replace(/<\/?[a-z!][^>]*>?/giu, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replace(/^\s*#+\s+|\*\*|__|`/gu, '');
  return oneLine(
    foreignAddresses(plain, company).reduce((words, address) => words.replace(address, ''), plain),
  );
}
