import type { Subject } from '../services/notify/tell-person.ts';
import type { Sql } from './database.ts';
import { FIRST_FOREIGN_ID } from './identities.ts';

export type Person = {
  id: number;
  username: string | null;
  firstName: string | null;
  lastName: string | null;
  /** By the setting ADMIN_ID, which alone decides: a person no longer named there stops being one. */
  isAdmin: boolean;
};

/** Null: returning people are not recognised. */
export type HashOf = (userId: number) => string | null;

/** `isRecent`: registered within the last hour. */
type RememberedUser = { isRecent: boolean; balance: number; role: 'user' | 'admin' };

/** `hashOf`: under which a person who was forgotten is known again. */
export function makeUsers(sql: Sql, hashOf: HashOf = () => null) {
  return { remember, isAdmin, setReferrer, noteConsent, setBlocked, listens };

  /** Registers a person with the welcome bonus, or notes their present name and that they were here. */
  async function remember(person: Person): Promise<RememberedUser> {
    const known = await noted(person);
    if (known) return known;
    await sql`select register_person(${person.id}, ${hashOf(person.id)})`;
    return (await noted(person)) ?? remember(person); // forgotten in this very moment: once more
  }

  async function noted({ id, username, firstName, lastName, isAdmin }: Person) {
    const [row] = await sql<RememberedUser[]>`
      with remembered as (
        update users set username = ${username}, first_name = ${firstName}, last_name = ${lastName},
          role = ${isAdmin ? 'admin' : 'user'}, last_activity = now(), blocked_at = null
        where id = ${id}
        returning created_at > now() - interval '1 hour' as "isRecent", balance, role, id
      ), known as (
        insert into identities (messenger, external_id, user_id)
        select 'telegram', id::text, id from remembered
        where id < ${FIRST_FOREIGN_ID} on conflict do nothing
      )
      select "isRecent", balance, role from remembered`;
    return row ?? null;
  }

  async function isAdmin(userId: number): Promise<boolean> {
    const [row] = await sql`select from users where id = ${userId} and role = 'admin'`;
    return row !== undefined;
  }

  /** Whether a message about this may be sent to them. Unknown people want nothing. */
  async function listens(userId: number, about: Subject): Promise<'yes' | 'unwanted' | 'blocked'> {
    const [row] = await sql<{ isBlocked: boolean; wants: boolean }[]>`
      select blocked_at is not null as "isBlocked", coalesce(case ${about}::text
        when 'publications' then notify_publications when 'balance' then notify_balance
        when 'news' then notify_news end, true) as wants
      from users where id = ${userId}`;
    if (row?.isBlocked) return 'blocked';
    return row?.wants ? 'yes' : 'unwanted';
  }

  /** Someone who blocked the bot hears nothing from it until they come back; a person we never met has no row. */
  async function setBlocked(userId: number, isBlocked: boolean): Promise<void> {
    await sql`
      update users set blocked_at = ${isBlocked ? sql`coalesce(blocked_at, now())` : null} where id = ${userId}`;
  }

  /**
   * True when the inviter was noted: it exists, the person is new and had none, and was not invited by this very person,
   * not through others either: bonuses would go round in a circle.
   */
  async function setReferrer(userId: number, referrerId: number): Promise<boolean> {
    const { count } = await sql`
      with recursive line as (
        select id, referrer_id from users where id = ${referrerId}
        union select u.id, u.referrer_id from users u join line on u.id = line.referrer_id)
      update users set referrer_id = ${referrerId}
      where id = ${userId} and referrer_id is null and created_at > now() - interval '1 hour'
        and exists (select from line) and not exists (select from line where line.id = ${userId})`;
    return count === 1;
  }

  /** Once: what was agreed to first stays on record. */
  async function noteConsent(userId: number, policyUrl: string): Promise<void> {
    await sql`
      update users set consented_at = now(), consented_to = ${policyUrl}
      where id = ${userId} and consented_at is null`;
  }
}
