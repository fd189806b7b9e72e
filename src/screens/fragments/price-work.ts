import type { Failure } from '../../../machines/failure.ts';
import type { PriceSlice, PricesSaved } from '../../../machines/fragments/price-work.ts';
import { plural } from '../../russian.ts';
import { trouble } from '../kit/money.ts';
import { workingOnIt } from '../kit/save-step.ts';
import { type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

type Face = {
  head?: (slice: PriceSlice) => RichText;
  /** The rows below each question. */
  ways: Keyboard;
};

const ownHead = ({ prices: { category } }: PriceSlice): RichText =>
  rich`<b>Цены</b> · ${category!.categoryName}`;

/** The ways in which a price list can be sent. `either` asks for both at once. */
export function priceScreens({ head = ownHead, ways }: Face) {
  return {
    text: (slice) => question(slice, complaints.text, textRules(slice)),
    file: (slice) => question(slice, complaints.file, fileRules(slice)),
    either: (slice) =>
      question(
        slice,
        complaints.text,
        paragraphs(
          goodsLines(slice.prices.category!),
          rich`Пришлите список сообщением, по товару на строке: <b>Название — Цена — Описание</b> (описание не обязательно). Или файл Excel (.xlsx): колонки A — название, B — цена, C — описание.`,
        ),
      ),
    reading: () => workingOnIt(rich`Читаю прайс…`),
  } satisfies Record<string, (slice: PriceSlice) => Screen>;

  function question(slice: PriceSlice, format: string, ask: RichText): Screen {
    const { failure } = slice;
    return {
      ...(failure && { complaint: refusedBecause(failure, format) }),
      text: paragraphs(head(slice), ask),
      keyboard: ways,
    };
  }
}

/** The specification's sentences; what exactly is wrong follows them. */
const complaints = {
  text: 'Формат: Товар — Цена (каждый с новой строки)',
  file: 'Загрузите Excel (.xlsx), макс. 1000 строк, 5 МБ',
} as const;

/** Codes of errors that are about what was sent, and not about us. */
const aboutTheList = ['PRICE_LIST_REFUSED', 'FILE_TOO_LARGE', 'WRONG_FILE'];

const refusedBecause = (failure: Failure, format: string): RichText =>
  lines(aboutTheList.includes(failure.code) && rich`${format}`, trouble(failure));

const textRules = ({ prices }: PriceSlice): RichText =>
  paragraphs(
    lines(
      rich`Пришлите список: каждый товар с новой строки, название и цена через тире. Описание добавьте третьим, если нужно.`,
      rich`<i>Например:</i>`,
      rich`<i>Букет невесты — 5 000 ₽ — с лентой под платье</i>`,
      rich`<i>Бутоньерка — 700 ₽</i>`,
    ),
    rich`Не помещается в одно сообщение? Пришлите файл Excel (.xlsx).`,
    replaces(prices.category!.count),
  );

const fileRules = ({ prices }: PriceSlice): RichText =>
  paragraphs(
    rich`Пришлите файл Excel (.xlsx): колонка A — название, B — цена, C — описание, если нужно. До 1 000 товаров и 5 МБ.`,
    replaces(prices.category!.count),
  );

const replaces = (count: number): RichText | false =>
  count > 0 && rich`Новый список заменит прежний (${goodsCount(count)}).`;

export const goodsLines = ({ count, first }: { count: number; first: readonly string[] }): RichText =>
  count === 0
    ? rich`Цен пока нет. С ними статьи и посты называют настоящие суммы, а не выдуманные.`
    : lines(
        rich`Всего: ${goodsCount(count)}.`,
        ...first.map((line) => rich`• ${line}`),
        count > first.length && rich`… и ещё ${goodsCount(count - first.length)}`,
      );

export const pricesSavedNotice = ({ count, skipped }: PricesSaved): RichText =>
  lines(
    rich`Цены сохранены: ${goodsCount(count)}.`,
    skipped > 0 && rich`Без цены и потому пропущено: ${plural(skipped, 'строка', 'строки', 'строк')}.`,
  );

const goodsCount = (count: number): string => plural(count, 'позиция', 'позиции', 'позиций');
