import { describe, expect, it } from 'vitest';
import { cronOf, lastSlot, nextSlot } from '../../../src/services/schedules/cron.ts';

const iso = (moment: number): string => new Date(moment).toISOString();

describe('a slot of a schedule', () => {
  it('is written as a cron line without leading zeros, Sunday as 0', () => {
    expect(cronOf(['mon', 'wed', 'fri'], '09:00')).toBe('0 9 * * 1,3,5');
    expect(cronOf(['sun', 'sat'], '23:00')).toBe('0 23 * * 6,0');
  });

  it('is found before and behind a moment, its own moment included once', () => {
    const nine = Date.UTC(2026, 10, 16, 6); // a Monday, 09:00 in Moscow
    expect(iso(lastSlot('0 9 * * 1', 'Europe/Moscow', nine))).toBe(iso(nine));
    expect(iso(nextSlot('0 9 * * 1', 'Europe/Moscow', nine))).toBe('2026-11-23T06:00:00.000Z');
    expect(iso(lastSlot('0 9 * * 1', 'Europe/Moscow', nine - 1_000))).toBe('2026-11-09T06:00:00.000Z');
  });

  it('stays at its hour when a zone changes to summer time and back', () => {
    const berlin = 'Europe/Berlin';
    expect(iso(nextSlot('0 9 * * *', berlin, Date.UTC(2026, 2, 28, 12)))).toBe('2026-03-29T07:00:00.000Z');
    expect(iso(nextSlot('0 9 * * *', berlin, Date.UTC(2026, 9, 24, 12)))).toBe('2026-10-25T08:00:00.000Z');
  });
});
