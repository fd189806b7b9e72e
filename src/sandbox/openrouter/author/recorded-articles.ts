import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Niche } from '../../../services/quality/niches.ts';

/** What a section of an article can be about. */
export const sectionKinds = [
  'choose',
  'compare',
  'price',
  'order',
  'mistakes',
  'care',
  'contract',
  'timing',
] as const;
export type SectionKind = (typeof sectionKinds)[number];

/** Told one after another, with «вторая» after «первая»: none is left out between two others. */
export const stories: readonly SectionKind[] = ['order', 'mistakes'];

export type Question = { question: string; answer: string };

/**
 * An article about a trade as a person wrote it (articles/*.md). `{Фраза}` takes the main phrase where its grammatical
 * form does not matter. A paragraph, point, question or table that begins with `[[кухн|гарнитур]]` is about that subject
 * only; a paragraph that begins with `[вещи]` is for trades that make or mend things: a divorce has no smell that should be
 * reported.
 */
export type RecordedArticle = {
  /** Who works there, as a plural: «мастера». */
  staff: string;
  hashtags: readonly string[];
  /** It makes or mends things that are measured, taken over and looked after. */
  things: boolean;
  /** What people add to a phrase when they search in this trade. */
  searches: readonly string[];
  openings: readonly string[];
  sections: Readonly<Partial<Record<SectionKind, RecordedSection>>>;
  table: string;
  /** What the article comes to, for its block of key points. */
  points: readonly string[];
  checklist: readonly string[];
  questions: readonly Question[];
  /** For questions that people ask about any trade; of the general record only. */
  answers: readonly { mark: RegExp; texts: readonly string[] }[];
  closings: readonly string[];
};
type RecordedSection = { headings: readonly string[]; paragraphs: readonly Paragraph[] };
type Paragraph = { text: string; about: RegExp | null; ofThings: boolean };

const folder = new URL('articles/', import.meta.url);
const read = new Map<Niche, RecordedArticle>();

/** What is recorded about a trade, without what is about other subjects of it than this one. */
export function recordOf(niche: Niche, subject = ''): RecordedArticle {
  const known = read.get(niche) ?? parseRecord(readFileSync(new URL(`${niche}.md`, folder), 'utf8'));
  read.set(niche, known);
  const [table = ''] = about(known.table.split(/\n\s*\n/u), subject);
  return {
    ...known,
    table,
    openings: about(known.openings, subject),
    points: about(known.points, subject),
    checklist: about(known.checklist, subject),
    questions: about(known.questions, subject),
    closings: about(known.closings, subject),
  };
}

/** Those that suit the subject, those about nothing else first. */
function about<Text extends string | Question>(texts: readonly Text[], subject: string): Text[] {
  const parts = texts.map((whole) => {
    const said = typeof whole === 'string' ? whole : whole.question;
    const [, mark, text = said] = ONLY_ABOUT.exec(said) ?? [];
    const bare = (typeof whole === 'string' ? text : { ...(whole as Question), question: text }) as Text;
    return { bare, mark: mark === undefined ? null : new RegExp(mark, 'iu') };
  });
  return parts
    .filter(({ mark }) => mark === null || mark.test(subject))
    .toSorted((one, other) => Number(other.mark !== null) - Number(one.mark !== null))
    .map(({ bare }) => bare);
}

const ONLY_ABOUT = /^\[\[(.+?)\]\]\s*([\s\S]*)$/u;

/** The paragraphs of a section that suit the subject, those about nothing else first. */
export function paragraphsAbout(
  record: RecordedArticle,
  kind: SectionKind,
  subject: string,
  { things }: Pick<RecordedArticle, 'things'> = record,
): string[] {
  const own = record.sections[kind]?.paragraphs ?? [];
  const suitable = own.filter(
    ({ about, ofThings }) => (about === null || about.test(subject)) && (things || !ofThings),
  );
  // «Третья ошибка» does not come before «первая».
  const ordered = stories.includes(kind)
    ? suitable
    : suitable.toSorted((one, other) => Number(other.about !== null) - Number(one.about !== null));
  return ordered.map(({ text }) => text);
}

const head = z.object({
  staff: z.string(),
  hashtags: z.array(z.string()),
  searches: z.array(z.string()),
  things: z.boolean().default(false),
});

function parseRecord(file: string): RecordedArticle {
  const [, yaml = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/u.exec(file) ?? [];
  const parts = new Map(
    body
      .split(/^# /mu)
      .slice(1)
      .map((part) => {
        const [name = '', ...lines] = part.split('\n');
        return [name.trim(), lines.join('\n').trim()] as const;
      }),
  );
  const text = (name: string): string => parts.get(name) ?? '';
  return {
    ...head.parse(parse(yaml)),
    openings: paragraphsOf(text('opening')),
    sections: Object.fromEntries([...parts].flatMap(([name, lines]) => sectionOf(name, lines))),
    table: text('table'),
    points: itemsOf(text('points')),
    checklist: itemsOf(text('checklist')),
    questions: subsections(text('questions')).map(([question, answer]) => ({ question, answer })),
    answers: subsections(text('answers')).map(([mark, lines]) => ({
      mark: new RegExp(mark, 'iu'),
      texts: paragraphsOf(lines),
    })),
    closings: paragraphsOf(text('closing')),
  };
}

function sectionOf(name: string, lines: string): [SectionKind, RecordedSection][] {
  const [, kind, headings] = (/^(\w+): (.+)$/u.exec(name) ?? []) as [string?, SectionKind?, string?];
  if (kind === undefined || headings === undefined || !sectionKinds.includes(kind)) return [];
  const paragraphs = paragraphsOf(lines).map((paragraph) => {
    const ofThings = paragraph.startsWith('[вещи] ');
    const rest = paragraph.replace(/^\[вещи\] /u, '');
    const [, mark, text] = ONLY_ABOUT.exec(rest) ?? [];
    return mark && text
      ? { text, about: new RegExp(mark, 'iu'), ofThings }
      : { text: rest, about: null, ofThings };
  });
  return [[kind, { headings: headings.split(' | '), paragraphs }]];
}

const itemsOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.replace(/^- /u, ''))
    .filter(Boolean);

const subsections = (lines: string): [string, string][] =>
  lines
    .split(/^## /mu)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end).trim()];
    });

const paragraphsOf = (lines: string): string[] =>
  lines
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
