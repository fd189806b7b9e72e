import { describe, expect, it } from 'vitest';
import { readPhrases } from '../../../src/services/keywords/read-phrases.ts';

const read = (text: string) => readPhrases(Buffer.from(text));

describe('a file of phrases', () => {
  it('has one on each line, whatever ends the lines and whoever wrote the file', () => {
    expect(read('\uFEFFторты\r\n  торты   на заказ\t\n\n\rэклеры')).toEqual({
      ok: true,
      phrases: ['торты', 'торты на заказ', 'эклеры'],
    });
  });

  it('counts two spellings of a phrase once', () => {
    expect(read('Мёд\nмед\nМЕД ')).toEqual({ ok: true, phrases: ['Мёд'] });
  });

  it('may hold five hundred, repetitions not counted', () => {
    const lines = Array.from({ length: 500 }, (_, i) => `торт ${i}`);
    expect(read([...lines, ...lines].join('\n'))).toEqual({ ok: true, phrases: lines });
    expect(read([...lines, 'ещё один'].join('\n'))).toMatchObject({
      reason: 'too-many',
      userMessage: 'В файле фраз: 501. Можно не больше 500.',
    });
  });

  it('names the line that is too long', () => {
    expect(read(`торты\n${'ы'.repeat(100)}`)).toMatchObject({ ok: true });
    expect(read(`торты\n\n${'ы'.repeat(101)}`)).toMatchObject({
      reason: 'too-long',
      userMessage: expect.stringContaining('Строка 3 длиннее 100 символов'),
    });
  });

  it('is at most a megabyte', () => {
    const fits = `торты\n${' '.repeat(1024 * 1024 - 11)}`;
    expect(read(fits)).toEqual({ ok: true, phrases: ['торты'] });
    expect(read(`${fits} `)).toMatchObject({ reason: 'too-large' });
  });

  it.each([
    ['in the Windows encoding', Buffer.from([0xf2, 0xee, 0xf0, 0xf2])],
    ['in UTF-16', Buffer.from('\uFEFFторты', 'utf16le')],
    ['that is no text', Buffer.from('PK\0\0table')],
  ])('%s is refused with advice', (_, bytes) => {
    expect(readPhrases(bytes)).toMatchObject({
      reason: 'not-utf8',
      userMessage: expect.stringContaining('Сохраните его как TXT (UTF-8)'),
    });
  });

  it.each(['', '\uFEFF', ' \n\t\r\n'])('without phrases is refused: %j', (text) => {
    expect(read(text)).toMatchObject({ ok: false, reason: 'empty' });
  });
});
