import { Cron } from 'croner';
import { type Weekday, weekdays } from '../../../machines/week.ts';

/** Sunday is 0, as cron counts. */
const cronDay = (day: Weekday): number => (weekdays.indexOf(day) + 1) % weekdays.length;

/** One hourly slot on some days of the week: ({mon, wed}, '09:00') → `0 9 * * 1,3`. */
export function cronOf(days: readonly Weekday[], time: string): string {
  const [hours, minutes] = time.split(':').map(Number);
  const on = weekdays.filter((day) => days.includes(day)).map(cronDay);
  return `${minutes} ${hours} * * ${on.length > 0 ? on.join(',') : '*'}`;
}

/** The first moment of the line after `now`, in unix ms. */
export function nextSlot(cron: string, timeZone: string, now: number): number {
  const next = new Cron(cron, { timezone: timeZone }).nextRun(new Date(now));
  if (!next) throw new TypeError(`Expected a cron line that comes round again, got "${cron}"`);
  return next.getTime();
}

/** The last moment of the line up to and including `now`. */
export function lastSlot(cron: string, timeZone: string, now: number): number {
  // Exclusive of its reference, and a moment has whole seconds.
  const [last] = new Cron(cron, { timezone: timeZone }).previousRuns(1, new Date(now + 1_000));
  if (!last) throw new TypeError(`Expected a cron line that has come round before, got "${cron}"`);
  return last.getTime();
}

/** HH:MM of a moment, as the clock stands in that zone. */
export const timeOf = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
