import sharp from 'sharp';
import {
  type AuditFigures,
  auditScores,
  auditVitals,
  type Band,
  bandOf,
  scoreBand,
  type VitalName,
  vitals,
  vitalText,
} from '../../web-vitals.ts';

type AuditCard = {
  site: string;
  /** As people write it: 18.11.2026. */
  date: string;
  figures: AuditFigures;
  /** The audit before this one, if there was one of the same site. */
  earlier: { date: string; figures: AuditFigures } | null;
};

const WIDTH = 1_200;
const HEIGHT = 890;
const MARGIN = 60;
const RADIUS = 84;
const GAUGE_Y = 286;
const ROW_Y = 566;
const ROW_HEIGHT = 104;
const BAR_X = 430;
const BAR_WIDTH = 520;

const ink = '#1c2530';
const faint = '#6b7785';
const ground = '#f5f7fa';
const bandColours: Record<Band, string> = { good: '#1a9c5b', fair: '#e69a00', poor: '#d8412f' };
const bandWords: Record<Band, string> = { good: 'хорошо', fair: 'средне', poor: 'плохо' };
const nothing = '#c3cbd5';

/** Google speaks of three Core Web Vitals; the server's answer is told in the text below the picture. */
const drawnVitals = auditVitals.slice(0, 3);

export const drawAuditCard = async (card: AuditCard): Promise<Uint8Array> =>
  sharp(Buffer.from(auditCardSvg(card)))
    .png({ compressionLevel: 9 })
    .toBuffer();

function auditCardSvg({ site, date, figures, earlier }: AuditCard): string {
  const step = (WIDTH - 2 * MARGIN) / auditScores.length;
  const gauges = auditScores.map(({ key, label }, i) =>
    gauge(MARGIN + step * (i + 0.5), label, figures[key], earlier?.figures[key] ?? null),
  );
  const rows = drawnVitals.map(({ name, key }, i) =>
    row(ROW_Y + i * ROW_HEIGHT, name, figures[key], earlier?.figures[key] ?? null),
  );
  const when = earlier ? `${earlier.date} → ${date}` : date;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"
  font-family="'DejaVu Sans', 'Noto Sans', Arial, sans-serif">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${ground}"/>
<rect x="24" y="24" width="${WIDTH - 48}" height="${HEIGHT - 48}" rx="28" fill="#ffffff"/>
${text(MARGIN, 104, 40, ink, site, { weight: 700, most: 34 })}
${text(WIDTH - MARGIN, 104, 30, faint, when, { anchor: 'end' })}
${text(MARGIN, 150, 26, faint, 'Аудит сайта: как его видит телефон')}
${gauges.join('\n')}
<line x1="${MARGIN}" y1="${ROW_Y - 50}" x2="${WIDTH - MARGIN}" y2="${ROW_Y - 50}" stroke="#e6eaf0" stroke-width="2"/>
${rows.join('\n')}
</svg>`;
}

/** A ring that is full at 100, the score inside, and what it was before below. */
function gauge(x: number, label: string, score: number | null, before: number | null): string {
  const length = 2 * Math.PI * RADIUS;
  const colour = score === null ? nothing : bandColours[scoreBand(score)];
  const filled = ((score ?? 0) / 100) * length;
  const change = score !== null && before !== null ? changeText(before, score) : null;
  return `<circle cx="${x}" cy="${GAUGE_Y}" r="${RADIUS}" fill="none" stroke="#e6eaf0" stroke-width="16"/>
<circle cx="${x}" cy="${GAUGE_Y}" r="${RADIUS}" fill="none" stroke="${colour}" stroke-width="16" stroke-linecap="round"
  stroke-dasharray="${filled.toFixed(1)} ${length.toFixed(1)}" transform="rotate(-90 ${x} ${GAUGE_Y})"/>
${text(x, GAUGE_Y + 20, 56, ink, score === null ? '—' : String(score), { anchor: 'middle', weight: 700 })}
${text(x, GAUGE_Y + RADIUS + 50, 28, ink, label, { anchor: 'middle' })}
${change ? text(x, GAUGE_Y + RADIUS + 86, 24, change.colour, change.words, { anchor: 'middle' }) : ''}`;
}

/** The three bands side by side, each a third of the bar, and a mark where the site stands. */
function row(y: number, name: VitalName, value: number | null, before: number | null): string {
  const { label, short } = vitals[name];
  const third = BAR_WIDTH / 3;
  const bands = (['good', 'fair', 'poor'] as const)
    .map(
      (band, i) =>
        `<rect x="${BAR_X + i * third}" y="${y - 12}" width="${third - 4}" height="16" rx="8" fill="${bandColours[band]}" opacity="0.28"/>`,
    )
    .join('');
  const head = `${text(MARGIN, y, 28, ink, label)}
${text(MARGIN, y + 34, 22, faint, `${short}, хорошо до ${vitalText(name, vitals[name].good)}`)}
${bands}`;
  if (value === null)
    return `${head}\n${text(WIDTH - MARGIN, y, 26, faint, 'мало посетителей', { anchor: 'end' })}`;
  const band = bandOf(name, value);
  const earlierMark =
    before === null
      ? ''
      : `<circle cx="${placeOf(name, before).toFixed(1)}" cy="${y - 4}" r="10" fill="#ffffff" stroke="${faint}" stroke-width="3"/>`;
  return `${head}
${earlierMark}
<circle cx="${placeOf(name, value).toFixed(1)}" cy="${y - 4}" r="14" fill="${bandColours[band]}" stroke="#ffffff" stroke-width="4"/>
${text(WIDTH - MARGIN, y + 2, 34, bandColours[band], vitalText(name, value), { anchor: 'end', weight: 700 })}
${text(WIDTH - MARGIN, y + 36, 22, faint, before === null ? bandWords[band] : `было ${vitalText(name, before)}`, { anchor: 'end' })}`;
}

/** Linear within each band; the last one ends at twice its beginning. */
function placeOf(name: VitalName, value: number): number {
  const { good, fair } = vitals[name];
  const third = BAR_WIDTH / 3;
  const part = (from: number, to: number) => Math.min(1, (value - from) / (to - from));
  const place =
    value <= good
      ? part(0, good) * third
      : value <= fair
        ? third + part(good, fair) * third
        : 2 * third + part(fair, fair * 2) * third;
  return BAR_X + Math.min(BAR_WIDTH - 14, Math.max(10, place));
}

function changeText(before: number, now: number): { words: string; colour: string } {
  if (before === now) return { words: `было ${before}`, colour: faint };
  const sign = now > before ? '▲ +' : '▼ −';
  return {
    words: `было ${before}  ${sign}${Math.abs(now - before)}`,
    colour: bandColours[now > before ? 'good' : 'poor'],
  };
}

type TextStyle = { anchor?: 'start' | 'middle' | 'end'; weight?: number; most?: number };

function text(
  x: number,
  y: number,
  size: number,
  colour: string,
  words: string,
  style: TextStyle = {},
): string {
  const { anchor = 'start', weight = 400, most = 80 } = style;
  const characters = [...words];
  const shown = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : words;
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" font-weight="${weight}" text-anchor="${anchor}">${escaped(shown)}</text>`;
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
