import { describe, expect, it } from 'vitest';
import { makeCheckConnection, type Validator } from '../../../src/platforms/wordpress/check-connection.ts';
import { WordPressFailed } from '../../../src/platforms/wordpress/client-failed.ts';
import type { Connection } from '../../../src/store/connections.ts';

const site: Connection = {
  id: 3,
  projectId: 5,
  projectName: 'Ромашка',
  platform: 'wordpress',
  status: 'active',
  identifier: 'romashka.ru',
  metadata: {},
  createdAt: new Date(0),
};

function checking(wordpress: Validator, found: Connection | null = site) {
  const noted: unknown[] = [];
  const check = makeCheckConnection({
    find: async () => found,
    credentials: async () => ({ login: 'anna' }),
    note: async (_, change) => void noted.push(change),
    validators: { wordpress, telegram: null, vk: null, pinterest: null, max: null },
    patienceMs: 20,
  });
  return { noted, check: () => check(1, 3) };
}

describe('a check of a connection', () => {
  it('notes that it works', async () => {
    const { check, noted } = checking(async (_, credentials) => credentials);
    expect(await check()).toEqual({ works: true });
    expect(noted).toEqual([{ status: 'active' }]);
  });

  it('notes why it does not, in the words for the person', async () => {
    const failure = new WordPressFailed('wrong-password', 'the user');
    const { check, noted } = checking(() => Promise.reject(failure));
    expect(await check()).toEqual({ works: false, reason: failure.userMessage });
    expect(noted).toEqual([{ status: 'error', metadata: { lastError: failure.userMessage } }]);
  });

  it('changes nothing for what may pass by itself', async () => {
    const { check, noted } = checking(() => Promise.reject(new WordPressFailed('unreachable', 'the user')));
    expect(await check()).toMatchObject({ works: false });
    expect(noted).toEqual([]);
  });

  it('does not keep a person waiting for a site that is silent', async () => {
    const silent: Validator = (_, __, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { check, noted } = checking(silent);
    expect(await check()).toMatchObject({ works: false, reason: expect.stringContaining('не ответила') });
    expect(noted).toEqual([]);
  });

  it('does not take a defect of ours for one of the site', async () => {
    const { check, noted } = checking(() => Promise.reject(new TypeError('oops')));
    await expect(check()).rejects.toThrow('oops');
    expect(noted).toEqual([]);
  });

  it('says that the platform is switched off here, and blames no connection for it', async () => {
    const { check, noted } = checking(async () => undefined, { ...site, platform: 'pinterest' });
    expect(await check()).toEqual({
      works: false,
      reason: expect.stringMatching(/^Pinterest в этом боте сейчас выключен/u),
    });
    expect(noted).toEqual([]);
  });

  it('finds nothing where there is nothing', async () => {
    const { check } = checking(async () => null, null);
    expect(await check()).toBeNull();
  });
});
