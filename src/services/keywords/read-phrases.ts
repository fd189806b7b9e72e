import { type FileKind, fileKind } from '../../clients/file-kind.ts';
import { AppError } from '../../errors.ts';
import { BULLET } from '../category/bullet.ts';
import { type DecodedText, decodeText } from '../category/decode-text.ts';
import { delimiterOf, readCsv } from '../category/prices-file/read-csv.ts';
import { distinct, MOST_PHRASE_CHARS, tidyPhrase } from './phrase-text.ts';

export const MOST_FILE_BYTES = 1024 * 1024;
export const MOST_UPLOADED = 500;

export type ReadPhrases = { phrases: string[]; encoding: DecodedText['encoding'] };

export class PhrasesRefused extends AppError {
  readonly code = 'PHRASES_REFUSED';
  readonly reason: Reason;
  readonly userMessage: string;
  constructor(reason: Reason, userMessage: string) {
    super(`a list of phrases was refused: ${reason}`);
    this.reason = reason;
    this.userMessage = userMessage;
  }
}

type Reason = 'too-large' | 'no-text' | 'empty' | 'too-many' | 'too-long';

/** A TXT file of a person: a phrase on each line. What is wrong with it is said exactly, so that it can be mended. */
export function readPhraseFile(bytes: Uint8Array): ReadPhrases {
  if (bytes.length > MOST_FILE_BYTES)
    throw new PhrasesRefused('too-large', 'Файл больше 1 МБ. Разделите его на части и загрузите по одной.');
  const kind = fileKind(Buffer.from(bytes));
  const otherKind = otherKinds[kind];
  if (otherKind) throw new PhrasesRefused('no-text', `${otherKind} Нужен текстовый файл (.txt).`);
  const decoded = decodeText(bytes);
  const isText = decoded?.encoding !== 'windows-1251' || kind === 'text';
  if (!decoded || !isText)
    throw new PhrasesRefused(
      'no-text',
      'Не получилось прочитать файл: внутри не текст. Сохраните список как TXT (UTF-8) и загрузите снова.',
    );
  return { phrases: readPhraseText(decoded.text), encoding: decoded.encoding };
}

/** The same list as a person pastes it. */
export function readPhraseText(text: string): string[] {
  const lines = (columnIn(text) ?? text.split(/\r\n|\r|\n/u)).map(phraseIn);
  const long = lines.findIndex((line) => [...line].length > MOST_PHRASE_CHARS);
  if (long >= 0)
    throw new PhrasesRefused(
      'too-long',
      `Строка ${long + 1} длиннее ${MOST_PHRASE_CHARS} символов: «${[...lines[long]!].slice(0, 30).join('')}…». Сократите её и пришлите список снова.`,
    );
  const phrases = distinct(lines.filter(isPhrase), (line) => line);
  if (phrases.length === 0)
    throw new PhrasesRefused('empty', 'В списке нет ни одной фразы. Нужна одна фраза на строку.');
  if (phrases.length > MOST_UPLOADED)
    throw new PhrasesRefused(
      'too-many',
      `В списке фраз: ${phrases.length}. Можно не больше ${MOST_UPLOADED}.`,
    );
  return phrases;
}

/** Phrases of a table that names its columns, such as our own CSV. The head stays as an empty line, for the count. */
function columnIn(text: string): string[] | null {
  const [head = ''] = text.split(/[\r\n]/u, 1);
  const delimiter = delimiterOf(head);
  if (delimiter === null) return null;
  const names = readCsv(head, delimiter)[0]?.cells ?? [];
  const column = names.findIndex((name) => PHRASE_COLUMN.test(name.trim()));
  if (column === -1) return null;
  return [
    '',
    ...readCsv(text, delimiter)
      .slice(1)
      .map(({ cells }) => cells[column] ?? ''),
  ];
}

const PHRASE_COLUMN = /^(?:(?:ключевая )?фраза|(?:поисковый )?запрос)$/iu;

const otherKinds: Partial<Record<FileKind, string>> = {
  zip: 'Это таблица Excel или другой документ.',
  pdf: 'Это PDF.',
  jpeg: 'Это картинка.',
  png: 'Это картинка.',
  webp: 'Это картинка.',
  gif: 'Это картинка.',
  ogg: 'Это голосовое сообщение.',
};

/** Lists come with bullets and numbers, and from statistics with a count behind the phrase. */
function phraseIn(line: string): string {
  const phrase = tidyPhrase(line.replace(COUNT_BEHIND, '').replace(QUOTED, '$1')).replace(BULLET, '');
  // Until nothing is left to strip: a list that was read, written down and read again is the same list.
  return phrase === line ? phrase : phraseIn(phrase);
}

const COUNT_BEHIND = /[\t;]\s*[\d\s]*$/u;
const QUOTED = /^\s*"([^"]*)"\s*$/u;

const isPhrase = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);
