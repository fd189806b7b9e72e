/** Where searches are counted, and by whom. Two suppliers number their places in ways that do not meet. The one table. */

type Market = { supplier: 'Google' | 'Яндекс'; place: string };

const google = (place: string): Market => ({ supplier: 'Google', place });
const yandex = (place: string): Market => ({ supplier: 'Яндекс', place });

export const RUSSIA = 225;

export const markets: Readonly<Record<number, Market>> = {
  // Countries whose Russian searches Google's numbers tell of; there are none for Russia itself.
  2804: google('Украина'),
  2398: google('Казахстан'),
  [RUSSIA]: yandex('Россия'),
  213: yandex('Москва'),
  2: yandex('Санкт-Петербург'),
  54: yandex('Екатеринбург'),
  65: yandex('Новосибирск'),
  47: yandex('Нижний Новгород'),
  43: yandex('Казань'),
  51: yandex('Самара'),
  56: yandex('Челябинск'),
  66: yandex('Омск'),
  39: yandex('Ростов-на-Дону'),
  172: yandex('Уфа'),
  62: yandex('Красноярск'),
  193: yandex('Воронеж'),
  50: yandex('Пермь'),
  38: yandex('Волгоград'),
  35: yandex('Краснодар'),
};

export const isYandexMarket = (market: number | null | undefined): market is number =>
  typeof market === 'number' && markets[market]?.supplier === 'Яндекс';

const shortNames: Readonly<Record<string, number>> = { спб: 2, питер: 2, мск: 213 };

/** Yandex counts in cities too: the one that a person names, or all of Russia. */
export function yandexRegionOf(place: string): number {
  const said = place.toLowerCase().replaceAll('ё', 'е');
  const found = Object.entries(markets).find(
    ([, { supplier, place: name }]) =>
      supplier === 'Яндекс' && name !== 'Россия' && said.includes(name.toLowerCase()),
  );
  if (found) return Number(found[0]);
  const short = said.match(/\p{L}+/gu)?.find((word) => Object.hasOwn(shortNames, word));
  return short === undefined ? RUSSIA : shortNames[short]!;
}

/** «Яндекс, Казань» or «Google, Украина (русский язык)». */
export function marketTitle(market: number): string {
  const { supplier, place } = markets[market] ?? google('другая страна');
  return supplier === 'Google' ? `${supplier}, ${place} (русский язык)` : `${supplier} Вордстат, ${place}`;
}
