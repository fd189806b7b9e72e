import type { MarkdownIt, Token } from 'markdown-it';

/** What the rule reads from the environment of a rendering; without it every link and picture stays. */
export type OwnLinks = {
  isOwnLink(href: string): boolean;
  isOwnPicture(src: string): boolean;
};

/**
 * Markdown-it rule: a link that leads to strangers loses its link and keeps its words; a stranger's picture is gone. A
 * model may have read a page that asked for either. Goes before the figures: what is gone leaves no empty one.
 */
export function ownLinks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push('own_links', ({ tokens, env }) => {
    const { own } = env as { own?: OwnLinks };
    if (!own) return;
    for (const token of tokens) if (token.children) token.children = kept(token.children, own);
  });
}

function kept(tokens: Token[], { isOwnLink, isOwnPicture }: OwnLinks): Token[] {
  let foreign = 0; // links do not nest, but a picture inside one brings its own
  return tokens.filter((token) => {
    if (token.type === 'image') return isOwnPicture(String(token.attrGet('src')));
    if (token.type === 'link_open' && !staysHere(token) && !isOwnLink(String(token.attrGet('href')))) {
      foreign += 1;
      return false;
    }
    if (token.type === 'link_close' && foreign > 0) {
      foreign -= 1;
      return false;
    }
    return true;
  });
}

const staysHere = (link: Token): boolean => String(link.attrGet('href')).startsWith('#');
