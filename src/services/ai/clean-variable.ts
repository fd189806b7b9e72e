import type { Variable } from './ask.ts';

/**
 * What people and web pages wrote stands in a prompt between `<name>` and `</name>`, and must not be able to leave
 * that fence or to speak the template's language. Undefined: there is nothing to print.
 */
export function cleanVariable(value: Variable): Variable {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return cleanText(value) || undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean') return value;
  if (isList(value)) {
    const items = value.map(cleanVariable).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  const members = Object.entries(value)
    .map(([name, member]) => [cleanText(name), cleanVariable(member)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** Formatting that posts and articles are made of. Never the name of a variable: prompt-file.ts sees to it. */
export const formattingTags = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'em',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'strong',
  'u',
  'ul',
];

const cleanText = (text: string): string => withoutFences(withoutDelimiters(text)).trim();

const delimiters = new Set(['<<', '>>', '<%', '%>', '<#', '#>']);

/** One pass over a stack: whatever closes up after a removal is looked at again, in linear time. */
function withoutDelimiters(text: string): string {
  const kept: string[] = [];
  for (const char of text) {
    if (delimiters.has(`${kept.at(-1)}${char}`)) kept.pop();
    else kept.push(char);
  }
  return kept.join('');
}

const lookAlikes = '‹〈⟨❮❬❰˂ᐸ⟪《«≺≮';

/**
 * A "<" survives as formatting or before a number («<5 %»); every other one is escaped, whatever follows it: names
 * in odd case, with spaces, invisible signs or letters of another alphabet are too many to list. Signs that merely
 * look like it are people's quotation marks, so they go only where a slash makes them close something.
 */
const fence = new RegExp(
  [
    String.raw`(?<formatting></?(?:${formattingTags.join('|')})\s?/?>|<a href="[^"\s<>＜﹤${lookAlikes}]*">)`,
    String.raw`[<＜﹤](?!\s*\d)`,
    String.raw`[${lookAlikes}](?=[\s\p{Cc}\p{Cf}\p{M}]*[/\\／⁄∕⧸╱])`,
  ].join('|'),
  'giu',
);

const withoutFences = (text: string): string =>
  text.replace(fence, (_found, formatting: string | undefined) => formatting ?? '&lt;');

const isList = (value: object): value is readonly Variable[] => Array.isArray(value);
