import type { Counted, KeyValueStore } from '../engine/key-value-store.ts';
import type { Sql } from './database.ts';

/** Values in `key_values`. Expired ones are invisible here; `sweepExpired` removes them. */
export function createPostgresKeyValueStore(sql: Sql): KeyValueStore {
  return {
    async get(key) {
      const [row] = await sql<{ value: string }[]>`
        select value from key_values where key = ${key} and expires_at > clock_timestamp()`;
      return row?.value ?? null;
    },
    async set(key, value, ttlSeconds) {
      await sql`
        insert into key_values (key, value, expires_at)
        values (${key}, ${value}, clock_timestamp() + ${ttlSeconds}::double precision * interval '1 second')
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;
    },
    async setIfAbsent(key, value, ttlSeconds) {
      const { count } = await sql`
        insert into key_values as known (key, value, expires_at)
        values (${key}, ${value}, clock_timestamp() + ${ttlSeconds}::double precision * interval '1 second')
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
        where known.expires_at <= clock_timestamp()`;
      return count === 1;
    },
    async increment(key, by, ttlSeconds) {
      const [counted] = await sql<[Counted]>`
        insert into key_values as known (key, value, expires_at)
        values (${key}, greatest(0, ${by}::integer)::text,
          clock_timestamp() + ${ttlSeconds}::double precision * interval '1 second')
        on conflict (key) do update set (value, expires_at) = (
          select
            case when runs then greatest(0, known.value::integer + ${by}::integer)::text else excluded.value end,
            case when runs then known.expires_at else excluded.expires_at end
          from (select known.expires_at > clock_timestamp() as runs) counter)
        returning value::integer as count,
          extract(epoch from expires_at - clock_timestamp())::double precision as "ttlSeconds"`;
      return counted;
    },
    async take(key) {
      const [row] = await sql<{ value: string }[]>`
        delete from key_values where key = ${key} and expires_at > clock_timestamp() returning value`;
      return row?.value ?? null;
    },
    async delete(key) {
      await sql`delete from key_values where key = ${key}`;
    },
  };
}
