import sharp from 'sharp';
import { number } from '../../russian.ts';
import type { Spending } from '../../screens/pages/profile.ts';

const WIDTH = 1_200;
const HEIGHT = 640;
const LEFT = 110;
const RIGHT = 50;
const TOP = 130;
const BOTTOM = 90;
const BAR = 0.62;

/** From the bottom of a bar to its top. */
const kinds = [
  { key: 'texts', label: 'тексты', colour: '#2f6fde' },
  { key: 'pictures', label: 'картинки', colour: '#f2a33a' },
  { key: 'phrases', label: 'фразы', colour: '#2aa876' },
  { key: 'other', label: 'остальное', colour: '#9a7bd0' },
] as const;

/** Tokens by week and kind. Null where nothing was spent: an empty plot says less than no plot. */
export async function drawSpending(weeks: readonly Spending[]): Promise<Uint8Array | null> {
  if (weeks.every((week) => totalOf(week) === 0)) return null;
  return sharp(Buffer.from(spendingSvg(weeks)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}

function spendingSvg(weeks: readonly Spending[]): string {
  const top = niceTop(Math.max(...weeks.map(totalOf)));
  const high = HEIGHT - TOP - BOTTOM;
  const step = (WIDTH - LEFT - RIGHT) / weeks.length;
  const yOf = (tokens: number) => HEIGHT - BOTTOM - (tokens / top) * high;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const y = yOf(top * part);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" stroke="#e3e8ee"/><text x="${LEFT - 16}" y="${y + 8}" text-anchor="end" font-size="22" fill="#6b7785">${number(top * part)}</text>`;
  });
  const bars = weeks.map((week, i) => {
    const x = LEFT + step * i + (step * (1 - BAR)) / 2;
    let below = 0;
    const parts = kinds.map(({ key, colour }) => {
      const tokens = Math.max(0, week[key]);
      below += tokens;
      return tokens === 0
        ? ''
        : `<rect x="${x}" y="${yOf(below)}" width="${step * BAR}" height="${(tokens / top) * high}" fill="${colour}"/>`;
    });
    const label = `<text x="${x + (step * BAR) / 2}" y="${HEIGHT - BOTTOM + 36}" text-anchor="middle" font-size="22" fill="#6b7785">${week.week}</text>`;
    const sum =
      below === 0
        ? ''
        : `<text x="${x + (step * BAR) / 2}" y="${yOf(below) - 12}" text-anchor="middle" font-size="22" fill="#1c2530">${number(below)}</text>`;
    return parts.join('') + sum + label;
  });
  const legend = kinds.map(
    ({ label, colour }, i) =>
      `<rect x="${LEFT + i * 210}" y="82" width="22" height="22" rx="5" fill="${colour}"/><text x="${LEFT + 34 + i * 210}" y="101" font-size="24" fill="#1c2530">${label}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="'DejaVu Sans', 'Noto Sans', Arial, sans-serif">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<text x="${LEFT}" y="56" font-size="32" font-weight="700" fill="#1c2530">Токены по неделям</text>
${legend.join('')}${grid.join('')}${bars.join('')}
</svg>`;
}

const totalOf = ({ texts, pictures, phrases, other }: Spending): number =>
  Math.max(0, texts) + Math.max(0, pictures) + Math.max(0, phrases) + Math.max(0, other);

/** The next number that divides into four readable steps. */
function niceTop(highest: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(highest, 4)));
  const steps = [1, 2, 4, 6, 8, 10].map((times) => times * size);
  return steps.find((top) => top >= highest && top % 4 === 0) ?? 20 * size;
}
