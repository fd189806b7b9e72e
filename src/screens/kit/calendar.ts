import { type Weekday, weekdays } from '../../../machines/week.ts';
import { plural } from '../../russian.ts';

export const dayLabels: Readonly<Record<Weekday, string>> = {
  mon: 'Пн',
  tue: 'Вт',
  wed: 'Ср',
  thu: 'Чт',
  fri: 'Пт',
  sat: 'Сб',
  sun: 'Вс',
};

/** «каждый день», «по будням», «Пн, Ср, Пт». */
export function daysInWords(days: readonly Weekday[]): string {
  const workdays = weekdays.slice(0, 5);
  if (days.length === weekdays.length) return 'каждый день';
  if (days.length === workdays.length && workdays.every((day) => days.includes(day))) return 'по будням';
  return weekdays
    .filter((day) => days.includes(day))
    .map((day) => dayLabels[day])
    .join(', ');
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** «сегодня в 18:00», «завтра в 10:00», «вт, 24 ноября, в 10:00», as the calendar stands in that zone. */
export function momentInWords(at: number, now: number, timeZone: string): string {
  const time = new Intl.DateTimeFormat('ru-RU', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
  const day = (moment: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment);
  if (day(at) === day(now)) return `сегодня в ${time}`;
  if (day(at) === day(now + DAY)) return `завтра в ${time}`;
  const date = new Intl.DateTimeFormat('ru-RU', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'long',
  }).format(at);
  return `${date}, в ${time}`;
}

/** «через 25 минут», «через 3 часа», «через 2 дня». */
export function waitInWords(at: number, now: number): string {
  const minutes = Math.max(1, Math.round((at - now) / MINUTE));
  if (minutes < 90) return `через ${plural(minutes, 'минуту', 'минуты', 'минут')}`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `через ${plural(hours, 'час', 'часа', 'часов')}`;
  return `через ${plural(Math.round(hours / 24), 'день', 'дня', 'дней')}`;
}
