import type { Address } from '../engine/address.ts';
import type { Sql } from './database.ts';

/** A person as a messenger knows them. Ids are opaque texts: a number of one messenger means nothing to another. */
type Identity = { messenger: string; externalId: string };

/** Ids from here on are ours alone: Telegram's have at most 52 bits. */
export const FIRST_FOREIGN_ID = 2 ** 52;

/** Our id of a person whom Telegram knows by this one; null for a number that it does not give to people. */
export const personOfTelegram = (id: number): number | null =>
  Number.isSafeInteger(id) && id > 0 && id < FIRST_FOREIGN_ID ? id : null;

/**
 * Who is who. A person is an id of ours; a messenger's own id leads to it through `identities`, so that equal numbers of
 * two messengers never meet on one balance. Telegram was first: its people have their Telegram id as ours, and all
 * others get numbers above any that Telegram gives out (52 bits).
 */
export function makeIdentities(sql: Sql) {
  return { userOf, identityOf, addressOf, register };

  async function userOf({ messenger, externalId }: Identity): Promise<number | null> {
    const [row] = await sql<{ userId: number }[]>`
      select user_id as "userId" from identities
      where messenger = ${messenger} and external_id = ${externalId}`;
    return row?.userId ?? null;
  }

  /** How a messenger knows our person; null when they were never there. */
  async function identityOf(userId: number, messenger: string): Promise<string | null> {
    const [row] = await sql<{ externalId: string }[]>`
      select external_id as "externalId" from identities
      where messenger = ${messenger} and user_id = ${userId}`;
    return row?.externalId ?? null;
  }

  /** Where they are talked to; null for a person of whom nothing is known. Telegram's people cost no question. */
  async function addressOf(userId: number): Promise<Address | null> {
    if (personOfTelegram(userId) !== null) return { messenger: 'telegram', chat: String(userId) };
    const [row] = await sql<Address[]>`
      select messenger, external_id as chat from identities where user_id = ${userId} order by created_at limit 1`;
    return row ? { messenger: row.messenger, chat: row.chat } : null;
  }

  /** The person behind an identity, made with the welcome bonus when it is new. Of several calls at once one makes them. */
  async function register({ messenger, externalId }: Identity, firstName: string | null): Promise<number> {
    return sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`identity:${messenger}:${externalId}`}, 0))`;
      const [known] = await tx<{ userId: number }[]>`
        select user_id as "userId" from identities
        where messenger = ${messenger} and external_id = ${externalId}`;
      if (known) return known.userId;
      const [made] = await tx<[{ userId: number }]>`
        insert into users (id, first_name) values (nextval('foreign_user_ids'), ${firstName})
        returning id as "userId"`;
      await tx`
        insert into identities (messenger, external_id, user_id)
        values (${messenger}, ${externalId}, ${made.userId})`;
      return made.userId;
    });
  }
}
