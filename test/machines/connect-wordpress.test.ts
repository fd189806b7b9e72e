import { describe, expect, it } from 'vitest';
import { type EventFromLogic, type InputFrom, initialTransition, transition } from 'xstate';
import { connectWordPressMachine as machine } from '../../machines/connect-wordpress.ts';
import type { ReachedSite } from '../../machines/fragments/wordpress-questions.ts';

const input: InputFrom<typeof machine> = {
  run: 'run-1',
  userId: 7,
  origin: '[]',
  projectId: 5,
  projectName: 'Ромашка',
  ownSite: null,
  reconnect: null,
};
type Snapshot = ReturnType<typeof begun>;
type Event = EventFromLogic<typeof machine>;

const begun = (more: Partial<typeof input> = {}) => initialTransition(machine, { ...input, ...more })[0];
const following = (snapshot: Snapshot, ...events: Event[]) =>
  events.reduce((current, event) => transition(machine, current, event)[0], snapshot);
const typed = (text: string): Event => ({ type: 'text.received', text });
const answered = (actor: string, output: unknown) =>
  ({ type: `xstate.done.actor.${actor}`, actorId: actor, output }) as unknown as Event;
const failed = (actor: string, code: string) =>
  ({ type: `xstate.error.actor.${actor}`, actorId: actor, error: { code } }) as unknown as Event;
const secret = (shape: string, sealed = 'sealed'): Event => ({ type: 'secret.received', sealed, shape });
const requestIn = ({ children }: Snapshot) =>
  (children.connectWordPress?.getPersistedSnapshot() as { input?: { key: string; sealed: string } })?.input;

const site: ReachedSite = {
  identifier: 'romashka.ru',
  name: '',
  url: 'https://romashka.ru/',
  authorization: null,
  otherProject: null,
};
const atPassword = () => following(begun(), typed('romashka.ru'), answered('reachSite', site), typed('anna'));

describe('the address of a site', () => {
  it.each([
    ['romashka.ru', 'romashka.ru'],
    ['  Романтика.рф/blog ', 'Романтика.рф/blog'],
    ['http://romashka.ru', 'http://romashka.ru'],
  ])('%s is looked for as %s: which scheme it has, the site shows', (text, url) => {
    expect(following(begun(), typed(text))).toMatchObject({
      value: 'checking_url',
      context: { wordpress: { url } },
    });
  });

  it('of the project is looked for without the scheme, which may not be the one it has', () => {
    const event: Event = { type: 'site.taken' };
    expect(following(begun({ ownSite: 'https://romashka.ru/' }), event)).toMatchObject({
      value: 'checking_url',
      context: { wordpress: { url: 'romashka.ru/' } },
    });
  });

  it.each(['', 'ромашка', 'ftp://romashka.ru', 'https://anna:secret@romashka.ru', 'a b.ru'])(
    '%j is asked for again',
    (text) => {
      expect(following(begun(), typed(text))).toMatchObject({
        value: 'url',
        context: { wordpress: { invalid: true } },
      });
    },
  );

  it('is not asked for when a connection gets a new password', () => {
    const reconnect = { connectionId: 3, url: 'https://romashka.ru/' };
    expect(begun({ reconnect })).toMatchObject({
      value: 'checking_url',
      context: { wordpress: { url: reconnect.url } },
    });
  });
});

describe('an application password', () => {
  it.each([
    'aaaa aaaa aaaa aaaa aaaa aaaa',
    'a0a0 0000 aaaa 00aa',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'aaaa\u00a0aaaaaaaa aaaa 0000',
  ])('may look like %j', (shape) => {
    expect(following(atPassword(), secret(shape)).value).toBe('validate_connection');
  });

  it.each(['', 'aaaa aaaa aaaa', 'aaaa aaa aaaa aaaa', 'aaaa-aaaa-aaaa-aaaa', 'aaaa '.repeat(7).trim()])(
    'does not look like %j',
    (shape) => {
      expect(following(atPassword(), secret(shape))).toMatchObject({
        value: 'password',
        context: { wordpress: { sealed: null } },
      });
    },
  );
});

describe('a try that came too often (E25)', () => {
  const refused = () =>
    following(atPassword(), secret('aaaa aaaa aaaa aaaa'), failed('connectWordPress', 'RATE_LIMIT'));

  it('leaves the question as it was', () => {
    expect(refused()).toMatchObject({ value: 'password', context: { failure: { code: 'RATE_LIMIT' } } });
  });

  it('goes on later without the password being typed again, as the same request', () => {
    const first = following(atPassword(), secret('aaaa aaaa aaaa aaaa'));
    expect(requestIn(following(refused(), { type: 'retried' }))).toEqual(requestIn(first));
    expect(requestIn(first)).toMatchObject({ key: 'run-1:connect:1' });
  });

  it('is another request with another password', () => {
    const other = following(refused(), secret('aaaa aaaa aaaa aaaa', 'other'));
    expect(requestIn(other)).toMatchObject({ key: 'run-1:connect:2', sealed: 'other' });
  });
});

it('ends when the site says no, as the specification has it', () => {
  const end = following(atPassword(), secret('aaaa aaaa aaaa aaaa'), failed('connectWordPress', 'PUBLISH'));
  expect(end).toMatchObject({ value: 'failed', status: 'done' });
});
