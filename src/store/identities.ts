import type { Sql } from './database.ts';

/** A person as a messenger knows them. Ids are opaque texts: a number of one messenger means nothing to another. */
export type Identity = { messenger: string; externalId: string };

/**
 * Who is who. A person is an id of ours; a messenger's own id leads to it through `identities`, so that equal numbers of
 * two messengers never meet on one balance. Telegram was first: its people have their Telegram id as ours, and all
 * others get numbers above any that Telegram gives out (52 bits).
 */
export function makeIdentities(sql: Sql) {
  return { userOf, identityOf, register };

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
