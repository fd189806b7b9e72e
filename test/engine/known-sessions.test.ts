import { expect, it } from 'vitest';
import { createKnownSessions } from '../../src/engine/known-sessions.ts';
import { freshSession } from '../../src/engine/session.ts';

const session = freshSession(0, { pattern: 'nav:home', params: {} });

it('a session is known only while the store holds exactly what was kept', () => {
  const { keep, find } = createKnownSessions();
  keep(1001, '{"a":1}', session);
  expect(find(1001, '{"a":1}')).toBe(session);
  expect(find(1001, '{"a":2}')).toBeUndefined();
  expect(find(1002, '{"a":1}')).toBeUndefined();
});

it('those who have not written for longest are forgotten first, so that quiet people cost no memory', () => {
  const { keep, find } = createKnownSessions(2);
  keep(1, 'one', session);
  keep(2, 'two', session);
  keep(1, 'one', session);
  keep(3, 'three', session);
  expect([find(1, 'one'), find(2, 'two'), find(3, 'three')]).toEqual([session, undefined, session]);
});
