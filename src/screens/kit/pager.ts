import { type Link, to } from './link.ts';
import { type Button, button } from './screen.ts';

export const PAGE_SIZE = 8;

export type Page<Item> = { items: Item[]; page: number; pages: number; count: number };

/** Pages count from 1; a page that a deletion has emptied becomes the last one there is. */
export function paginate<Item>(all: readonly Item[], wanted: number): Page<Item> {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, wanted), pages);
  return { items: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), page, pages, count: all.length };
}

/** [◀] [2/5] [▶], and nothing at all for a single page. Telegram takes no empty label, hence the dots. */
export function pagerRows({ page, pages }: Page<unknown>, linkTo: (page: number) => Link): Button[][] {
  if (pages === 1) return [];
  const filler = to('noop');
  return [
    [
      button(page > 1 ? '◀' : '·', page > 1 ? linkTo(page - 1) : filler),
      button(`${page}/${pages}`, filler),
      button(page < pages ? '▶' : '·', page < pages ? linkTo(page + 1) : filler),
    ],
  ];
}
