import type { Node } from './nodes.ts';
import type { Page } from './pages.ts';

/** A page as a reader opens it. Its content is somebody's: everything is escaped, and no script may run. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; img-src * data:; style-src 'unsafe-inline'",
};

export const pageHtml = ({ title, authorName, content, madeAt }: Page): string => `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<article>
<header><h1>${escaped(title)}</h1><address>${[authorName, russianDate(new Date(madeAt))].filter(Boolean).map(escaped).join(' · ')}</address></header>
${htmlOf(content)}
</article>
</html>
`;

const STYLE = `
  body { margin: 0; background: #fff; color: rgba(0,0,0,.8); font: 18px/1.58 Georgia, 'PT Serif', serif; }
  article { max-width: 732px; margin: 0 auto; padding: 21px 21px 80px; box-sizing: border-box; }
  h1, h3, h4 { font-family: 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; color: #000; line-height: 1.25; }
  h1 { font-size: 32px; margin: 24px 0 8px; }
  h3 { font-size: 24px; margin: 36px 0 8px; }
  h4 { font-size: 19px; margin: 28px 0 6px; }
  address { font: 15px/1.4 'Segoe UI', Roboto, Arial, sans-serif; color: #79828b; margin-bottom: 24px; }
  p, ul, ol, blockquote, pre, figure { margin: 0 0 16px; }
  img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
  figcaption { text-align: center; font: 14px/1.4 'Segoe UI', Roboto, Arial, sans-serif; color: #79828b; padding-top: 6px; }
  blockquote { border-left: 3px solid #000; padding-left: 18px; font-style: italic; }
  aside { text-align: center; font-style: italic; margin: 24px 0; }
  pre { background: #f5f8fc; padding: 12px 16px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 15px; }
  a { color: #0b6fd0; }
`;

const alone = new Set(['br', 'hr', 'img']);

const htmlOf = (nodes: readonly Node[]): string => nodes.map(nodeHtml).join('');

function nodeHtml(node: Node): string {
  if (typeof node === 'string') return escaped(node);
  const { tag, attrs = {}, children = [] } = node;
  const href =
    attrs.href && /^(?:https?:|mailto:|tel:|#|\/)/iu.test(attrs.href) ? attribute('href', attrs.href) : '';
  const src = attrs.src && /^(?:https?:|data:image\/)/iu.test(attrs.src) ? attribute('src', attrs.src) : '';
  const open = `<${tag}${href}${src}>`;
  return alone.has(tag) ? open : `${open}${htmlOf(children)}</${tag}>`;
}

const attribute = (name: string, value: string): string => ` ${name}="${escaped(value)}"`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/gu, (mark) => entities[mark]!);

const russianDate = (date: Date): string =>
  date.toLocaleDateString('ru-RU', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
