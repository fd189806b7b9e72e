import { plural } from '../../russian.ts';
import { lines, type RichText, rich } from './screen.ts';

/** Demand by months, the oldest first. Months count from 1. */
export type SeasonPlot = readonly { month: number; count: number }[];

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const letters = 'ЯФМАМИИАСОНД';
const names = [
  'январе',
  'феврале',
  'марте',
  'апреле',
  'мае',
  'июне',
  'июле',
  'августе',
  'сентябре',
  'октябре',
  'ноябре',
  'декабре',
] as const;
/** Below it the months hardly differ, and a peak would be an accident. */
const EVEN = 0.15;

/** Two lines of a fixed-width font: bars, and the first letters of their months. Null: nothing worth a plot. */
export function seasonPlot(season: SeasonPlot): RichText | null {
  const counts = season.map(({ count }) => count);
  const most = Math.max(...counts);
  const least = Math.min(...counts);
  if (season.length < 2 || most === 0) return null;
  const height = (count: number) => bars[Math.round((count / most) * (bars.length - 1))]!;
  const peak = season.find(({ count }) => count === most)!;
  return lines(
    (most - least) / most < EVEN
      ? rich`<b>Сезон:</b> спрос ровный весь год`
      : rich`<b>Сезон:</b> больше всего ищут в ${names[peak.month - 1]!}, спрос меняется в ${times(most, least)}`,
    rich`<code>${counts.map(height).join(' ')}</code>`,
    rich`<code>${season.map(({ month }) => letters[month - 1]).join(' ')}</code>`,
  );
}

/** «1,8 раза», «5 раз», and never an endless number where a month had no searches at all. */
function times(most: number, least: number): string {
  const factor = Math.round((most / Math.max(least, most / 20)) * 10) / 10;
  return Number.isInteger(factor)
    ? plural(factor, 'раз', 'раза', 'раз')
    : `${String(factor).replace('.', ',')} раза`;
}
