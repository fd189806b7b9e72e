/** `plural(3, 'проект', 'проекта', 'проектов')` → «3 проекта», with thin spaces in large numbers. */
export function plural(count: number, one: string, few: string, many: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, few, many };
  return `${number(count)} ${forms[pluralRules.select(Math.abs(count))] ?? few}`;
}

/** 2450 → «2 450» with a thin space; −5 with a minus, which a hyphen is not. */
export const number = (value: number): string =>
  String(value)
    .replace(/\B(?=(?:\d{3})+$)/gu, '\u2009')
    .replace('-', '−');

/** «кухни на заказ» → «Кухни на заказ». */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** DD.MM.YYYY as the calendar stands in that zone. */
export const date = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('ru-RU', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' }).format(
    at,
  );

/** «18.11, 14:05», as the owner reads it. */
export const moscowTime = (at: Date): string =>
  new Intl.DateTimeFormat('ru-RU', {
    ...{ timeZone: 'Europe/Moscow', day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' },
  }).format(at);

export const tokens = (count: number): string => plural(count, 'токен', 'токена', 'токенов');

/** Behind «не больше», «до», «около», «от»: «21 токена», «302 токенов». */
export const ofTokens = (count: number): string => plural(count, 'токена', 'токенов', 'токенов');

/** «Списан 21 токен», «Списано 40 токенов». */
export const tokensCharged = (count: number): string => agreed(count, 'Списан', 'Списано');

/** «Вернулся 1 токен», «Вернулось 22 токена». */
export const tokensReturned = (count: number): string => agreed(count, 'Вернулся', 'Вернулось');

const agreed = (count: number, one: string, many: string): string =>
  `${pluralRules.select(count) === 'one' ? one : many} ${tokens(count)}`;

const pluralRules = new Intl.PluralRules('ru');
