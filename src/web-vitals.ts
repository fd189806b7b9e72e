/** How a site feels to its visitors: Google's measures, and from where on they are good or poor. The one table. */

export type VitalName = 'lcp' | 'inp' | 'cls' | 'ttfb';
export type Band = 'good' | 'fair' | 'poor';

type Vital = {
  /** For a person who does not know the abbreviation. */
  label: string;
  short: string;
  /** At most this much is good; at most that much is fair. */
  good: number;
  fair: number;
  /** Milliseconds are told in seconds; a shift of the layout has no unit. */
  unit: 'ms' | 'none';
};

export const vitals: Readonly<Record<VitalName, Vital>> = {
  lcp: { label: 'Появление главного', short: 'LCP', good: 2_500, fair: 4_000, unit: 'ms' },
  inp: { label: 'Отклик на нажатие', short: 'INP', good: 200, fair: 500, unit: 'ms' },
  cls: { label: 'Сдвиги при загрузке', short: 'CLS', good: 0.1, fair: 0.25, unit: 'none' },
  ttfb: { label: 'Ответ сервера', short: 'TTFB', good: 800, fair: 1_800, unit: 'ms' },
};

export function bandOf(name: VitalName, value: number): Band {
  const { good, fair } = vitals[name];
  if (value <= good) return 'good';
  return value <= fair ? 'fair' : 'poor';
}

/** Scores of Lighthouse, 0 to 100, have bands of their own. */
export function scoreBand(score: number): Band {
  if (score >= 90) return 'good';
  return score >= 50 ? 'fair' : 'poor';
}

/** 2480 → «2,5 с», 180 → «180 мс», 0.12 → «0,12». */
export function vitalText(name: VitalName, value: number): string {
  if (vitals[name].unit === 'none') return String(Math.round(value * 100) / 100).replace('.', ',');
  return value < 1_000 ? `${Math.round(value)} мс` : `${(value / 1_000).toFixed(1).replace('.', ',')} с`;
}

/** An audit as it is stored and shown; null where nothing could be told. */
export type AuditFigures = {
  performance: number | null;
  seo: number | null;
  accessibility: number | null;
  bestPractices: number | null;
  lcpMs: number | null;
  inpMs: number | null;
  cls: number | null;
  ttfbMs: number | null;
};
type AuditScore = 'performance' | 'seo' | 'accessibility' | 'bestPractices';

export const auditScores: readonly { key: AuditScore; label: string }[] = [
  { key: 'performance', label: 'Скорость' },
  { key: 'seo', label: 'SEO' },
  { key: 'accessibility', label: 'Доступность' },
  { key: 'bestPractices', label: 'Качество' },
];
export const auditVitals = [
  { name: 'lcp', key: 'lcpMs' },
  { name: 'inp', key: 'inpMs' },
  { name: 'cls', key: 'cls' },
  { name: 'ttfb', key: 'ttfbMs' },
] as const satisfies readonly { name: VitalName; key: keyof AuditFigures }[];
