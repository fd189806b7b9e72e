import type { ArticleDraft } from '../services/article/write-article.ts';
import type { PicturesInMemory } from './pictures-in-memory.ts';

/** The article as a page that opens anywhere: its pictures are inside. */
export function articlePage(
  { html, seoTitle, metaDescription, images }: ArticleDraft,
  pictures: PicturesInMemory,
) {
  const body = images.reduce(
    (text, { url }) => text.replaceAll(escaped(url), pictures.asDataUri(url) ?? url),
    html,
  );
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
