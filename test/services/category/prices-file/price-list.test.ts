import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PriceListRefused, readPriceText } from '../../../../src/services/category/prices-file/price-list.ts';

const refusal = (text: string): PriceListRefused => {
  try {
    readPriceText(text);
  } catch (error) {
    if (error instanceof PriceListRefused) return error;
    throw error;
  }
  throw new Error('it was taken');
};

describe('a typed price list', () => {
  it.each([
    ['Стол — 1500', 'Стол — 1500'],
    ['  Стол  —  1 500 ₽ — дуб — массив ', 'Стол — 1 500 ₽ — дуб - массив'],
    ['Стол – от 1500', 'Стол — от 1500'],
    ['Стол - 1500', 'Стол — 1500'],
    ['Стол—1500', 'Стол — 1500'],
    ['Стол\t1500', 'Стол — 1500'],
    ['Диван-кровать - 25 000', 'Диван-кровать — 25 000'],
    ['Кресло — мешок — 5000 — синее', 'Кресло - мешок — 5000 — синее'],
    ['Выезд мастера — бесплатно', 'Выезд мастера — бесплатно'],
    ['Проект — по запросу', 'Проект — по запросу'],
    ['Монтаж 3 000 руб.', 'Монтаж — 3 000 руб.'],
    ['Уборка 2 комнат от 1500р', 'Уборка 2 комнат — от 1500р'],
    ['Ламинат 1 200 ₽/м²', 'Ламинат — 1 200 ₽/м²'],
    ['Стрижка-500 руб', 'Стрижка — 500 руб'],
    ['Доставка: по городу 300 ₽', 'Доставка: по городу — 300 ₽'],
    ['Маникюр: 1500', 'Маникюр — 1500'],
    ['Замер: бесплатно', 'Замер — бесплатно'],
    ['• Стол — 1500', 'Стол — 1500'],
    ['2. Стол — 1500', 'Стол — 1500'],
    ['Окно — 12 месяцев гарантии — 5 000 ₽ — белое', 'Окно - 12 месяцев гарантии — 5 000 ₽ — белое'],
    ['Шкаф - 2 м - 15000', 'Шкаф - 2 м — 15000'],
    ['Балкон — 12 000–15 000 руб — под ключ', 'Балкон — 12 000–15 000 руб — под ключ'],
  ])('has %j understood', (line, goods) => {
    expect(readPriceText(line)).toEqual({ lines: [goods], skipped: 0 });
  });

  it('has its first bad line named, as the person counts', () => {
    const { fault, userMessage } = refusal('Стол — 1500\n\nСтул\nШкаф');
    expect(fault).toEqual({ reason: 'bad-line', line: 3, text: 'Стул' });
    expect(userMessage).toBe('Не понимаю строку 3: «Стул». Нужно так: Название — Цена.');
  });

  it('has a price in words refused with what a price needs', () => {
    expect(refusal('Стол — 1500\nПолка — дорого').userMessage).toBe(
      'Не понимаю строку 2: «Полка — дорого». Цену нужно назвать числом, например: Полка — 1 500 ₽. Подойдёт и «по запросу» или «бесплатно».',
    );
  });

  it.each([
    'Стол — дорого',
    '— 1500',
    'Стол —',
    'Танк Т-34',
    'Айфон 15',
    '3000 руб',
    `${'Стол'.repeat(60)} — 1500`,
    `Стол — ${'1'.repeat(101)}`,
  ])('has %j refused', (line) => {
    expect(refusal(line).fault).toMatchObject({ reason: 'bad-line', line: 1 });
  });

  it('has a long bad line quoted in short', () => {
    expect(refusal('слово '.repeat(500)).userMessage.length).toBeLessThan(160);
  });

  it('has a long note cut', () => {
    const [line] = readPriceText(`Стол — 1500 — ${'дуб '.repeat(200)}`).lines;
    expect(line!.length).toBeLessThan(330);
    expect(line).toMatch(/дуб…$/u);
  });

  it('is refused when nothing is in it, and when more than a thousand goods are', () => {
    expect(refusal(' \n\n').fault).toEqual({ reason: 'empty' });
    expect(refusal('Стол — 1500\n'.repeat(1_001)).fault).toEqual({ reason: 'too-many-rows' });
  });

  it('read again is the same list', () => {
    const word = fc.stringMatching(/^[А-Яа-яё]{1,10}( [а-яё]{1,8}){0,3}$/u);
    const goods = fc.tuple(word, fc.nat(1_000_000), fc.option(word, { nil: null }));
    fc.assert(
      fc.property(fc.array(goods, { minLength: 1, maxLength: 30 }), (list) => {
        const typed = list.map((parts) => parts.filter((part) => part !== null).join(' — ')).join('\n');
        const { lines } = readPriceText(typed);
        expect(lines).toHaveLength(list.length);
        expect(readPriceText(lines.join('\n')).lines).toEqual(lines);
      }),
    );
  });
});
