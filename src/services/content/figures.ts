import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/**
 * Markdown-it rule: a picture stands between paragraphs, not in them. It becomes a figure under which its title,
 * or else its alt text, is the caption; the words around it become paragraphs of their own. In a heading or a
 * table cell, where a figure would tear the line apart, a picture stays what it was.
 */
export function figures(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push('figures', (state) => {
    state.tokens = state.tokens.flatMap((token, i, all) => {
      const inParagraph = (inline: Token | undefined) => inline?.type === 'inline' && holdsImage(inline);
      if (token.type === 'paragraph_open' && inParagraph(all[i + 1])) return [];
      if (token.type === 'paragraph_close' && inParagraph(all[i - 1])) return [];
      const isText = all[i - 1]?.type === 'paragraph_open' && inParagraph(token);
      return isText ? blocksAroundImages(state, all[i - 1]!, token, all[i + 1]!) : [token];
    });
  });
}

const holdsImage = (inline: Token): boolean => (inline.children ?? []).some(({ type }) => type === 'image');

function blocksAroundImages(state: StateCore, open: Token, inline: Token, close: Token): Token[] {
  const blocks: Token[] = [];
  const around: Token[] = []; // what is open at this point: a link, emphasis
  let words: Token[] = [];

  for (const token of inline.children!) {
    if (token.type === 'image') {
      endParagraph();
      blocks.push(
        ...figure(
          state,
          token,
          around.find(({ type }) => type === 'link_open'),
        ),
      );
      words = around.map(copy);
      continue;
    }
    words.push(token);
    if (token.nesting === 1) around.push(token);
    if (token.nesting === -1) around.pop();
  }
  endParagraph();
  return blocks;

  function endParagraph() {
    const whole = [...words, ...around.toReversed().map((token) => closing(state, token))];
    const line = trimmed(whole.filter((token, i) => !isHollow(token, whole[i + 1], whole[i - 1])));
    if (line.some(({ content }) => content.trim() !== ''))
      blocks.push(copy(open), inlineOf(state, line), close);
  }
}

function figure(state: StateCore, image: Token, link: Token | undefined): Token[] {
  const picture = link ? [copy(link), image, closing(state, link)] : [image];
  const caption = String(image.attrGet('title') ?? '').trim() || image.content.trim();
  const words = new state.Token('text', '', 0);
  words.content = caption;
  return [
    block(state, 'figure', 1),
    inlineOf(state, picture),
    ...(caption
      ? [block(state, 'figcaption', 1), inlineOf(state, [words]), block(state, 'figcaption', -1)]
      : []),
    block(state, 'figure', -1),
  ];
}

function block(state: StateCore, tag: string, nesting: 1 | -1): Token {
  const token = new state.Token(`${tag}_${nesting === 1 ? 'open' : 'close'}`, tag, nesting);
  token.block = true;
  return token;
}

function inlineOf(state: StateCore, children: Token[]): Token {
  const inline = new state.Token('inline', '', 0);
  inline.children = children;
  return inline;
}

const closing = (state: StateCore, { type, tag }: Token): Token =>
  new state.Token(type.replace('_open', '_close'), tag, -1);

/** Attributes are set on tokens later, and one set twice must not be one set on both. */
function copy(token: Token): Token {
  const twin: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
  twin.attrs = token.attrs?.map(([name, value]) => [name, value]) ?? null;
  return twin;
}

/** A link or emphasis whose only content was the picture. */
function isHollow(token: Token, next: Token | undefined, last: Token | undefined): boolean {
  const opensOnNothing = token.nesting === 1 && next?.nesting === -1;
  const closesNothing = token.nesting === -1 && last?.nesting === 1;
  return opensOnNothing || closesNothing;
}

function trimmed(line: Token[]): Token[] {
  const isBlank = ({ type, content }: Token) =>
    /break$/u.test(type) || (type === 'text' && content.trim() === '');
  const start = line.findIndex((token) => !isBlank(token));
  const end = line.findLastIndex((token) => !isBlank(token));
  return start === -1 ? [] : line.slice(start, end + 1);
}
