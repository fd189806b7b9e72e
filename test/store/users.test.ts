import { describe, expect, it } from 'vitest';
import { makeDashboard } from '../../src/store/dashboard.ts';
import { makeUsers } from '../../src/store/users.ts';
import { aCategory, aConnection, aProject, aPublication, aSchedule, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const anna = { id: 8_000_000_001, username: 'anna', firstName: 'Анна', lastName: null, isAdmin: false };

forEachDatabase((sql) => {
  describe('a person', () => {
    it('is registered once, with the welcome bonus', async () => {
      const users = makeUsers(sql());
      const arrivals = await Promise.all(Array.from({ length: 5 }, () => users.remember(anna)));
      for (const arrival of arrivals)
        expect(arrival).toEqual({ isRecent: true, balance: 1500, role: 'user' });
    });

    it('is known under the present name, keeps the balance, and was just here', async () => {
      const users = makeUsers(sql());
      const person = { ...anna, id: anna.id + 1 };
      await users.remember(person);
      await sql()`select charge_balance(${person.id}, 500, ${`charge:${person.id}`}, 'audit')`;
      await sql()`
        update users set last_activity = now() - interval '1 day', created_at = now() - interval '1 day'
        where id = ${person.id}`;
      expect(await users.remember({ ...person, username: 'anya' })).toEqual({
        isRecent: false,
        balance: 1000,
        role: 'user',
      });
      const [row] = await sql()`
        select username, first_name, last_activity > now() - interval '1 hour' as "wasHere"
        from users where id = ${person.id}`;
      expect(row).toEqual({ username: 'anya', first_name: 'Анна', wasHere: true });
    });

    it('is an admin as long as the settings say so', async () => {
      const users = makeUsers(sql());
      const person = { ...anna, id: anna.id + 2 };
      expect(await users.remember({ ...person, isAdmin: true })).toMatchObject({ role: 'admin' });
      expect(await users.remember(person)).toMatchObject({ role: 'user' });
    });

    it('has the first inviter that exists and is somebody else', async () => {
      const users = makeUsers(sql());
      const [invited, inviter, second] = [await aUser(sql()), await aUser(sql()), await aUser(sql())];
      expect(await users.setReferrer(invited, invited)).toBe(false);
      expect(await users.setReferrer(invited, 404)).toBe(false);
      expect(await users.setReferrer(invited, inviter)).toBe(true);
      expect(await users.setReferrer(invited, second)).toBe(false);
      const [row] = await sql()`select referrer_id from users where id = ${invited}`;
      expect(row?.referrer_id).toBe(inviter);
    });
  });

  describe('the dashboard', () => {
    it('of a new person shows the bonus and the usual price of an article', async () => {
      expect(await makeDashboard(sql())(await aUser(sql()))).toEqual({
        balance: 1500,
        projects: 0,
        activeSchedules: 0,
        averageArticleCost: 320,
        lastPublication: null,
        hasWordpress: false,
        hasSocial: false,
      });
    });

    it('without a person is not there', async () => {
      expect(await makeDashboard(sql())(404)).toBeNull();
    });

    it('counts what the person has, and takes the price from the last ten articles', async () => {
      const userId = await aUser(sql());
      const projectId = await aProject(sql(), userId);
      await aProject(sql(), userId, 'Двери');
      const categoryId = await aCategory(sql(), projectId);
      const telegram = await aConnection(sql(), projectId, 'telegram');
      await aConnection(sql(), projectId, 'wordpress', 'disconnected');
      await aSchedule(sql(), categoryId, telegram, true);
      for (let daysAgo = 1; daysAgo <= 10; daysAgo++) {
        await aPublication(sql(), { userId, projectId, tokens: 100 + daysAgo, daysAgo });
      }
      await aPublication(sql(), { userId, projectId, tokens: 9000, daysAgo: 11 });
      await aPublication(sql(), { userId, projectId, tokens: 9000, status: 'failed' });
      const url = 'https://t.me/example/7';
      await aPublication(sql(), {
        userId,
        projectId,
        contentType: 'social_post',
        platform: 'telegram',
        tokens: 40,
        daysAgo: 0.5,
        url,
      });
      await aPublication(sql(), { userId: await aUser(sql()), projectId, tokens: 1 });

      expect(await makeDashboard(sql())(userId)).toEqual({
        balance: 1500,
        projects: 2,
        activeSchedules: 1,
        averageArticleCost: 106,
        lastPublication: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), platform: 'telegram', url },
        hasWordpress: false,
        hasSocial: true,
      });
    });
  });
});
