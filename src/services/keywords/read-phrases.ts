import { distinct, MOST_PHRASE_CHARS, tidyPhrase } from './phrase-text.ts';

export type ReadPhrases =
  | { ok: true; phrases: string[] }
  | {
      ok: false;
      reason: 'too-large' | 'not-utf8' | 'empty' | 'too-many' | 'too-long';
      userMessage: string;
    };

export const MOST_FILE_BYTES = 1024 * 1024;
export const MOST_UPLOADED = 500;

/** A TXT file of a person: a phrase on each line. What is wrong with it is said exactly, so that it can be mended. */
export function readPhrases(bytes: Uint8Array): ReadPhrases {
  if (bytes.length > MOST_FILE_BYTES) {
    return refused('too-large', 'Файл больше 1 МБ. Разделите его на части и загрузите по одной.');
  }
  const text = decoded(bytes);
  if (text === null) {
    return refused(
      'not-utf8',
      'Не получилось прочитать файл: это не текст в кодировке UTF-8. Сохраните его как TXT (UTF-8) и загрузите снова.',
    );
  }
  const lines = text.split(/\r\n|\r|\n/u).map(tidyPhrase);
  const long = lines.findIndex((line) => [...line].length > MOST_PHRASE_CHARS);
  if (long >= 0) {
    return refused(
      'too-long',
      `Строка ${long + 1} длиннее ${MOST_PHRASE_CHARS} символов: «${[...lines[long]!].slice(0, 30).join('')}…». Сократите её и загрузите файл снова.`,
    );
  }
  const phrases = distinct(lines, (line) => line);
  if (phrases.length === 0) {
    return refused('empty', 'В файле нет ни одной фразы. Нужна одна фраза на строку.');
  }
  if (phrases.length > MOST_UPLOADED) {
    return refused('too-many', `В файле фраз: ${phrases.length}. Можно не больше ${MOST_UPLOADED}.`);
  }
  return { ok: true, phrases };
}

type Refusal = Extract<ReadPhrases, { ok: false }>;

const refused = (reason: Refusal['reason'], userMessage: string): Refusal => ({
  ok: false,
  reason,
  userMessage,
});

/** Null: not UTF-8, or a NUL tells that it is no text at all. The byte order mark is left out by the decoder. */
function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null; // the decoder's only complaint
  }
}
