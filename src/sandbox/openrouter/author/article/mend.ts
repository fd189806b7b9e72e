import { emptyOpeners } from '../../../../services/quality/cliches.ts';
import { words } from '../../../../services/quality/russian-text.ts';
import { substitutes } from '../material/substitutes.ts';

const LONG_SENTENCE = 25;

/** Plain words for worn ones; empty openers go; long sentences are cut where they have a joint. */
export function mend(text: string): string {
  const plain = substitutes.reduce((mended, [worn, better]) => mended.replace(worn, better), text);
  const opened = emptyOpeners.reduce(
    (mended, opener) =>
      mended.replace(new RegExp(`(^|[.!?]\\s+)${opener}(?:,| что,?)*\\s+(.)`, 'giu'), begin),
    plain,
  );
  return opened
    .split(/(?<=[.!?])\s+(?=[А-ЯЁA-Z])/u)
    .map((sentence) => (words(sentence).length > LONG_SENTENCE ? cut(sentence) : sentence))
    .join(' ');
}

const begin = (_whole: string, before: string, first: string): string => `${before}${first.toUpperCase()}`;

const cut = (sentence: string): string =>
  sentence.replace(/(?:;|,\s+(?:и|а|но))\s+(\p{Ll})/gu, (_, first: string) => `. ${first.toUpperCase()}`);
