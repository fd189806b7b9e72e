import sharp from 'sharp';

/** One day of the business. */
export type DayFigures = { day: string; revenueRub: number; people: number; costUsd: number };

type FigurePlots = {
  title: string;
  plots: { label: string; colour: string; values: readonly number[] }[];
};

// A phone shows it a third as wide: letters below 28 cannot be read there.
const WIDTH = 1_200;
const LEFT = 160;
const RIGHT = 40;
const TOP = 120;
const PLOT = 200;
const GAP = 90;
const BOTTOM = 70;
const MOST_LABELS = 7;
const SMALL = 28;
const ink = '#1c2530';
const faint = '#6b7785';

/** Bars of every day, one plot below the other, so that a day is read from top to bottom. */
export async function drawFigures(
  days: readonly DayFigures[],
  { title, usdRate }: { title: string; usdRate: number },
  labels: { revenue: string; people: string; costs: string },
): Promise<Uint8Array> {
  const svg = figuresSvg(
    days.map(({ day }) => `${day.slice(8, 10)}.${day.slice(5, 7)}`),
    {
      title,
      plots: [
        { label: labels.revenue, colour: '#1f8a4c', values: days.map(({ revenueRub }) => revenueRub) },
        { label: labels.people, colour: '#2168c4', values: days.map(({ people }) => people) },
        { label: labels.costs, colour: '#d2541b', values: days.map(({ costUsd }) => costUsd * usdRate) },
      ],
    },
  );
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
}

function figuresSvg(days: readonly string[], { title, plots }: FigurePlots): string {
  const height = TOP + plots.length * (PLOT + GAP) + BOTTOM - GAP + 30;
  const step = (WIDTH - LEFT - RIGHT) / Math.max(days.length, 1);
  const drawn = plots.map(({ label, colour, values }, i) => {
    const base = TOP + 30 + PLOT + i * (PLOT + GAP);
    const top = niceTop(Math.max(0, ...values));
    const total = values.reduce((sum, value) => sum + value, 0);
    // Where nothing happened a scale would only name numbers that were never reached.
    const grid = (total === 0 ? [0] : [0, 0.5, 1]).map((part) => {
      const y = base - part * PLOT;
      return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" stroke="#e3e8ee"/><text x="${LEFT - 14}" y="${y + 10}" text-anchor="end" font-size="${SMALL}" fill="${faint}">${short(top * part)}</text>`;
    });
    const bars = values.map((value, day) => {
      const high = (Math.max(0, value) / top) * PLOT;
      return high === 0
        ? ''
        : `<rect x="${(LEFT + step * day + step * 0.15).toFixed(1)}" y="${(base - high).toFixed(1)}" width="${(step * 0.7).toFixed(1)}" height="${high.toFixed(1)}" rx="2" fill="${colour}"/>`;
    });
    return `<text x="${LEFT}" y="${base - PLOT - 22}" font-size="32" font-weight="700" fill="${colour}">${escaped(label)}: ${short(total)}</text>${grid.join('')}${bars.join('')}`;
  });
  const every = Math.ceil(days.length / MOST_LABELS);
  const dates = days.map((day, i) =>
    i % every === 0
      ? `<text x="${(LEFT + step * (i + 0.5)).toFixed(1)}" y="${height - 26}" text-anchor="middle" font-size="${SMALL}" fill="${faint}">${escaped(day)}</text>`
      : '',
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="'DejaVu Sans', 'Noto Sans', Arial, sans-serif">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="40" y="56" font-size="38" font-weight="700" fill="${ink}">${escaped(title)}</text>
${drawn.join('\n')}${dates.join('')}
</svg>`;
}

/** The next number that halves into readable steps. */
function niceTop(highest: number): number {
  if (highest <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 6, 8, 10].map((times) => times * size).find((top) => top >= highest) ?? 10 * size;
}

const rounded = new Intl.NumberFormat('ru-RU', { notation: 'compact', maximumFractionDigits: 1 });
const short = (value: number): string => escaped(rounded.format(value));

const escaped = (text: string): string => text.replace(/[<>&"]/gu, (char) => `&#${char.charCodeAt(0)};`);
