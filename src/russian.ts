/** `plural(3, 'проект', 'проекта', 'проектов')` → «3 проекта», with thin spaces in large numbers. */
export function plural(count: number, one: string, few: string, many: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, few, many };
  return `${number(count)} ${forms[pluralRules.select(Math.abs(count))] ?? few}`;
}

/** 2450 → «2 450» with a thin space. */
export const number = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/gu, '\u2009');

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

const pluralRules = new Intl.PluralRules('ru');
