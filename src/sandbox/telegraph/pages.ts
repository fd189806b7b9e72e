import { randomBytes } from 'node:crypto';
import { slug } from '../../services/content/slug.ts';
import type { Node } from './nodes.ts';

export type Account = { token: string; shortName: string; authorName: string };
export type Page = {
  path: string;
  owner: string;
  title: string;
  authorName: string;
  content: Node[];
  views: number;
  madeAt: Date;
};

/** Everything that was ever put up, as long as the process lives. */
export function createPages(clock: () => Date = () => new Date()) {
  const accounts = new Map<string, Account>();
  const pages = new Map<string, Page>();
  return { openAccount, account: (token: string) => accounts.get(token) ?? null, put, change, page, pagesOf };

  function openAccount(shortName: string, authorName: string): Account {
    const account = { token: randomBytes(30).toString('hex'), shortName, authorName };
    accounts.set(account.token, account);
    return account;
  }

  function put(
    owner: string,
    { title, authorName, content }: Pick<Page, 'title' | 'authorName' | 'content'>,
  ): Page {
    const madeAt = clock();
    const made = { path: freePath(title, madeAt), owner, title, authorName, content, views: 0, madeAt };
    pages.set(made.path, made);
    return made;
  }

  function change(page: Page, changes: Pick<Page, 'title' | 'authorName' | 'content'>): Page {
    return Object.assign(page, changes);
  }

  function page(path: string): Page | null {
    return pages.get(path) ?? null;
  }

  function pagesOf(owner: string): Page[] {
    return [...pages.values()].filter((one) => one.owner === owner).reverse();
  }

  /** `Kak-vybrat-okna-11-16`, and `-2` for the second of the day. */
  function freePath(title: string, day: Date): string {
    const name = slug(title).replace(/^./u, (letter) => letter.toUpperCase()) || 'Page';
    const base = `${name}-${day.toISOString().slice(5, 10)}`;
    let path = base;
    for (let n = 2; pages.has(path); n += 1) path = `${base}-${n}`;
    return path;
  }
}
