import { readMarkup } from './read-markup.ts';
import { visibleText } from './styled-text.ts';

/** What a reader would see of a text in which a model may have used markup. Addresses behind links are dropped. */
export const toPlainText = (source: string): string =>
  visibleText(readMarkup(source, { tags: [], linkTo: () => null }));
