import { decodeEntities } from '../../services/posts/entities.ts';

// Bounded, because a page of opening brackets alone would make an open end quadratic.
const META = /<meta\s[^>]{1,2000}>/giu;
const LONGEST_HEAD = 300_000;
const NAME = /\sname\s*=\s*(["']?)description\1(?=[\s/>])/iu;
const CONTENT = /\scontent\s*=\s*(?:"([^"]*)"|'([^']*)')/iu;

/** What the head of a page says in `<meta name="description">`; null where it says nothing. */
export function describedIn(html: string): string | null {
  const top = html.slice(0, LONGEST_HEAD);
  const end = top.search(/<\/head>/iu);
  const tags = top.slice(0, end === -1 ? undefined : end).match(META) ?? [];
  const tag = tags.find((each) => NAME.test(each));
  const [, double, single] = (tag && CONTENT.exec(tag)) || [];
  const text = decodeEntities(double ?? single ?? '').trim();
  return text === '' ? null : text;
}
