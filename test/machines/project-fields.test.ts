import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fitsProjectField,
  isCategoryName,
  type ProjectField,
  projectFieldRules,
  projectFields,
  projectFieldValue,
  tidy,
} from '../../machines/project-fields.ts';
import { projectFieldTexts } from '../../src/screens/kit/project-field-labels.ts';

const good: [field: ProjectField, what: string, text: string][] = [
  ['name', 'plain words', 'Цветы на Ленина'],
  ['name', 'two letters', 'аб'],
  ['name', 'a hundred letters', 'я'.repeat(100)],
  ['name', 'the punctuation of ordinary names', 'ООО «Ромашка & Ко» №1'],
  ['name', 'what a phone makes of quotes and dots', 'Дом “Уют” — всё для сада…'],
  ['name', 'stray blanks and a line break', '  Цветы\n на   Ленина '],
  ['name', 'an accent of its own', 'е́жик'],
  ['company_name', 'signs that a title may not have', 'ИП Иванов @ 100%'],
  ['company_name', 'two hundred characters, most of them two units long', `${'🌸'.repeat(199)}я`],
  ['specialization', 'five letters', 'цветы'],
  ['website_url', 'https', 'https://romashka.ru'],
  ['website_url', 'no scheme', 'romashka.ru'],
  ['website_url', 'a Cyrillic domain without a scheme', 'мебель-казань.рф'],
  ['website_url', 'no scheme, but a port', 'romashka.ru:8080/blog'],
  ['website_url', 'capitals, a path, a query', 'HTTP://Romashka.RU/katalog?id=1#top'],
  ['website_url', 'a Cyrillic domain', 'https://ромашка.рф/цветы'],
  ['website_url', 'a port', 'http://romashka.ru:8080'],
  ['website_url', 'an invisible space copied along', '\u200bhttps://romashka.ru\u200b'],
  ['company_phone', 'the usual way', '+7 (843) 123-45-67'],
  ['company_phone', 'blanks only', '8 800 2000 600'],
  ['company_phone', 'a no-break blank and long dashes', '+7\u00a0999\u2011123\u201345\u201367'],
  ['company_phone', 'a short city number', '12345'],
  ['company_email', 'the usual way', 'info@romashka.ru'],
  ['company_email', 'dots, a plus, subdomains', 'a.b+c_d@mail.sub-domain.co.uk'],
  ['company_email', 'a Cyrillic address', 'иван@почта.рф'],
  ['company_email', 'the same, encoded', 'ivan@xn--80a1acny.xn--p1ai'],
  ['company_vk', 'a link', 'https://vk.com/romashka'],
  ['company_telegram', 'a name', '@romashka'],
  ['company_city', 'a short city', 'Уфа'],
  ['advantages', 'two lines', 'Доставка за 2 часа\nГарантия'],
];

const bad: [field: ProjectField, what: string, text: string][] = [
  ['name', 'nothing', ''],
  ['name', 'one letter', 'я'],
  ['name', 'one letter between blanks', ' я '],
  ['name', 'nothing that can be seen', '\u200b\u200b\u200b'],
  ['name', 'a hundred and one letters', 'я'.repeat(101)],
  ['name', 'no word', '--'],
  ['name', 'markup', '<b>Цветы</b>'],
  ['name', 'an emoji', 'Цветы 🌸'],
  ['name', 'underscores', 'цветы_на_ленина'],
  ['name', 'a special character', 'Скидки 100%'],
  ['company_name', 'too long', 'я'.repeat(201)],
  ['company_name', 'no word', '🌸🌸'],
  ['specialization', 'four letters', 'цвет'],
  ['specialization', 'too long', 'я'.repeat(501)],
  ['website_url', 'a word', 'ромашка'],
  ['website_url', 'an emoji', '🌸'],
  ['website_url', 'a mail address', 'info@romashka.ru'],
  ['website_url', 'another scheme', 'ftp://romashka.ru'],
  ['website_url', 'a script', 'javascript:alert(1)'],
  ['website_url', 'no domain', 'https://romashka'],
  ['website_url', 'this machine', 'https://localhost'],
  ['website_url', 'no host', 'https://'],
  ['website_url', 'a slash too many', 'https:///romashka.ru'],
  ['website_url', 'an empty label', 'https://romashka..ru'],
  ['website_url', 'a comma for a dot', 'https://romashka,ru'],
  ['website_url', 'a comma at the end of the host', 'https://romashka.ru,'],
  ['website_url', 'a backslash', 'https://romashka.ru\\katalog'],
  ['website_url', 'a blank inside', 'https://romashka.ru/a b'],
  ['website_url', 'a password', 'https://ivan:secret@romashka.ru'],
  ['website_url', 'an address in brackets', 'https://[::1]/'],
  ['website_url', 'too long', `https://romashka.ru/${'a'.repeat(481)}`],
  ['company_phone', 'three digits', '112'],
  ['company_phone', 'sixteen digits', '1234567890123456'],
  ['company_phone', 'two pluses', '++7 999 1234567'],
  ['company_phone', 'words', 'позвоните'],
  ['company_phone', 'no digits', '()()()'],
  ['company_email', 'no at sign', 'romashka.ru'],
  ['company_email', 'no domain', 'info@romashka'],
  ['company_email', 'two at signs', 'info@@romashka.ru'],
  ['company_email', 'an empty label', 'info@romashka..ru'],
  ['company_email', 'a dot at the end', 'info@romashka.ru.'],
  ['company_email', 'two addresses', 'info@romashka.ru, ivan@romashka.ru'],
  ['company_email', 'a link', 'mailto:info@romashka.ru'],
  ['company_email', 'a name with the address', 'Иван <info@romashka.ru>'],
  ['company_city', 'one letter', 'У'],
  ['description', 'no word', '…'],
  ['description', 'too long', 'я'.repeat(501)],
];

describe('a fact about the business', () => {
  it.each(good)('%s takes %s', (field, _, text) => {
    expect(fitsProjectField(field, text)).toBe(true);
  });

  it.each(bad)('%s refuses %s', (field, _, text) => {
    expect(fitsProjectField(field, text)).toBe(false);
  });

  it.each([
    ['https://romashka.ru/?ysclid=lx3k', 'https://romashka.ru/'],
    ['romashka.ru?utm_source=yandex&page_id=2&utm_medium=cpc#rec7', 'https://romashka.ru?page_id=2'],
    ['romashka.ru/katalog?id=5', 'https://romashka.ru/katalog?id=5'],
  ])('as the site %s is kept as %s', (typed, kept) => {
    expect(projectFieldValue('website_url', typed)).toBe(kept);
  });

  it.each(projectFields)('is asked for with an example that passes: %s', (field) => {
    expect(fitsProjectField(field, projectFieldTexts[field].example)).toBe(true);
  });

  it('may be left empty, except for the three that every article needs', () => {
    expect(projectFields.filter((field) => !projectFieldRules[field].optional)).toEqual([
      'name',
      'company_name',
      'specialization',
    ]);
  });
});

it('a category is named by the rule of a project name', () => {
  expect(isCategoryName('Свадебные букеты')).toBe(true);
  expect(isCategoryName('я')).toBe(false);
});

describe('tidying a text', () => {
  it('keeps what a person can see, including emoji that are joined', () => {
    expect(tidy(' Доставка\t\n цветов 👩‍🌾 ')).toBe('Доставка цветов 👩‍🌾');
  });

  it('drops invisible characters and those that PostgreSQL refuses', () => {
    expect(tidy('Ро\u0000маш\ud800ка\u202e')).toBe('Ромашка');
  });

  it('changes nothing the second time', () => {
    fc.assert(fc.property(anyText, (text) => tidy(tidy(text)) === tidy(text)));
  });
});

describe('what passes', () => {
  const columns = columnLengths('projects');

  it('is measured against the lengths in schema.sql', () => {
    expect(columns).toMatchObject({ name: 255, company_name: 255, website_url: 500, company_city: 255 });
    expect(columns).toMatchObject({ company_phone: 50, company_email: 255, company_vk: 255 });
  });

  it.each(projectFields)('as %s fits its column', (field) => {
    const length = columns[field] ?? Number.POSITIVE_INFINITY;
    expect(projectFieldRules[field].max).toBeLessThanOrEqual(length);
    fc.assert(
      fc.property(textFor(field), (text) => {
        if (!fitsProjectField(field, text)) return;
        const stored = tidy(text);
        expect([...stored].length).toBeLessThanOrEqual(length);
        expect(stored).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(stored).not.toBe('');
        // The stored value is offered for editing again: it must pass as it is.
        expect(fitsProjectField(field, stored)).toBe(true);
      }),
    );
  });
});

const unruly = fc.constantFrom(
  ' ',
  '\n',
  '\u00a0',
  '\u0000',
  '\ud800',
  '\u200b',
  '\u202e',
  '🌸',
  'я',
  'е́',
  '.',
  '@',
  '/',
);
const anyText = fc.string({
  unit: fc.oneof(unruly, fc.string({ unit: 'binary', maxLength: 1 })),
  maxLength: 600,
});

/** Mostly good answers of every length, roughened a little: pure noise would hardly ever pass. */
function textFor(field: ProjectField): fc.Arbitrary<string> {
  const long = (unit: string) => fc.integer({ min: 0, max: 600 }).map((times) => unit.repeat(times));
  const plausible = {
    title: fc.oneof(long('Сад '), long('я')),
    text: fc.oneof(long('Сад 🌸'), long('🌸я'), anyText),
    url: fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      long('я/').map((path) => `https://romashka.ru/${path}`),
    ),
    email: fc.oneof(
      fc.emailAddress(),
      long('a').map((name) => `${name}@romashka.ru`),
    ),
    phone: fc.oneof(
      long('1'),
      long(' (1)').map((digits) => `+${digits}`),
    ),
  }[projectFieldRules[field].format];
  return fc.tuple(plausible, unruly, fc.nat()).map(([text, extra, at]) => {
    const cut = at % (text.length + 1);
    return at % 2 === 0 ? text : text.slice(0, cut) + extra + text.slice(cut);
  });
}

function columnLengths(table: string): Record<string, number> {
  const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
  const [, body = ''] =
    new RegExp(`create table if not exists ${table} \\(([\\s\\S]+?)\\n\\);`, 'u').exec(schema) ?? [];
  return Object.fromEntries(
    [...body.matchAll(/^\s*(\w+)\s+varchar\((\d+)\)/gmu)].map(([, column, length]) => [
      column,
      Number(length),
    ]),
  );
}
