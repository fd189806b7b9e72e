/** A text as a row of runs, each with the tags it stands in, outermost first. No tag can be left open in it. */
export type StyledText = readonly Run[];
export type Run = { text: string; marks: readonly Mark[] };
/** An opened tag; compared by identity. */
export type Mark = { tag: string; href?: string };

/** What a reader sees. */
export const visibleText = (runs: StyledText): string => runs.map(({ text }) => text).join('');

/** The first `length` characters; half of a surrogate pair is never one of them. */
export function head(runs: StyledText, length: number): Run[] {
  const text = visibleText(runs);
  const end = isInsidePair(text, length) ? length - 1 : length;
  const kept: Run[] = [];
  let at = 0;
  for (const run of runs) {
    const part = run.text.slice(0, Math.max(0, end - at));
    if (part !== '') kept.push({ ...run, text: part });
    at += run.text.length;
  }
  return kept;
}

/**
 * One blank between words, one empty line between paragraphs, none at the ends. What separates two runs belongs to
 * neither, so that no tag begins or ends with a blank. Preformatted text stays as it is.
 */
export function tidy(runs: StyledText): Run[] {
  const tidied: Run[] = [];
  let blank = '';
  let last: Run | null = null;
  for (const run of runs) {
    for (const piece of isPreformatted(run) ? [run.text] : (run.text.match(PIECES) ?? [])) {
      if (!isPreformatted(run) && BLANK.test(piece)) {
        blank += piece;
        continue;
      }
      if (last !== null && blank !== '')
        tidied.push({ text: separator(blank), marks: commonMarks(last, run) });
      last = { ...run, text: piece };
      tidied.push(last);
      blank = '';
    }
  }
  return tidied;
}

/** Markup that Telegram and MAX read: every tag closed, in the order in which it was opened. */
export function writeHtml(runs: StyledText): string {
  const open: Mark[] = [];
  let html = '';
  for (const { text, marks } of runs) {
    const shared = countShared(open, marks);
    html += closing(open.splice(shared));
    for (const mark of marks.slice(shared)) {
      html +=
        mark.href === undefined
          ? `<${mark.tag}>`
          : `<${mark.tag} href="${escaped(mark.href).replaceAll('"', '&quot;')}">`;
      open.push(mark);
    }
    html += escaped(text);
  }
  return html + closing(open);
}

/** No markup at all. The address of a link stays behind its words: it may be the one call to action. */
export function writePlain(runs: StyledText): string {
  return runs
    .map(({ text, marks }, i) => {
      const href = hrefOf(marks);
      const ends = href !== undefined && hrefOf(runs[i + 1]?.marks ?? []) !== href;
      return ends && !bare(linkLabel(runs, i, href)).includes(bare(href)) ? `${text} (${href})` : text;
    })
    .join('');
}

const BLANK = /^[^\S\u00a0\u202f]+$/u;
const PIECES = /[^\S\u00a0\u202f]+|[\S\u00a0\u202f]+/gu;

const isPreformatted = ({ marks }: Run): boolean => marks.some(({ tag }) => tag === 'pre');

function separator(blank: string): string {
  const lines = blank.split('\n').length - 1;
  return lines === 0 ? ' ' : '\n'.repeat(Math.min(lines, 2));
}

const commonMarks = (one: Run, other: Run): Mark[] => one.marks.slice(0, countShared(one.marks, other.marks));

function countShared(one: readonly Mark[], other: readonly Mark[]): number {
  const differing = one.findIndex((mark, i) => mark !== other[i]);
  return differing === -1 ? one.length : differing;
}

const closing = (marks: readonly Mark[]): string =>
  marks
    .map(({ tag }) => `</${tag}>`)
    .reverse()
    .join('');

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/gu, (sign) => escapes[sign] ?? sign);

const hrefOf = (marks: readonly Mark[]): string | undefined =>
  marks.find(({ href }) => href !== undefined)?.href;

function linkLabel(runs: StyledText, last: number, href: string): string {
  const first = runs.slice(0, last).findLastIndex(({ marks }) => hrefOf(marks) !== href) + 1;
  return visibleText(runs.slice(first, last + 1));
}

const bare = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/u, '')
    .replace(/\/$/u, '');

function isInsidePair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}
