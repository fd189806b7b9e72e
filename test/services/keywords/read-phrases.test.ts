import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keywordsCsv } from '../../../src/services/keywords/keywords-csv.ts';
import { MOST_PHRASE_CHARS, phraseKey } from '../../../src/services/keywords/phrase-text.ts';
import {
  MOST_UPLOADED,
  PhrasesRefused,
  type ReadPhrases,
  readPhraseFile,
} from '../../../src/services/keywords/read-phrases.ts';
import { aCluster, aPhrase } from '../../menu/played-keywords.ts';

type Answer = ReadPhrases | Pick<PhrasesRefused, 'reason' | 'userMessage'>;

const readBytes = (bytes: Uint8Array): Answer => {
  try {
    return readPhraseFile(bytes);
  } catch (error) {
    if (error instanceof PhrasesRefused) return { reason: error.reason, userMessage: error.userMessage };
    throw error;
  }
};
const read = (text: string) => readBytes(Buffer.from(text));

describe('a file of phrases', () => {
  it('has one on each line, whatever ends the lines and whichever program wrote the file', () => {
    expect(read('\uFEFFторты\r\n  торты   на заказ\t\n\n\rэклеры')).toEqual({
      encoding: 'utf-8',
      phrases: ['торты', 'торты на заказ', 'эклеры'],
    });
  });

  it('counts two spellings of a phrase once', () => {
    expect(read('Мёд\nмед\nМЕД ')).toMatchObject({ phrases: ['Мёд'] });
  });

  it('may hold five hundred, repetitions not counted', () => {
    const lines = Array.from({ length: 500 }, (_, i) => `торт ${i}`);
    expect(read([...lines, ...lines].join('\n'))).toMatchObject({ phrases: lines });
    expect(read([...lines, 'ещё один'].join('\n'))).toMatchObject({
      reason: 'too-many',
      userMessage: 'В списке фраз: 501. Можно не больше 500.',
    });
  });

  it('names the line that is too long', () => {
    expect(read(`торты\n${'ы'.repeat(100)}`)).toHaveProperty('phrases');
    expect(read(`торты\n\n${'ы'.repeat(101)}`)).toMatchObject({
      reason: 'too-long',
      userMessage: expect.stringContaining('Строка 3 длиннее 100 символов'),
    });
  });

  it('may be the table that the bot itself has given out, or one of statistics', () => {
    const windows = aCluster('Окна', [aPhrase('окна пвх', 900), aPhrase('окна "под ключ"; цена', null)]);
    expect(readBytes(keywordsCsv([windows]))).toMatchObject({
      phrases: ['окна пвх', 'окна "под ключ"; цена'],
    });
    expect(read('Запрос\tЧастота\tКонкуренция\nокна пвх\t1 000\t0,5\nокна цена\t90\t1,2')).toMatchObject({
      phrases: ['окна пвх', 'окна цена'],
    });
  });

  it('names the line of a table that is too long, as its program counts it', () => {
    expect(read(`Фраза;Частота\nокна;5\n${'ы'.repeat(101)};1`)).toMatchObject({
      userMessage: expect.stringContaining('Строка 3 длиннее 100 символов'),
    });
  });

  it('is at most a megabyte', () => {
    const fits = `торты\n${' '.repeat(1024 * 1024 - 11)}`;
    expect(read(fits)).toMatchObject({ phrases: ['торты'] });
    expect(read(`${fits} `)).toMatchObject({ reason: 'too-large' });
  });

  it.each([
    ['windows-1251', Buffer.from([0xf2, 0xee, 0xf0, 0xf2, 0xfb])],
    ['utf-16', Buffer.from('\uFEFFторты', 'utf16le')],
  ])('is read in %s, too, and says so', (encoding, bytes) => {
    expect(readBytes(bytes)).toEqual({ phrases: ['торты'], encoding });
  });

  it.each([
    ['a workbook', Buffer.from('PK\u0003\u0004table'), 'Это таблица Excel'],
    ['a photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'Это картинка.'],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x02, 0x00]), 'внутри не текст'],
    ['bytes of no encoding', Buffer.from([0xff, 0x01, 0xf0, 0x98]), 'внутри не текст'],
  ])('is refused with advice when it is %s', (_, bytes, words) => {
    expect(readBytes(bytes)).toMatchObject({
      reason: 'no-text',
      userMessage: expect.stringContaining(words),
    });
  });

  it('is read without the bullets, numbers and counts that lists come with', () => {
    const list = [
      ...['1. торты', '2) эклеры на заказ', '• пирог', '- кекс', 'хлеб;1 500', 'булка\t20', '"сырники"'],
      ...['---', '3 кг муки'],
    ];
    expect(read(list.join('\n'))).toMatchObject({
      phrases: ['торты', 'эклеры на заказ', 'пирог', 'кекс', 'хлеб', 'булка', 'сырники', '3 кг муки'],
    });
  });

  it.each(['', '\uFEFF', ' \n\t\r\n', '—\n***'])('without phrases is refused: %j', (text) => {
    expect(read(text)).toMatchObject({ reason: 'empty' });
  });
});

describe('any file whatever', () => {
  const piece = fc.oneof(
    fc.constantFrom('1. ', '• ', '- ', '"', ';', '\t', ' ', '\r\n', '\n', '\u200B', '\uFEFF', '15', 'ё', 'Ё'),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('торт', 'торт на заказ', 'купить торт'),
  );
  const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  it('is read or refused with a reason, and what is read is phrases', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText.map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 300 }),
        ),
        (bytes) => {
          const answer = readBytes(bytes);
          if ('reason' in answer) {
            expect(answer.userMessage).toMatch(/^[А-ЯЁ].*\.$/su);
            return;
          }
          expect(answer.phrases.length).toBeGreaterThan(0);
          expect(answer.phrases.length).toBeLessThanOrEqual(MOST_UPLOADED);
          expect(new Set(answer.phrases.map(phraseKey)).size).toBe(answer.phrases.length);
          for (const phrase of answer.phrases) {
            expect(phrase).toMatch(/[\p{L}\p{N}]/u);
            expect(phrase).not.toMatch(/[\p{Cc}\n]|^\s|\s$/u);
            expect([...phrase].length).toBeLessThanOrEqual(MOST_PHRASE_CHARS);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('says the same when what was read is written down and read again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = read(text);
        if ('reason' in once) return;
        expect(read(once.phrases.join('\n'))).toMatchObject({ phrases: once.phrases });
      }),
      { numRuns: 500 },
    );
  });
});
