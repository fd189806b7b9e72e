import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ChatClosed } from '../../src/engine/presenter.ts';
import { createFaces, type Face } from '../../src/messengers/faces.ts';
import { rich } from '../../src/screens/kit/screen.ts';
import { makeIdentities, personOfTelegram } from '../../src/store/identities.ts';
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

  it('a person of another messenger is talked to there, and never taken for one of Telegram', async () => {
    const boris = await identities().register({ messenger: 'max', externalId: '5003' }, 'Борис');
    await telegramPerson(5_003);
    // Noted with every visit, whichever messenger it came by.
    await makeUsers(sql()).remember({
      ...{ id: boris, username: null, firstName: 'Борис', lastName: null },
      isAdmin: false,
    });
    expect(await identities().identityOf(boris, 'telegram')).toBeNull();
    const shown: string[] = [];
    const face = (messenger: string): Face => ({
      show: async ({ chat }) => ({ messageId: `${shown.push(`${messenger} ${chat}`)}` }),
    });
    const { show } = createFaces({ telegram: face('telegram'), max: face('max') }, identities().addressOf);
    const screen = { text: rich`Здравствуйте`, keyboard: [] };
    for (const userId of [5_003, boris]) await show({ userId, screen, notice: null, replace: null });
    expect(shown).toEqual(['telegram 5003', 'max 5003']);
    const stranger = show({ userId: boris + 1_000_000, screen, notice: null, replace: null });
    await expect(stranger).rejects.toThrow(ChatClosed);
  });

  it.each([0, -100_123, 2 ** 52, Number.NaN])('%s is the id of no person of Telegram', (id) => {
    expect(personOfTelegram(id)).toBeNull();
  });

  it('a stranger has no id', async () => {
    expect(await identities().userOf({ messenger: 'max', externalId: 'nobody' })).toBeNull();
  });
});
