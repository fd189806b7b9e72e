import { plural } from '../../russian.ts';
import type { Sources } from '../article/gather-sources.ts';
import { type SearchSnapshot, snapshotOf } from '../article/search-snapshot.ts';
import { stems } from '../quality/russian-text.ts';
import type { Topic } from '../quality/topic.ts';

const NAMED = 4;
const MISSING_TERMS = 6;

/**
 * What an article has to answer to now, in words that the person reads and the writer works through: new pages among the
 * first, new questions, and what the results share and the article does not say.
 */
export function searchChanges(before: SearchSnapshot | null, now: Sources, text: string): string[] {
  const { pages, questions } = snapshotOf(now);
  const known = new Set(stems(text));
  const newPages = before === null ? [] : pages.filter((url) => !before.pages.includes(url));
  const isNew = (question: string) => before === null || !before.questions.includes(question);
  const unanswered = questions.filter((question) => isNew(question) && !isTouched(question, known));
  const missing = missingTerms(now.topic, known);
  return [
    ...(newPages.length > 0
      ? [`В первой десятке ${plural(newPages.length, 'новая страница', 'новые страницы', 'новых страниц')}.`]
      : []),
    ...(unanswered.length > 0 ? [`Люди спрашивают: ${unanswered.slice(0, NAMED).join(' ')}`] : []),
    ...(missing.length > 0 ? [`Пишут другие, а в статье нет: ${missing.join(', ')}.`] : []),
  ];
}

/** Most of the question's words are in the article. */
function isTouched(question: string, known: ReadonlySet<string>): boolean {
  const wanted = stems(question).filter(({ length }) => length > 3);
  return wanted.length === 0 || wanted.filter((stem) => known.has(stem)).length >= 0.8 * wanted.length;
}

const missingTerms = (topic: Topic | undefined, known: ReadonlySet<string>): string[] =>
  (topic?.terms ?? [])
    .filter(({ stem, weight }) => weight >= 0.5 && !known.has(stem))
    .slice(0, MISSING_TERMS)
    .map(({ word }) => word);
