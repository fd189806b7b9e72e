import sharp from 'sharp';

type RankPlot = {
  title: string;
  /** Labels of the weeks, the oldest first. */
  weeks: string[];
  /** A position or null for every week. */
  lines: { name: string; positions: (number | null)[] }[];
};

const WIDTH = 1_200;
const HEIGHT = 700;
const LEFT = 80;
const TOP = 110;
const BOTTOM = 250;
const RIGHT = 40;
const grid = [1, 3, 10, 30, 100];
const colours = ['#2168c4', '#d2541b', '#1f8a4c', '#8a3fb5', '#b58a00'];
export const MOST_LINES = colours.length;
const ink = '#1c2530';
const faint = '#6b7785';

export const drawRankPlot = async (plot: RankPlot): Promise<Uint8Array> =>
  sharp(Buffer.from(rankPlotSvg(plot)))
    .png({ compressionLevel: 9 })
    .toBuffer();

/** The first place is on top. Logarithmic: from 3 to 1 matters more than from 53 to 51. */
function rankPlotSvg({ title, weeks, lines }: RankPlot): string {
  const x = (week: number) =>
    weeks.length === 1
      ? (LEFT + WIDTH - RIGHT) / 2
      : LEFT + (week * (WIDTH - LEFT - RIGHT)) / (weeks.length - 1);
  const y = (place: number) => TOP + (Math.log(place) / Math.log(100)) * (HEIGHT - TOP - BOTTOM);
  const rows = grid.map(
    (place) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(place)}" y2="${y(place)}" stroke="#dbe1e8"/>
<text x="${LEFT - 14}" y="${y(place) + 6}" font-size="17" fill="${faint}" text-anchor="end">${place}</text>`,
  );
  const step = Math.ceil(weeks.length / 8);
  const labels = weeks.map((week, i) =>
    i % step === 0
      ? `<text x="${x(i)}" y="${HEIGHT - BOTTOM + 36}" font-size="17" fill="${faint}" text-anchor="middle">${escaped(week)}</text>`
      : '',
  );
  const curves = lines.map(({ name, positions }, i) => {
    const points = positions.flatMap((place, week) =>
      place === null ? [] : [`${x(week)},${y(Math.min(place, 100))}`],
    );
    const legend = HEIGHT - BOTTOM + 80 + i * 32;
    const dots = points.map((point) => {
      const [cx, cy] = point.split(',');
      return `<circle cx="${cx}" cy="${cy}" r="6" fill="${colours[i]}"/>`;
    });
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[i]}" stroke-width="4" stroke-linejoin="round"/>${dots.join('')}
<rect x="${LEFT}" y="${legend - 14}" width="18" height="18" rx="4" fill="${colours[i]}"/>
<text x="${LEFT + 30}" y="${legend + 2}" font-size="18" fill="${ink}">${escaped(name.length > 80 ? `${name.slice(0, 79)}…` : name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="'DejaVu Sans', 'Noto Sans', Arial, sans-serif">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<text x="${LEFT - 40}" y="60" font-size="30" font-weight="700" fill="${ink}">${escaped(title)}</text>
${[...rows, ...labels, ...curves].join('\n')}
</svg>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
