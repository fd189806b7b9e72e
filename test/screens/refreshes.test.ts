import { expect, it } from 'vitest';
import { refreshListScreen, restingNotice } from '../../src/screens/pages/refreshes.ts';

const at = new Date('2026-11-02T20:30:00Z');

it('tells when an article came out, and until when it rests, in the time of its project', () => {
  const labelIn = (timezone: string) =>
    refreshListScreen(5, [{ id: 1, keyword: 'кухни', at, place: 7, timezone }]).keyboard[0]![0]!.label;
  expect(labelIn('Europe/Moscow')).toBe('кухни · 02.11.2026 · 7-е место');
  expect(labelIn('Asia/Vladivostok')).toBe('кухни · 03.11.2026 · 7-е место');
  expect(JSON.stringify(restingNotice(at, 'Asia/Vladivostok'))).toContain('03.11.2026');
});
