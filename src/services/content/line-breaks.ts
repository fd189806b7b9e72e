import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const BREAK = /<br\s*\/?>/giu;

/**
 * Markdown-it rule: `<br>` breaks the line, although no other HTML is obeyed. Markdown has nothing else for it in the
 * cell of a table, so that is how models write it.
 */
export function lineBreaks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push('line_breaks', (state) => {
    for (const token of state.tokens)
      if (token.children) token.children = token.children.flatMap((child) => broken(state, child));
  });
}

function broken(state: StateCore, token: Token): Token[] {
  if (token.type !== 'text') return [token];
  const lines = token.content.split(BREAK);
  return lines.flatMap((line, i) => {
    const words = new state.Token('text', '', 0);
    words.content = line;
    return i === 0 ? [words] : [new state.Token('hardbreak', 'br', 0), words];
  });
}
