import type { Sql } from '../../src/store/database.ts';

/** Everything schema.sql makes, as text; not the order in which columns and rows came. */
export async function catalog(sql: Sql) {
  const rows = await sql<{ kind: string; name: string; definition: string }[]>`
    select 'column' as kind, table_name || '.' || column_name as name,
      concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default) as definition
    from information_schema.columns where table_schema = 'public'
    union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'function', oid::regprocedure::text, prosrc
    from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid)
    from pg_trigger where not tgisinternal
    union all select 'storage', relname, concat_ws(' ', relrowsecurity, reloptions)
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by 1, 2, 3`;
  return rows.map(({ kind, name, definition }) => `${kind} ${name}: ${definition}`);
}
