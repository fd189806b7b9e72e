/**
 * Models are asked for tags or for plain text and slip into Markdown all the same. What can be said with a tag
 * becomes one; what cannot loses its marks. Not a Markdown renderer: a post is a few paragraphs.
 */
export const markdownToTags = (text: string): string =>
  steps.reduce((rewritten, step) => rewritten.replace(step.pattern, step.replace), codeToTags(text));

type Step = readonly [pattern: string, tags: (found: string, more: string) => string];

/** Code, tags and addresses keep their stars and underscores. */
const KEPT = String.raw`(?<kept><(?<code>pre|code)>[\s\S]*?</\k<code>>|</?[a-z][^<>]*>|https?://[^\s<>*)\]]+)`;

const marks: readonly Step[] = [
  [String.raw`!\[[^\]\n]*\]\([^()\n]*\)`, () => ''],
  [
    String.raw`\[(?<found>[^\]\n]{1,200})\]\(\s*(?<more>[^()\s"<>]{1,500})[^()\n]{0,100}\)`,
    (words, href) => `<a href="${href}">${words}</a>`,
  ],
  [String.raw`^[^\S\n]*(?:(?:-[^\S\n]*){3,}|(?:\*[^\S\n]*){3,}|(?:_[^\S\n]*){3,})$`, () => ''],
  [String.raw`^[^\S\n]*(?:#{1,6}[^\S\n]+)+(?<found>[^\n]+?)[^\S\n#]*#*$`, (words) => `<b>${words}</b>`],
  [String.raw`^[^\S\n]*\*[^\S\n]+(?=\S)`, () => '• '],
  [
    String.raw`(?<found>^>[^\n]*(?:\n>[^\n]*)*)`,
    (lines) => `<blockquote>${lines.replace(/^(?:>[^\S\n]?)+/gmu, '')}</blockquote>`,
  ],
  [String.raw`\*\*(?=[^\s*])(?<found>[^\n]+?)(?<=[^\s*])\*\*`, (words) => `<b>${words}</b>`],
  [
    String.raw`(?<![\p{L}\p{N}_#])__(?=[^\s_])(?<found>[^\n]+?)(?<=[^\s_])__(?![\p{L}\p{N}_])`,
    (words) => `<b>${words}</b>`,
  ],
  [String.raw`~~(?=[^\s~])(?<found>[^\n~]+?)(?<=[^\s~])~~`, (words) => `<s>${words}</s>`],
  [
    String.raw`(?<![\p{L}\p{N}*])\*(?=[^\s*])(?<found>[^*\n]+?)(?<=[^\s*])\*(?![\p{L}\p{N}*])`,
    (words) => `<i>${words}</i>`,
  ],
  [
    String.raw`(?<![\p{L}\p{N}_#])_(?=[^\s_])(?<found>[^_\n]+?)(?<=[^\s_])_(?![\p{L}\p{N}_])`,
    (words) => `<i>${words}</i>`,
  ],
  [String.raw`\*{2,}`, () => ''],
  [String.raw`\\+(?<found>[*_{}[\]()#+.!~|>=-])`, (sign) => sign],
];

function codeToTags(text: string): string {
  return text
    .replace(/```[a-z]*\n?([\s\S]*?)\n?```/giu, (_, code: string) => `<pre>${literal(code)}</pre>`)
    .replace(/`([^`\n]+)`/gu, (_, code: string) => `<code>${literal(code)}</code>`);
}

const literal = (code: string): string => code.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const steps = marks.map(([pattern, tags]) => ({
  pattern: new RegExp(`${KEPT}|${pattern}`, 'gimu'),
  replace: (...args: unknown[]): string => {
    const { kept, found = '', more = '' } = args.at(-1) as Record<string, string | undefined>;
    return kept ?? tags(found, more);
  },
}));
