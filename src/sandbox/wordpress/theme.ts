/** A quiet blog theme, much like the one WordPress comes with. */
export function themed(page: {
  site: { title: string; base: string };
  title: string;
  description?: string;
  canonical?: string;
  noindex?: boolean;
  main: string;
}): string {
  const { site, title, description, canonical, noindex, main } = page;
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="WordPress 6.8">
<title>${escaped(title)}</title>
${description ? `<meta name="description" content="${escaped(description)}">\n` : ''}${
  canonical ? `<link rel="canonical" href="${escaped(canonical)}">\n` : ''
}${noindex ? '<meta name="robots" content="noindex">\n' : ''}<style>${STYLE}</style>
</head>
<body>
<header class="site"><a href="${escaped(site.base)}/">${escaped(site.title)}</a></header>
<main>${main}</main>
<footer class="site">${escaped(site.title)} · работает на WordPress</footer>
</body>
</html>`;
}

export const escaped = (text: string): string => text.replace(/[&<>"]/gu, (mark) => entities[mark]!);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const STYLE = `
  body { margin: 0; font: 18px/1.65 Georgia, 'Times New Roman', serif; color: #1e1e1e; background: #fff; }
  header.site, main, footer.site { max-width: 720px; margin: 0 auto; padding: 0 20px; }
  header.site { padding-top: 28px; padding-bottom: 12px; font: 600 20px/1.3 system-ui, sans-serif; }
  header.site a { color: inherit; text-decoration: none; }
  footer.site { padding: 40px 20px; font: 14px/1.5 system-ui, sans-serif; color: #6b6b6b; }
  h1, h2, h3, h4 { font-family: system-ui, sans-serif; line-height: 1.25; }
  h1 { font-size: 38px; margin: 24px 0 12px; } h2 { font-size: 27px; margin-top: 44px; } h3 { font-size: 22px; }
  a { color: #0b57d0; }
  img { max-width: 100%; height: auto; border-radius: 6px; display: block; }
  figure { margin: 28px 0; } figcaption { font: 14px/1.5 system-ui, sans-serif; color: #6b6b6b; margin-top: 8px; }
  .meta, .tags { font: 14px/1.5 system-ui, sans-serif; color: #6b6b6b; }
  .tags span { display: inline-block; background: #f1f1f1; border-radius: 12px; padding: 2px 12px; margin: 0 6px 6px 0; }
  nav.toc { background: #f7f7f7; border-radius: 8px; padding: 12px 20px; font: 16px/1.5 system-ui, sans-serif; }
  nav.toc .toc-h3 { margin-left: 20px; }
  table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
  th, td { border: 1px solid #ddd; padding: 8px 12px; text-align: left; vertical-align: top; }
  blockquote { margin: 24px 0; padding-left: 20px; border-left: 3px solid #ccc; color: #444; }
  pre { background: #f7f7f7; padding: 14px; overflow-x: auto; font-size: 15px; }
  article.card { padding: 20px 0; border-bottom: 1px solid #eee; }
  article.card h2 { margin: 0 0 6px; } article.card h2 a { color: inherit; text-decoration: none; }
  form.consent { background: #f7f7f7; border-radius: 8px; padding: 24px; font-family: system-ui, sans-serif; }
  form.consent button, form.consent select { font: inherit; font-size: 16px; padding: 8px 18px; margin: 8px 8px 0 0; }
`;
