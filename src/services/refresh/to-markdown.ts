import { decodeEntities } from '../posts/entities.ts';

export type ReadArticle = {
  /** Pictures are `{{IMAGE_1}}` and so on. */
  markdown: string;
  /** Their HTML as it stands on the site, in order. */
  figures: string[];
  /** Where its links lead. */
  links: string[];
};

/** What a new version could not carry over: it was put in on the site by hand. */
const FOREIGN =
  /<(?:iframe|video|audio|form|object|embed|input)\b|wp:(?:embed|gallery|video|audio|file|columns|shortcode)|(?<!\w)\[[a-z][\w-]*(?:\s[^\]]*)?\](?!\()/iu;

export const holdsForeignParts = (content: string): boolean => FOREIGN.test(withoutData(content));

/**
 * An article of ours as it stands on a site, back as Markdown: the tags that we publish and those into which the block
 * editor turns them. Contents and data for search engines are left out: they are written anew.
 */
export function toMarkdown(content: string): ReadArticle {
  const figures: string[] = [];
  const links: string[] = [];
  const take = (figure: string): string => {
    figures.push(figure);
    const alt = attribute(figure, 'alt').replace(/[[\]]/gu, '');
    const caption = plain(/<figcaption[^>]*>([\s\S]*?)<\/figcaption>/iu.exec(figure)?.[1] ?? '');
    const title = caption === '' ? '' : ` "${caption.replaceAll('"', "'")}"`;
    return `\n\n![${alt}]({{IMAGE_${figures.length}}}${title})\n\n`;
  };
  const markdown = withoutData(content)
    .replace(/<nav\b[\s\S]*?<\/nav>/giu, '')
    .replace(/<!--[\s\S]*?-->/gu, '')
    .replace(/<figure\b[^>]*>(?:(?!<\/figure>)[\s\S])*<table[\s\S]*?<\/figure>/giu, (table) =>
      table.replace(/<\/?figure[^>]*>/giu, ''),
    )
    .replace(/<figure\b[\s\S]*?<\/figure>|<img\b[^>]*>/giu, take)
    .replace(/<table\b[\s\S]*?<\/table>/giu, tableOf)
    .replace(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/giu, (_, href: string, text: string) => {
      const address = decodeEntities(href);
      links.push(address);
      return `[${text}](${address})`;
    })
    .replace(/<(?:strong|b)\b[^>]*>([\s\S]*?)<\/(?:strong|b)>/giu, '**$1**')
    .replace(/<(?:em|i)\b[^>]*>([\s\S]*?)<\/(?:em|i)>/giu, '*$1*')
    .replace(/<h([2-6])\b[^>]*>([\s\S]*?)<\/h\1>/giu, (_, level: string, text: string) =>
      block(`${'#'.repeat(Number(level))} ${line(text)}`),
    )
    .replace(/<ol\b[^>]*>([\s\S]*?)<\/ol>/giu, (_, items: string) => listOf(items, (i) => `${i + 1}.`))
    .replace(/<ul\b[^>]*>([\s\S]*?)<\/ul>/giu, (_, items: string) => listOf(items, () => '-'))
    .replace(/<blockquote\b[^>]*>([\s\S]*?)<\/blockquote>/giu, (_, text: string) => block(`> ${line(text)}`))
    .replace(/<p\b[^>]*>([\s\S]*?)<\/p>/giu, (_, text: string) => block(line(text)));
  return { markdown: tidy(plain(markdown)), figures, links };
}

/** Where the pictures stood in the Markdown, their own HTML; one that was lost stands before the last section. */
export function withFigures(html: string, figures: readonly string[]): string {
  const placed = new Set<number>();
  const put = (_: string, n: string): string => {
    const figure = figures[Number(n) - 1];
    if (figure === undefined || placed.has(Number(n))) return '';
    placed.add(Number(n));
    return figure;
  };
  const filled = html
    .replace(/<figure\b[^>]*>(?:(?!<\/figure>)[\s\S])*?\{\{IMAGE_(\d+)\}\}[\s\S]*?<\/figure>/gu, put)
    .replace(/<img\b[^>]*\{\{IMAGE_(\d+)\}\}[^>]*>/gu, put)
    .replace(/\{\{IMAGE_(\d+)\}\}/gu, '');
  const lost = figures.filter((_, i) => !placed.has(i + 1)).join('\n');
  const at = filled.lastIndexOf('<h2');
  return lost === '' || at === -1 ? filled + lost : `${filled.slice(0, at)}${lost}\n${filled.slice(at)}`;
}

/** Blocks as they are read, to compare two versions. */
export const blocksOf = (markdown: string): string[] =>
  markdown
    .split(/\n\s*\n/u)
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('!['))
    .map((each) =>
      each
        .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
        .replace(/\*\*|^#+\s+/gmu, '')
        .replace(/(?<!\S)\*|\*(?!\S)/gu, '')
        .trim(),
    );

const withoutData = (content: string): string =>
  content.replace(/<script\b[\s\S]*?<\/script>/giu, '').replace(/<!-- \/?wp:html -->/gu, '');

const attribute = (tag: string, name: string): string =>
  decodeEntities(new RegExp(`<img\\b[^>]*\\s${name}="([^"]*)"`, 'iu').exec(tag)?.[1] ?? '');

/** A paragraph inside a point or a quotation does not end it. */
const line = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/?p\b[^>]*>/giu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
const block = (text: string): string => `\n\n${text}\n\n`;
const plain = (html: string): string => decodeEntities(html.replace(/<\/?[a-z][^>]*>/giu, '')).trim();
const tidy = (text: string): string =>
  text
    .replace(/[ \t]+\n/gu, '\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();

function listOf(items: string, mark: (i: number) => string): string {
  const texts = [...items.matchAll(/<li\b[^>]*>([\s\S]*?)(?=<li\b|<\/li>|$)/giu)].map(([, text]) =>
    line(text!),
  );
  return block(texts.map((text, i) => `${mark(i)} ${text}`).join('\n'));
}

function tableOf(table: string): string {
  const rows = [...table.matchAll(/<tr\b[^>]*>([\s\S]*?)<\/tr>/giu)].map(([, row]) =>
    [...row!.matchAll(/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]>/giu)].map(([, cell]) =>
      line(cell!).replaceAll('|', '/'),
    ),
  );
  const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  if (head === undefined) return '';
  return block([head, `|${'---|'.repeat(rows[0]!.length)}`, ...body].join('\n'));
}
