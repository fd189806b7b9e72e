import type { KeyValueStore } from '../engine/key-value-store.ts';
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
