import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Journal } from '../journal.ts';
import type { Media, Plugin, Post, Role, SiteSettings, Taxonomy, Term, User } from './wire.ts';

export type NewUser = { login: string; name: string; role: Role; email?: string; appPasswords?: string[] };

export type Site = ReturnType<typeof openSite>;

const DEFAULTS: SiteSettings = {
  title: 'Сайт на WordPress',
  pages: [],
  seo: 'none',
  themeDescribes: false,
  plugins: 'installed',
  installMs: 0,
  rest: 'on',
  permalinks: 'pretty',
  applicationPasswords: true,
  authorization: 'kept',
  wrongPassword: 'named',
  unfilteredHtml: true,
  unknownMeta: 'dropped',
  mostUploadBytes: 8 * 1024 * 1024,
  rootFiles: {},
  uploadMs: 0,
};

/** The default users. The passwords are visibly worth nothing. */
export const DEFAULT_USERS: readonly NewUser[] = [
  {
    login: 'admin',
    name: 'Анна Петрова',
    role: 'administrator',
    appPasswords: ['sand boxa dmin pass word 0001'],
  },
  { login: 'author', name: 'Олег Смирнов', role: 'author', appPasswords: ['sand boxa utho rpas swor 0002'] },
];

/** One WordPress: its people, posts, pictures and terms, kept in a journal and a folder beside it. */
export function openSite(
  journal: Journal,
  { path, settings = {}, users: people, folder }: SiteOptions & { path: string; folder: string | null },
) {
  const table = <Row>(name: string) => journal.table<Row>(`${path}/${name}`);
  const users = table<User>('users');
  const passwords = table<{ login: string; password: string }>('passwords');
  const posts = table<Post>('posts');
  const media = table<Media>('media');
  const terms = table<Term>('terms');
  const ids = table<number>('ids');
  const plugins = table<Plugin>('plugins');
  const inMemory = new Map<string, Buffer>();
  const current: SiteSettings = { ...DEFAULTS, ...settings };
  if (users.values().length === 0) for (const person of people ?? DEFAULT_USERS) addUser(person);
  return {
    path,
    settings: current,
    users,
    posts,
    media,
    terms,
    plugins,
    seoPlugin,
    change: (changes: Partial<SiteSettings>) => Object.assign(current, changes),
    nextId,
    addUser,
    issuePassword,
    hasPasswords: () => passwords.values().length > 0,
    opens,
    keepFile,
    readFile,
    term,
    freeSlug,
  };

  /** What its owner has set up, or what was installed over the API. */
  function seoPlugin(): SiteSettings['seo'] {
    const installed = plugins.get('wp-seopress/seopress');
    return current.seo === 'none' && installed?.status === 'active' ? 'seopress' : current.seo;
  }

  /** Posts and pictures count together; an id is never given twice. */
  function nextId(): number {
    const id = (ids.get('last') ?? 0) + 1;
    ids.put('last', id);
    return id;
  }

  function addUser({ login, name, role, email = `${login}@example.org`, appPasswords = [] }: NewUser): User {
    const user = { id: users.values().length + 1, login, name, email, role };
    users.put(login, user);
    for (const password of appPasswords)
      passwords.put(`${login}:${bare(password)}`, { login, password: bare(password) });
    return user;
  }

  /** Six groups of four, as WordPress shows it. */
  function issuePassword(login: string): string {
    const password = Array.from({ length: 24 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    passwords.put(`${login}:${password}`, { login, password });
    return password.replace(/(.{4})(?=.)/gu, '$1 ');
  }

  function opens(login: string, password: string): boolean {
    return passwords.get(`${login}:${bare(password)}`) !== undefined;
  }

  function keepFile(file: string, bytes: Buffer): void {
    if (folder === null) inMemory.set(file, bytes);
    else {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), bytes);
    }
  }

  function readFile(file: string): Buffer | null {
    const known = media.values().some((one) => one.file === file);
    if (!known) return null;
    return folder === null ? (inMemory.get(file) ?? null) : readFileSync(join(folder, file));
  }

  function term(taxonomy: Taxonomy, name: string): Term | undefined {
    const wanted = name.toLowerCase();
    return terms.values().find((one) => one.taxonomy === taxonomy && one.name.toLowerCase() === wanted);
  }

  /** Drafts may share a slug; what is published, or a file, may not. */
  function freeSlug(wanted: string, taken: readonly { id: number; slug: string }[], id: number): string {
    const isTaken = (slug: string) => taken.some((one) => one.slug === slug && one.id !== id);
    let slug = wanted;
    for (let n = 2; isTaken(slug); n += 1) slug = `${wanted}-${n}`;
    return slug;
  }
}

export type SiteOptions = { settings?: Partial<SiteSettings>; users?: readonly NewUser[] };

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const bare = (password: string): string => password.replace(/[^a-z0-9]/giu, '');
