import { describe, expect, it } from 'vitest';
import { reasonInWords } from '../../../src/autopost/watch/alert-reasons.ts';

describe('the reason of a failure', () => {
  it.each([
    ...[
      'answer_lost',
      'auth_missing',
      'lease_expired',
      'not_called',
      'own_error',
      'stopped',
      'network',
      '429',
      '403',
    ],
    ...['SOURCE_UNREADABLE', 'SITE_UNREACHABLE', 'ADDRESS_REFUSED', 'ANSWER_TOO_LARGE', 'MEDIA_UNAVAILABLE'],
  ])('is told in words: %s', (code) => {
    expect(reasonInWords({ code, message: 'socket hang up' })).toMatch(/^[а-яё][а-яё ,]+$/u);
  });

  it('is told with what the check of the post says', () => {
    const refused = { code: 'validation_failed', message: 'the channel takes text only' };
    expect(reasonInWords(refused)).toBe(
      'пост не прошёл проверку (Канал принимает только посты без вложений)',
    );
  });

  it('is the platform’s own words for an unknown code', () => {
    expect(reasonInWords({ code: 'teapot', message: 'short and stout' })).toBe('short and stout');
  });
});
