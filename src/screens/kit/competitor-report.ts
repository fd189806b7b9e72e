import { domainToUnicode } from 'node:url';
import type { CompetitorReport } from '../../../machines/competitor-analysis.ts';
import { lines, paragraphs, type RichText, rich } from './screen.ts';

type Report = Pick<CompetitorReport, 'url' | 'positioning' | 'strengths' | 'gaps' | 'recommendations'>;

/** Nothing of it is longer than a message has room for: a model may have written any length. */
const MOST_TEXT = 900;
const MOST_ITEM = 300;
const MOST_ITEMS = 6;

export const reportText = ({ url, positioning, strengths, gaps, recommendations }: Report): RichText =>
  paragraphs(
    rich`<b>Анализ конкурента</b> · ${hostOf(url)}`,
    positioning !== '' && rich`${shortened(positioning, MOST_TEXT)}`,
    list(rich`<b>В чём он силён</b>`, strengths),
    list(rich`<b>О чём он не рассказывает</b>`, gaps),
    list(rich`<b>Что сделать вам</b>`, recommendations),
  );

/** As a file to keep or to forward. */
export const reportFile = ({ url, positioning, strengths, gaps, recommendations }: Report) => ({
  name: `konkurent-${hostOf(url).replace(/[^\p{L}\p{N}.-]+/gu, '-')}.txt`,
  content: [
    `Анализ конкурента: ${url}`,
    positioning,
    section('В чём он силён', strengths),
    section('О чём он не рассказывает', gaps),
    section('Что сделать вам', recommendations),
  ]
    .filter((part) => part !== '')
    .join('\r\n\r\n'),
});

/** «окна.рф», not its punycode: people would not recognise it. */
export const hostOf = (url: string): string =>
  URL.canParse(url) ? domainToUnicode(new URL(url).hostname) : url;

const list = (head: RichText, items: readonly string[]): RichText | false =>
  items.length > 0 &&
  lines(head, ...items.slice(0, MOST_ITEMS).map((item) => rich`• ${shortened(item, MOST_ITEM)}`));

const section = (head: string, items: readonly string[]): string =>
  items.length > 0 ? [head, ...items.map((item) => `- ${item}`)].join('\r\n') : '';

function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
