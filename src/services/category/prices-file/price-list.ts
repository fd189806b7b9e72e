import { AppError } from '../../../errors.ts';
import { BULLET } from '../bullet.ts';

/** "Goods — price [— note]", one string for each; joined by line ends it is what a category keeps. */
export type PriceList = {
  lines: string[];
  /** Rows of a table without a price, such as titles of groups: they are left out. */
  skipped: number;
};

/** A row of somebody's table; `number` as their program counts it. */
export type TableRow = { number: number; cells: readonly string[] };

const MOST_ROWS = 1_000;
const MOST_HEADING_ROWS = 5;
/** As many filled rows as it takes to know that there are too many; reading stops there. */
export const ENOUGH_ROWS = MOST_ROWS + MOST_HEADING_ROWS + 1;
const MOST_LINE = 1_000;
const MOST_NAME = 200;
const MOST_PRICE = 100;
const MOST_NOTE = 300;
const MOST_QUOTED = 80;

type PriceListFault = { reason: keyof typeof messages } | { reason: 'bad-line'; line: number; text: string };

export class PriceListRefused extends AppError {
  readonly code = 'PRICE_LIST_REFUSED';
  readonly fault: PriceListFault;
  readonly userMessage: string;
  constructor(fault: PriceListFault, cause?: unknown) {
    super(`a price list was refused: ${fault.reason}`);
    this.fault = fault;
    this.cause = cause;
    this.userMessage = fault.reason === 'bad-line' ? badLine(fault.line, fault.text) : messages[fault.reason];
  }
}

const messages = {
  'too-large': 'Файл слишком большой: можно до 5 МБ. Сократите прайс и пришлите его снова.',
  'too-many-rows': 'В прайсе больше 1 000 товаров. Сократите список и пришлите его снова.',
  'too-much-inside':
    'В файле слишком много данных: картинок, листов или пустых ячеек. Оставьте один лист с прайсом и пришлите его снова.',
  'old-format': 'Это старый формат Excel (.xls). Сохраните таблицу как .xlsx и пришлите её снова.',
  'with-password': 'Файл закрыт паролем. Снимите пароль в Excel и пришлите таблицу снова.',
  'no-workbook': 'Это не таблица Excel, а другой документ. Сохраните прайс как .xlsx и пришлите его снова.',
  pdf: 'Это PDF: цены из него не прочитать. Пришлите таблицу Excel (.xlsx).',
  picture: 'Это картинка: цены с неё не прочитать. Пришлите таблицу Excel (.xlsx) или список текстом.',
  unreadable: 'Не удалось прочитать файл. Пришлите таблицу Excel (.xlsx) или CSV.',
  empty: 'В прайсе нет ни одной строки с ценой. Нужны название и цена каждого товара.',
} as const;

const badLine = (line: number, text: string): string =>
  `Не понимаю строку ${line}: «${shortened(text, MOST_QUOTED)}». ${hintFor(text)}`;

function hintFor(text: string): string {
  if (text.includes(DATE_CELL)) return 'Вместо цены стоит дата: поменяйте формат ячейки на числовой.';
  if (text.includes(ERROR_CELL)) return 'Формула в ячейке с ценой не посчиталась: впишите вместо неё число.';
  const [name, price] = splitLine(text);
  if (name && price && !isPrice(price))
    return `Цену нужно назвать числом, например: ${shortened(name, MOST_QUOTED)} — 1 500 ₽. Подойдёт и «по запросу» или «бесплатно».`;
  return 'Нужно так: Название — Цена.';
}

/** What stands for such a cell of a workbook. No digits: they must not pass for a price. */
export const DATE_CELL = '#ДАТА';
export const ERROR_CELL = '#ОШИБКА';

/** A list that a person typed. */
export function readPriceText(text: string): PriceList {
  const lines = text
    .split(/\r\n?|\n/u)
    .map((line, i) => ({ number: i + 1, line: line.trim() }))
    .filter(({ line }) => line !== '');
  return listOf(lines, ({ number, line }) => goodsOf(number, splitLine(line), line), 0);
}

/** A list from a table. A title and the names of the columns may stand above it. */
export function readPriceRows(table: readonly TableRow[]): PriceList {
  const { below, columns } = columnsOf(table);
  const rows = below
    .map(({ number, cells }) => ({ number, cells: columns.map((at) => oneLine(cells[at] ?? '')) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  // A cell that went wrong is no name of a column: the row is goods whose price has to be mended.
  const first = rows.findIndex(({ cells: [, price = ''] }) => isPrice(price) || wentWrong(price));
  rows.splice(0, Math.min(first === -1 ? rows.length : first, MOST_HEADING_ROWS));
  const priced = rows.filter(({ cells: [, price = ''] }) => price !== '');
  const told = (cells: string[]) => cells.filter(Boolean).join(' — ');
  return listOf(
    priced,
    ({ number, cells }) => goodsOf(number, isPrice(cells[1]!) ? priceSecond(cells) : cells, told(cells)),
    rows.length - priced.length,
  );
}

/**
 * Where names, prices and notes are: under the names of the columns, as lists from accounting have article numbers
 * first, or in A, B and C, as asked for.
 */
function columnsOf(table: readonly TableRow[]) {
  for (const [row, { cells }] of table.slice(0, MOST_HEADING_ROWS).entries()) {
    const columns = columnNames.map((known) => cells.findIndex((cell) => known.test(cell.trim())));
    const [name, price] = columns;
    // «Услуги грузчиков — 500 — цена за час» is goods.
    const isHeading = name !== -1 && price !== -1 && !cells.some((cell) => isSum(cell.trim()));
    if (isHeading) return { columns, below: table.slice(row + 1) };
  }
  return { columns: [0, 1, 2], below: table };
}

const columnNames = [
  /^(?:наимен|назван|номенкл|товар|услуг|позиция)/iu,
  /^(?:цена|стоимость|тариф)/iu,
  /^(?:описание|примеч|коммент)/iu,
];

function listOf<Row>(rows: readonly Row[], goods: (row: Row) => string, skipped: number): PriceList {
  if (rows.length === 0) throw new PriceListRefused({ reason: 'empty' });
  if (rows.length + skipped > MOST_ROWS) throw new PriceListRefused({ reason: 'too-many-rows' });
  return { lines: rows.map(goods), skipped };
}

/** Name, price and note of a stored line. */
export const fieldsOf = (line: string): string[] => line.split(' — ');

function goodsOf(
  line: number,
  [called = '', price = '', note = '']: readonly string[],
  text: string,
): string {
  // Refused for its length below: over megabytes of dashes the pattern may run out of the stack.
  const name = called.length > MOST_LINE ? called : called.replace(BULLET, '');
  const usable = name !== '' && isPrice(price) && name.length <= MOST_NAME && price.length <= MOST_PRICE;
  if (!usable) throw new PriceListRefused({ reason: 'bad-line', line, text });
  return [name, price, shortened(note, MOST_NOTE)].filter(Boolean).join(' — ');
}

const PRICE_IN_WORDS = '(?:бесплатно|договорная|по договор|по запросу|уточн)';
const CURRENCY = '(?:₽|р(?:уб)?(?![а-я]))';

const isPrice = (text: string): boolean => new RegExp(`\\d|^${PRICE_IN_WORDS}`, 'iu').test(text);
const wentWrong = (cell: string): boolean => [DATE_CELL, ERROR_CELL].includes(cell);

/** Nothing but a price: «от 1 500 ₽», «1500-2000», «300 руб/м²». */
const isSum = (text: string): boolean =>
  new RegExp(`^(?:(?:от |до )?\\d[\\d\\s.,–-]*(?:(?:${CURRENCY}|/|за ).*)?$|${PRICE_IN_WORDS})`, 'iu').test(
    text,
  );

/** From the surest to the least: a hyphen is as often a part of the name. */
const separators = [/\s+—\s+/u, /\t+/u, /\s+–\s+/u, /\s+-\s+/u, /\s*—\s*/u];
/** «Монтаж 3 000 руб.», «Стрижка-500 р»: without a currency it may be the number of a model. */
const SUM_BEHIND = new RegExp(
  `^(.+?)[\\s:–-]+((?:от |до )?(?:\\d{1,3}(?:\\s\\d{3})+|\\d+)(?:[.,]\\d+)?\\s*${CURRENCY}.*)$`,
  'iu',
);
const COLON = /\s*:\s+/u;

function splitLine(line: string): string[] {
  if (line.length > MOST_LINE) return [line];
  const splits = separators.map((separator) => line.split(separator));
  return priceSecond(
    splits.find(({ length }) => length > 1) ?? SUM_BEHIND.exec(line)?.slice(1) ?? line.split(COLON),
  );
}

/** The name may hold the separator too, so the price is the first part after it that is a sum, or else holds one. */
function priceSecond(cells: string[]): string[] {
  const parts = cells.map(oneLine);
  const [sum, price] = [isSum, isPrice].map((fits) => parts.findIndex((part, i) => i > 0 && fits(part)));
  const at = sum === -1 ? price! : sum!;
  if (at === -1) return parts;
  const [name, note] = [parts.slice(0, at), parts.slice(at + 1)].map((some) =>
    some.filter(Boolean).join(' - '),
  );
  return [name!, parts[at]!, note!];
}

/** The long dash parts the fields, so inside one it becomes a short one. */
const oneLine = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/(?<=^| )—(?= |$)/gu, '-')
    .trim();

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
