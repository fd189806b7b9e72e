import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeIdentities } from '../../src/store/identities.ts';
import { makeUsers } from '../../src/store/users.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  const identities = () => makeIdentities(sql());
  const telegramPerson = (id: number) =>
    makeUsers(sql()).remember({ id, username: null, firstName: 'Анна', lastName: null, isAdmin: false });

  it('a person of Telegram keeps their Telegram id', async () => {
    await telegramPerson(5_001);
    await telegramPerson(5_001);
    expect(await identities().userOf({ messenger: 'telegram', externalId: '5001' })).toBe(5_001);
    expect(await identities().identityOf(5_001, 'telegram')).toBe('5001');
  });

  it('equal numbers of two messengers are two people with a balance each', async () => {
    await telegramPerson(5_002);
    const other = await identities().register({ messenger: 'max', externalId: '5002' }, 'Борис');
    expect(other).not.toBe(5_002);
    expect(other, 'above every id that Telegram gives out, exact in JavaScript').toBeGreaterThanOrEqual(
      2 ** 52,
    );
    expect(Number.isSafeInteger(other)).toBe(true);
    const rows = await sql()`select balance from users where id in (5002, ${other})`;
    expect(rows.map(({ balance }) => balance)).toEqual([1500, 1500]);
    expect(await identities().identityOf(other, 'telegram')).toBeNull();
  });

  it('is registered once, by however many updates at once', async () => {
    const identity = { messenger: 'max', externalId: randomUUID() };
    const ids = await Promise.all(Array.from({ length: 10 }, () => identities().register(identity, null)));
    expect(new Set(ids).size).toBe(1);
    expect(await identities().userOf(identity)).toBe(ids[0]);
  });

  it('a stranger is nobody', async () => {
    expect(await identities().userOf({ messenger: 'max', externalId: 'nobody' })).toBeNull();
  });
});
