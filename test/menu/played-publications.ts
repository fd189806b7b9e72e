import type { PublicationsData } from '../../src/menu/publications.ts';
import type { PublicationItem } from '../../src/screens/pages/publications.ts';

const item = (id: number, more: Partial<PublicationItem>): PublicationItem => ({
  of: 'log',
  id,
  isArticle: more.of !== 'post',
  platform: more.of === 'post' ? 'telegram' : 'wordpress',
  status: 'published',
  title: null,
  keyword: `букет <${id}>`,
  place: 'romashka.ru',
  url: `https://romashka.ru/buket-${id}`,
  error: null,
  rank: id,
  at: '2026-11-18T06:00:00Z',
  tokens: 290,
  refund: 290,
  categoryId: 9,
  connectionId: 3,
  ...more,
});

/** One of each kind, and enough published for a second page. */
const everyKind: PublicationItem[] = [
  item(1, { of: 'article', status: 'waiting', title: 'Букет невесты <и платье>', url: null }),
  item(2, { of: 'article', status: 'unknown', title: 'Пионы', url: null }),
  item(2, { of: 'post', status: 'unknown', title: 'Скидки', url: null }),
  item(3, { of: 'article', status: 'publishing', title: 'Розы', url: null }),
  item(2, { status: 'failed', url: null, error: 'Сайт не ответил & замолчал' }),
  item(4, { status: 'failed', url: null, categoryId: null, place: null }),
  ...Array.from({ length: 9 }, (_, n) => item(10 + n, n === 0 ? { url: null } : {})),
];

export const playedPublications = (owner: number, project: number): PublicationsData => ({
  list: async (userId, id) =>
    userId === owner && id === project
      ? { projectName: 'Ромашка', timezone: 'Europe/Moscow', items: everyKind }
      : null,
  projectOf: async (userId, of, id) =>
    userId === owner && everyKind.some((each) => each.of === of && each.id === id) ? project : null,
});
