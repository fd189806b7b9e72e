import type { ArticleAnswer } from '../ai/answers.ts';
import type { Company } from '../brief.ts';
import { foreignAddresses } from '../posts/company-links.ts';

/** What a model wrote, fit to be kept and shown. */
export function cleanAnswer(answer: ArticleAnswer, company: Company): ArticleAnswer {
  const { faq_schema, ...rest } = storable(answer);
  return {
    ...rest,
    faq_schema: faq_schema.map((item) => ({
      question: wordsOf(item.question, company),
      answer: wordsOf(item.answer, company),
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

/** Search engines obey markup in an answer, links too, and nothing else cleans these: words alone go out. */
function wordsOf(text: string, company: Company): string {
  const plain = text
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1[^>]*>|$)/giu, '')
    .replace(/<\/?[a-z!][^>]*>?/giu, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1');
  return oneLine(
    foreignAddresses(plain, company).reduce((words, address) => words.replace(address, ''), plain),
  );
}
