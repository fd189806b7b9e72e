import { decodeEntities } from './entities.ts';
import { markdownToTags } from './markdown-to-tags.ts';
import { type Mark, type Run, tidy } from './styled-text.ts';

export type Reading = {
  /** The tags that the platform knows. */
  tags: readonly string[];
  /** The full address if a link may stay a link, null if only its words may. */
  linkTo(href: string): string | null;
};

/** Whatever a model wrote, as styled text with nothing in it but what was allowed. */
export function readMarkup(source: string, { tags, linkTo }: Reading): Run[] {
  const runs: Run[] = [];
  const open: Mark[] = [];
  let end = 0;
  const html = markdownToTags(clean(source));
  for (const match of html.matchAll(TAG)) {
    const { slash = '', attributes = '' } = match.groups ?? {};
    const name = match.groups?.name?.toLowerCase() ?? '';
    if (!isHtml(name)) continue; // `<placeholder>` is text and stays visible to the reviewer
    push(html.slice(end, match.index));
    end = match.index + match[0].length;
    if (slash === '') {
      breakLine(name);
      begin(name, attributes);
    } else {
      finish(name);
      breakLine(name);
      // The line is broken already; the model broke it once more to be seen.
      if (Object.hasOwn(breaks, name) && html[end] === '\n') end += 1;
    }
  }
  push(html.slice(end));
  return tidy(runs);

  function push(text: string) {
    const code = open.find(({ tag }) => tag === 'code' || tag === 'pre');
    // Telegram lets code stand in nothing and hold nothing.
    if (text !== '') runs.push({ text: decodeEntities(text), marks: code ? [code] : [...open] });
  }

  function breakLine(name: string) {
    const ending = /\n*$/u.exec(runs.at(-1)?.text ?? '')?.[0].length ?? 0;
    push('\n'.repeat(Math.max(0, (breaks[name] ?? 0) - ending)));
  }

  function begin(name: string, attributes: string) {
    push(signs[name] ?? '');
    const tag = aliases[name] ?? name;
    if (open.some((mark) => mark.tag === tag)) return;
    if (tag === 'a') {
      const href = linkTo(decodeEntities(HREF.exec(attributes)?.groups?.href ?? ''));
      if (href !== null) open.push({ tag, href });
    } else if (tags.includes(tag)) open.push({ tag });
  }

  function finish(name: string) {
    const at = open.findLastIndex(({ tag }) => tag === (aliases[name] ?? name));
    if (at !== -1) open.splice(at, 1);
  }
}

const TAG = /<(?<slash>\/?)(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*)?)\/?>/giu;
const HREF = /\shref\s*=\s*["']?(?<href>[^\s"'>]+)/iu;
const UNSEEN = /<(script|style|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<!doctype[^>]*>/giu;
/** Everything that is neither seen nor spaces anything; emoji need their joiners. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]/gu;

const clean = (source: string): string =>
  source.toWellFormed().normalize('NFC').replace(/\r\n?/gu, '\n').replace(CONTROL, '').replace(UNSEEN, '');

const aliases: Readonly<Record<string, string>> = {
  ...{ del: 's', strike: 's', ins: 'u', kbd: 'code', samp: 'code', tt: 'code' },
  ...{ h1: 'b', h2: 'b', h3: 'b', h4: 'b', h5: 'b', h6: 'b' },
};

/** Elements that stand on lines of their own: the line breaks around them. */
const breaks: Readonly<Record<string, number>> = {
  ...{ p: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2, ul: 2, ol: 2, table: 2, hr: 2 },
  ...{ blockquote: 1, pre: 1, div: 1, section: 1, tr: 1, li: 1 },
};

/** What an element shows by itself. */
const signs: Readonly<Record<string, string>> = { br: '\n', li: '• ', td: ' ', th: ' ' };

const others = new Set(
  `b strong i em u s a code span font small big mark sub sup img html body article header footer
   main nav figure figcaption thead tbody tg-spoiler cite q abbr time label button input`.split(/\s+/u),
);

const isHtml = (name: string): boolean =>
  others.has(name) || [aliases, breaks, signs].some((table) => Object.hasOwn(table, name));
