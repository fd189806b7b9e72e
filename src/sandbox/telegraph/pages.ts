import { randomBytes } from 'node:crypto';
import { slug } from '../../services/content/slug.ts';
import type { Journal } from '../journal.ts';
import type { Node } from './nodes.ts';

export type Account = { token: string; shortName: string; authorName: string };
export type Page = {
  path: string;
  owner: string;
  title: string;
  authorName: string;
  content: Node[];
  views: number;
  /** ISO 8601. */
  madeAt: string;
};

/** Everything that was ever put up. */
export function createPages(journal: Journal, clock: () => Date = () => new Date()) {
  const accounts = journal.table<Account>('accounts');
  const pages = journal.table<Page>('pages');
  return { openAccount, account: (token: string) => accounts.get(token) ?? null, put, change, page, pagesOf };

  function openAccount(shortName: string, authorName: string): Account {
    const account = { token: randomBytes(30).toString('hex'), shortName, authorName };
    accounts.put(account.token, account);
    return account;
  }

  function put(
    owner: string,
    { title, authorName, content }: Pick<Page, 'title' | 'authorName' | 'content'>,
  ): Page {
    const now = clock();
    const made = {
      path: freePath(title, now),
      owner,
      title,
      authorName,
      content,
      views: 0,
      madeAt: now.toISOString(),
    };
    pages.put(made.path, made);
    return made;
  }

  function change(
    page: Page,
    changes: Partial<Pick<Page, 'title' | 'authorName' | 'content' | 'views'>>,
  ): Page {
    const changed = { ...page, ...changes };
    pages.put(page.path, changed);
    return changed;
  }

  function page(path: string): Page | null {
    return pages.get(path) ?? null;
  }

  function pagesOf(owner: string): Page[] {
    return pages
      .values()
      .filter((one) => one.owner === owner)
      .reverse();
  }

  /** `Kak-vybrat-okna-11-16`, and `-2` for the second of the day. */
  function freePath(title: string, day: Date): string {
    const name = slug(title).replace(/^./u, (letter) => letter.toUpperCase()) || 'Page';
    const base = `${name}-${day.toISOString().slice(5, 10)}`;
    let path = base;
    for (let n = 2; pages.get(path) !== undefined; n += 1) path = `${base}-${n}`;
    return path;
  }
}
