import { expect, it } from 'vitest';
import { hostOf, reportFile } from '../../../src/screens/kit/competitor-report.ts';

it.each([
  ['https://окна-казань.рф/цены', 'окна-казань.рф'],
  ['https://xn----7sbba8aocvgb7n.xn--p1ai/', 'окна-казань.рф'],
  ['https://Shop.example:8080/a', 'shop.example'],
  ['no address', 'no address'],
])('a site is called as people call it: %s', (url, name) => {
  expect(hostOf(url)).toBe(name);
});

it('an analysis is kept in a file that is called after the site', () => {
  const report = {
    url: 'https://окна.рф',
    positioning: 'Окна',
    strengths: [],
    gaps: [],
    recommendations: [],
  };
  expect(reportFile(report).name).toBe('konkurent-окна.рф.txt');
});
