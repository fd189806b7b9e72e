import sharp from 'sharp';

export type WeekCard = {
  title: string;
  /** Seven of them, today first. */
  days: { label: string; isToday: boolean; topics: { time: string; phrase: string }[] }[];
};

const WIDTH = 1_400;
const HEIGHT = 620;
const TOP = 150;
const MARGIN = 30;
const GAP = 12;
const COLUMN = (WIDTH - 2 * MARGIN - 6 * GAP) / 7;
const TOPIC_HEIGHT = 128;
const LINE = 20;
const LETTER = 15;
/** A line inside a box, and the heading, whose letters are bold and so a tenth wider. */
const asLine = { width: COLUMN - 12 - 16, size: LETTER };
const asTitle = { width: WIDTH - 2 * MARGIN, size: 34 * 1.1 };
type Space = typeof asLine;
const LINES = 4;
const MOST_TOPICS = 3;

const ink = '#1c2530';
const faint = '#6b7785';

export const drawWeekCard = async (card: WeekCard): Promise<Uint8Array> =>
  sharp(Buffer.from(weekCardSvg(card)))
    .png({ compressionLevel: 9 })
    .toBuffer();

/** The week to come as a calendar: a column a day, a box a publication. */
export function weekCardSvg({ title, days }: WeekCard): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"
  font-family="'DejaVu Sans', 'Noto Sans', Arial, sans-serif">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#f5f7fa"/>
<text x="${MARGIN}" y="72" font-size="34" font-weight="700" fill="${ink}">${escaped(fits(title, asTitle) ? title : cut(title, asTitle))}</text>
${days.map(column).join('\n')}
</svg>`;
}

function column({ label, isToday, topics }: WeekCard['days'][number], index: number): string {
  const x = MARGIN + index * (COLUMN + GAP);
  const shown = topics.slice(0, MOST_TOPICS);
  const more = topics.length - shown.length;
  const boxes = shown.map(({ time, phrase }, row) => {
    const y = TOP + row * (TOPIC_HEIGHT + GAP) + 14;
    const words = wrapped(phrase)
      .map(
        (line, i) =>
          `<text x="${x + 14}" y="${y + 54 + i * LINE}" font-size="${LETTER}" fill="${ink}">${escaped(line)}</text>`,
      )
      .join('');
    return `<rect x="${x + 6}" y="${y}" width="${COLUMN - 12}" height="${TOPIC_HEIGHT}" rx="12" fill="#e7f0fd"/>
<text x="${x + 14}" y="${y + 28}" font-size="17" font-weight="700" fill="#2168c4">${time}</text>${words}`;
  });
  const rest =
    more > 0
      ? `<text x="${x + COLUMN / 2}" y="${HEIGHT - 34}" font-size="15" fill="${faint}" text-anchor="middle">ещё ${more}</text>`
      : '';
  const none =
    topics.length === 0
      ? `<text x="${x + COLUMN / 2}" y="${TOP + 60}" font-size="26" fill="#c3cbd5" text-anchor="middle">—</text>`
      : '';
  return `<rect x="${x}" y="100" width="${COLUMN}" height="${HEIGHT - 124}" rx="16" fill="#ffffff"/>
<text x="${x + COLUMN / 2}" y="136" font-size="18" font-weight="${isToday ? 700 : 400}" fill="${isToday ? '#2168c4' : faint}" text-anchor="middle">${escaped(label)}</text>
${boxes.join('')}${rest}${none}`;
}

/** Whole words, four lines at most. */
function wrapped(phrase: string): string[] {
  const lines: string[] = [];
  for (const word of phrase.split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`, asLine)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(fits(word, asLine) ? word : cut(word, asLine));
  }
  if (lines.length <= LINES) return lines;
  return [...lines.slice(0, LINES - 1), cut(lines[LINES - 1]!, asLine)];
}

const fits = (text: string, { width, size }: Space): boolean =>
  [...text].reduce((sum, letter) => sum + emsOf(letter), 0) * size <= width;

/** As much of it as stands before an ellipsis. */
function cut(text: string, space: Space): string {
  const letters = [...text];
  while (!fits(`${letters.join('')}…`, space)) letters.pop();
  return `${letters.join('')}…`;
}

/** The letters of DejaVu Sans, the widest of the fonts that may draw them. */
function emsOf(letter: string): number {
  if (/[жшщфюЖШЩФЮМЫmwMW@%…]/u.test(letter)) return 1;
  if (/[мыъдц]|\p{Lu}/u.test(letter)) return 0.79;
  return /[ .,:;!'|()il-]/u.test(letter) ? 0.39 : 0.655;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
