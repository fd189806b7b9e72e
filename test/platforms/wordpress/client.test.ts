import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { listen } from '../../../src/http/server.ts';
import { createWordPress } from '../../../src/platforms/wordpress/client.ts';
import { WordPressFailed } from '../../../src/platforms/wordpress/client-failed.ts';
import { startWordPressStandIn, type WordPressStandIn } from '../../../src/sandbox/wordpress/start.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';

const appPassword = 'abcd efgh ijkl mnop qrst uvwx';
const person = (login: string, role: 'administrator' | 'author' | 'contributor') => ({
  login,
  name: login,
  role,
  appPasswords: [appPassword],
});

let standIn: WordPressStandIn;
let access: { restRoot: string; login: string; appPassword: string };

beforeEach(async () => {
  const users = [
    person('admin', 'administrator'),
    person('author', 'author'),
    person('novice', 'contributor'),
  ];
  standIn = await startWordPressStandIn({ sites: { '': { users } } });
  access = { restRoot: `${standIn.url}/wp-json/`, login: 'admin', appPassword };
});
afterEach(() => standIn.close());

const wordpress = createWordPress({
  fetch: createGuardedFetch({ allowPrivate: true }),
  allowHttp: true,
  waitMs: () => 1,
  limits: { lookMs: 2_000, uploadMs: 400, postMs: 400 },
});
const picture = { bytes: tinyPng(8, 8), contentType: 'image/png', filename: 'okno.png' };
const post = {
  title: 'Окна',
  slug: 'okna',
  content: '<p>Текст</p>',
  excerpt: '',
  status: 'publish',
} as const;

async function failure(call: Promise<unknown>): Promise<WordPressFailed> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WordPressFailed);
  return error as WordPressFailed;
}

describe('rubrics and tags', () => {
  const add = (id: number, name: string) =>
    standIn.site().terms.put(id, { id, taxonomy: 'tags', name, slug: `t-${id}` });

  it('come by name a page at a time, with how many there are', async () => {
    for (const id of [3, 1, 2]) add(id, `метка ${id}`);
    expect(await wordpress.listTerms(access, 'tags', { page: 2, perPage: 2 })).toEqual({
      terms: [{ id: 3, name: 'метка 3' }],
      total: 3,
    });
    expect(await wordpress.listTerms(access, 'tags', { page: 9, perPage: 2 })).toEqual({
      terms: [],
      total: 3,
    });
    expect(await wordpress.listTerms(access, 'categories', { page: 1, perPage: 2 })).toMatchObject({
      total: 0,
    });
  });

  it('are counted as they come where a proxy has dropped the number', async () => {
    const body = [{ id: 1, name: 'метка' }];
    standIn.faults.add({ match: 'tags', fault: { kind: 'status', status: 200, body } });
    expect(await wordpress.listTerms(access, 'tags', { page: 1, perPage: 8 })).toEqual({
      terms: body,
      total: 1,
    });
  });

  it('are found by their numbers, as far as they are there', async () => {
    for (const id of [1, 2]) add(id, `метка ${id}`);
    expect(await wordpress.termsById(access, 'tags', [2, 404])).toEqual([{ id: 2, name: 'метка 2' }]);
  });

  it('with a number that no button could carry are no answer', async () => {
    for (const id of [2 ** 31, 1.5, -1, 0]) {
      const fault = { kind: 'status', status: 200, body: [{ id, name: 'метка' }] } as const;
      standIn.faults.add({ match: 'tags', fault });
      const error = await failure(wordpress.listTerms(access, 'tags', { page: 1, perPage: 8 }));
      expect(error.fault).toBe('unreadable');
    }
  });
});

describe('a person of the site', () => {
  it('is known by login or e-mail, with or without blanks in the password', async () => {
    expect(await wordpress.me(access)).toMatchObject({ name: 'admin', roles: ['administrator'] });
    const other = { ...access, login: 'admin@example.org', appPassword: appPassword.replaceAll(' ', '') };
    expect((await wordpress.me(other)).capabilities).toMatchObject({
      publish_posts: true,
      upload_files: true,
    });
  });

  it.each([
    [
      'a wrong password',
      () => ({ ...access, appPassword: 'xxxx' }),
      {},
      'wrong-password',
      'incorrect_password',
    ],
    ['an unknown login', () => ({ ...access, login: 'nobody' }), {}, 'wrong-password', 'invalid_username'],
    [
      'an unknown e-mail',
      () => ({ ...access, login: 'no@example.org' }),
      {},
      'wrong-password',
      'invalid_email',
    ],
    [
      'a host that strips the header',
      () => access,
      { authorization: 'stripped' },
      'not-logged-in',
      'rest_not_logged_in',
    ],
    [
      'passwords switched off',
      () => access,
      { applicationPasswords: false },
      'not-logged-in',
      'rest_not_logged_in',
    ],
    [
      'a wrong password that nobody names',
      () => ({ ...access, appPassword: 'xxxx' }),
      { wrongPassword: 'ignored' },
      'not-logged-in',
      'rest_not_logged_in',
    ],
    ['the API switched off', () => access, { rest: 'off' }, 'rest-off', 'rest_cannot_access'],
    ['a page instead of the API', () => access, { rest: 'html' }, 'html', '200'],
  ] as const)('is not let in: %s', async (_, who, settings, fault, code) => {
    standIn.site().change(settings);
    const error = await failure(wordpress.me(who()));
    expect(error).toMatchObject({ fault, report: { category: 'PERMANENT', scope: 'channel', code } });
    expect(error.retryable).toBe(false);
  });
});

describe('a refusal', () => {
  const fault = (status: number, body?: unknown, retryAfter?: number) =>
    standIn.faults.add({
      match: '^POST .*/posts$',
      fault: { kind: 'status', status, body, ...(retryAfter !== undefined && { retryAfter }) },
    });

  it('for lack of rights names the right', async () => {
    const novice = { ...access, login: 'novice' };
    expect(await failure(wordpress.createPost(novice, post))).toMatchObject({
      fault: 'may-not-publish',
      mayHaveArrived: false,
    });
    expect(await failure(wordpress.uploadMedia(novice, picture))).toMatchObject({
      fault: 'may-not-upload',
      mayHaveArrived: false,
    });
  });

  it('for the size of a picture is one of this picture only', async () => {
    standIn.site().change({ mostUploadBytes: 10 });
    expect(await failure(wordpress.uploadMedia(access, picture))).toMatchObject({
      fault: 'too-large',
      mayHaveArrived: false,
      report: { scope: 'delivery', code: '413' },
    });
  });

  it('for the kind of a file is final although WordPress calls it its own failure', async () => {
    const text = { ...picture, bytes: Buffer.from('no picture at all') };
    expect(await failure(wordpress.uploadMedia(access, text))).toMatchObject({
      fault: 'media-refused',
      mayHaveArrived: false,
    });
  });

  it('to wait tells how long', async () => {
    fault(429, undefined, 7);
    expect(await failure(wordpress.createPost(access, post))).toMatchObject({
      fault: 'busy',
      retryable: true,
      mayHaveArrived: false,
      report: { retryAfterMs: 7_000 },
    });
  });

  it.each([500, 502, 503, 504])('of a broken site may hide a post that was made: %i', async (status) => {
    fault(status);
    expect(await failure(wordpress.createPost(access, post))).toMatchObject({
      fault: 'broken',
      retryable: true,
      mayHaveArrived: true,
    });
  });

  it.each(['reset-after', 'hang-after', 'malformed', 'truncated'] as const)(
    'that never came may have been a yes: %s',
    async (kind) => {
      standIn.faults.add({ match: '^POST .*/posts$', fault: { kind } });
      const error = await failure(wordpress.createPost(access, post));
      expect(error.mayHaveArrived).toBe(true);
      expect(standIn.site().posts.values()).toHaveLength(1);
    },
  );

  it('of a site that has moved is not followed: the post stays unmade', async () => {
    const location = `${standIn.url}/blog/wp-json/wp/v2/posts`;
    const server = createServer((_, response) => response.writeHead(301, { location }).end());
    const restRoot = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/wp-json/`;
    const error = await failure(wordpress.createPost({ ...access, restRoot }, post));
    server.close();
    expect(error).toMatchObject({ fault: 'moved', mayHaveArrived: false });
    expect(standIn.site().posts.values()).toEqual([]);
  });

  it('that was too long to read may have been a yes', async () => {
    const content = `<p>${'а'.repeat(100_000)}</p>`;
    const short = createWordPress({
      fetch: createGuardedFetch({ allowPrivate: true, mostBytes: 50_000 }),
      allowHttp: true,
    });
    const error = await failure(short.createPost(access, { ...post, content }));
    expect(error).toMatchObject({ fault: 'unreadable', mayHaveArrived: true });
  });

  it('holds no password, whatever went wrong', async () => {
    const secret = [
      appPassword,
      appPassword.replaceAll(' ', ''),
      Buffer.from(`admin:${appPassword.replaceAll(' ', '')}`).toString('base64'),
    ];
    standIn.faults.add({ match: '^POST .*/posts$', fault: { kind: 'reset' } });
    standIn.faults.add({ match: '^POST .*/media$', fault: { kind: 'status', status: 500 } });
    const errors = [
      await failure(wordpress.createPost(access, post)),
      await failure(wordpress.uploadMedia(access, picture)),
      await failure(wordpress.me({ ...access, login: 'nobody' })),
    ];
    for (const error of errors) {
      const cause = error.cause as Error | undefined;
      const told = [
        error.message,
        error.stack,
        JSON.stringify(error),
        cause?.message,
        JSON.stringify(cause?.cause),
      ].join();
      for (const word of secret) expect(told).not.toContain(word);
    }
  });
});

describe('a read', () => {
  it('is repeated when its failure may pass', async () => {
    standIn.faults.add({ match: 'users/me', fault: { kind: 'status', status: 503 } });
    standIn.faults.add({ match: 'users/me', fault: { kind: 'reset' } });
    expect((await wordpress.me(access)).name).toBe('admin');
  });

  it('is not repeated when a right is missing', async () => {
    standIn.faults.add({ match: 'users/me', fault: { kind: 'status', status: 403 } });
    expect((await failure(wordpress.me(access))).fault).toBe('forbidden');
  });
});

describe('a write', () => {
  it('is never repeated by itself', async () => {
    standIn.faults.add({ match: '^POST .*/posts$', fault: { kind: 'reset-after' } });
    await failure(wordpress.createPost(access, post));
    expect(standIn.site().posts.values()).toHaveLength(1);
  });

  it('keeps a picture with its words, and finds it again', async () => {
    const { id, url } = await wordpress.uploadMedia(access, picture);
    await wordpress.describeMedia(access, id, { alt_text: 'Окно', caption: 'Белое' });
    expect(standIn.site().media.get(id)).toMatchObject({ alt: 'Окно', caption: 'Белое', mime: 'image/png' });
    expect(await wordpress.findMedia(access, 'okno')).toEqual({ id, url });
    const served = await fetch(url);
    expect(Buffer.from(await served.arrayBuffer()).equals(picture.bytes)).toBe(true);
  });

  it('makes, changes, finds and deletes a post', async () => {
    const { id, link } = await wordpress.createPost(access, post);
    expect(link).toBe(`${standIn.url}/okna/`);
    await wordpress.updatePost(access, id, { content: '<p>Другой</p>' });
    expect((await wordpress.readPost(access, id)).content).toBe('<p>Другой</p>');
    expect(await wordpress.findPosts(access, { slug: 'okna,okna-2' })).toHaveLength(1);
    expect(await wordpress.findPosts(access, { search: 'другой' })).toHaveLength(1);
    await wordpress.deletePost(access, id);
    expect(standIn.site().posts.values()).toEqual([]);
  });
});
