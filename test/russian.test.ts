import { describe, expect, it } from 'vitest';
import { date, number, ofTokens, plural, tokens, tokensCharged, tokensReturned } from '../src/russian.ts';

describe('Russian', () => {
  it.each([
    [0, '0 проектов'],
    [1, '1 проект'],
    [2, '2 проекта'],
    [4, '4 проекта'],
    [5, '5 проектов'],
    [11, '11 проектов'],
    [12, '12 проектов'],
    [14, '14 проектов'],
    [21, '21 проект'],
    [22, '22 проекта'],
    [25, '25 проектов'],
    [101, '101 проект'],
    [111, '111 проектов'],
    [1_000, '1\u2009000 проектов'],
    [1_001, '1\u2009001 проект'],
    [-1, '−1 проект'],
    [-3, '−3 проекта'],
  ])('%i counts as «%s»', (count, words) => {
    expect(plural(count, 'проект', 'проекта', 'проектов')).toBe(words);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [2_450, '2\u2009450'],
    [12_345_678, '12\u2009345\u2009678'],
    [-320, '−320'],
    [-1_500, '−1\u2009500'],
    [-150_000, '−150\u2009000'],
  ])('%i is written with thin spaces', (value, text) => expect(number(value)).toBe(text));

  it('counts tokens', () => expect(tokens(1_500)).toBe('1\u2009500 токенов'));

  it.each([
    [1, 'Списан 1 токен', 'Вернулся 1 токен', 'не больше 1 токена'],
    [21, 'Списан 21 токен', 'Вернулся 21 токен', 'не больше 21 токена'],
    [302, 'Списано 302 токена', 'Вернулось 302 токена', 'не больше 302 токенов'],
    [40, 'Списано 40 токенов', 'Вернулось 40 токенов', 'не больше 40 токенов'],
  ])('%i tokens agree with the words around them', (count, charged, returned, limit) => {
    expect([tokensCharged(count), tokensReturned(count), `не больше ${ofTokens(count)}`]).toEqual([
      charged,
      returned,
      limit,
    ]);
  });

  it('dates by the calendar of the zone', () => {
    const at = new Date('2026-03-04T22:30:00Z');
    expect(date(at, 'Europe/Moscow')).toBe('05.03.2026');
    expect(date(at, 'Europe/Kaliningrad')).toBe('05.03.2026');
    expect(date(at, 'UTC')).toBe('04.03.2026');
    expect(date(at, 'Asia/Kamchatka')).toBe('05.03.2026');
  });
});
