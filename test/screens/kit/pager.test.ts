import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { to } from '../../../src/screens/kit/link.ts';
import { pagerRows, paginate } from '../../../src/screens/kit/pager.ts';

const items = (count: number) => Array.from({ length: count }, (_, index) => index);
const rows = (count: number, page: number) =>
  pagerRows(paginate(items(count), page), (n) => to('page:projects:{n}', { n }))
    .flat()
    .map((each) => [each.label, 'link' in each ? (each.link.params.n ?? each.link.pattern) : null]);

describe('a list', () => {
  it('of eight needs no pager', () => {
    expect(paginate(items(8), 1)).toMatchObject({ pages: 1, count: 8 });
    expect(rows(8, 1)).toEqual([]);
  });

  it('of nine has two pages', () => {
    expect(paginate(items(9), 1).items).toEqual(items(8));
    expect(paginate(items(9), 2).items).toEqual([8]);
    expect(rows(9, 1)).toEqual([
      ['·', 'noop'],
      ['1/2', 'noop'],
      ['▶', 2],
    ]);
    expect(rows(9, 2)).toEqual([
      ['◀', 1],
      ['2/2', 'noop'],
      ['·', 'noop'],
    ]);
  });

  it('leads both ways from the middle', () => {
    expect(rows(24, 2)).toEqual([
      ['◀', 1],
      ['2/3', 'noop'],
      ['▶', 3],
    ]);
  });

  it('of nothing has one empty page', () => {
    expect(paginate([], 1)).toEqual({ items: [], page: 1, pages: 1, count: 0 });
  });

  it('shows the last page there is when a deletion has emptied the one asked for', () => {
    expect(paginate(items(8), 2)).toMatchObject({ page: 1, items: items(8) });
    expect(paginate(items(9), 2_147_483_647)).toMatchObject({ page: 2, items: [8] });
    expect(paginate(items(9), 0)).toMatchObject({ page: 1 });
  });

  it('shows every item on exactly one page, and no button without a label', () => {
    fc.assert(
      fc.property(fc.nat(100), (count) => {
        const { pages } = paginate(items(count), 1);
        const all = Array.from({ length: pages }, (_, page) => paginate(items(count), page + 1).items);
        expect(all.flat()).toEqual(items(count));
        for (let page = 1; page <= pages; page += 1)
          for (const [label] of rows(count, page)) expect(String(label).trim()).not.toBe('');
      }),
    );
  });
});
