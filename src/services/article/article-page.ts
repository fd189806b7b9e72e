import { JSON_LD_SCRIPT, relinkedJsonLd } from '../content/json-ld.ts';

type Article = {
  html: string;
  seoTitle: string;
  metaDescription: string;
  images: readonly { url: string }[];
};

/**
 * The article as a page that opens anywhere: its pictures are inside, because the addresses of a draft's pictures end
 * with it. `asDataUri`: null where the picture is gone, which is then left out with its caption. The data for search
 * engines names no pictures: they have no address until the page has one.
 */
export function articlePage(
  { html, seoTitle, metaDescription, images }: Article,
  asDataUri: (url: string) => string | null,
): string {
  const noAddress = new Map(images.map(({ url }) => [url, null]));
  const unlinked = html.replace(JSON_LD_SCRIPT, (_, text: string) => relinkedJsonLd(text, noAddress));
  const body = images.reduce((text, { url }) => withPicture(text, escaped(url), asDataUri(url)), unlinked);
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(seoTitle)}</title>
<meta name="description" content="${escaped(metaDescription)}">
<style>${style}</style>
</head>
<body><article>${body}</article></body>
</html>
`;
}

const FIGURE = /<figure\b[^>]*>[\s\S]*?<\/figure>\s*/gu;

function withPicture(text: string, url: string, picture: string | null): string {
  if (picture !== null) return text.replaceAll(`"${url}"`, () => `"${picture}"`);
  return text.replace(FIGURE, (figure) => (figure.includes(`"${url}"`) ? '' : figure));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const style = `
body { margin: 0; background: #f6f5f2; color: #22262b; font: 18px/1.65 Georgia, "Times New Roman", serif; }
article { max-width: 44rem; margin: 2rem auto; padding: 2.5rem; background: #fff; border-radius: 12px; }
h1, h2, h3 { font-family: system-ui, sans-serif; line-height: 1.25; }
h1 { font-size: 2rem; margin-top: 0; }
h2 { margin-top: 2.4rem; }
a { color: #0b62a8; }
figure { margin: 2rem 0; }
img { width: 100%; height: auto; border-radius: 8px; display: block; }
figcaption { margin-top: .5rem; color: #667; font: 15px/1.4 system-ui, sans-serif; }
table { display: block; overflow-x: auto; border-collapse: collapse; font: 16px/1.4 system-ui, sans-serif; }
th, td { padding: .55rem .7rem; border: 1px solid #dcdfe4; text-align: left; vertical-align: top; }
th { background: #f1f3f6; }
nav.toc { padding: 1rem 1.4rem; background: #f1f3f6; border-radius: 8px; font: 16px/1.5 system-ui, sans-serif; }
nav.toc ul { margin: .3rem 0; padding-left: 1.2rem; }
nav.toc .toc-h3 { margin-left: 1rem; }
blockquote { margin: 1.5rem 0; padding-left: 1.2rem; border-left: 4px solid #cfd6de; color: #444; }
@media (max-width: 40rem) { article { margin: 0; padding: 1.2rem; border-radius: 0; } }
`;
