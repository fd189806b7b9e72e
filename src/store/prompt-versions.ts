import type { Sql } from './database.ts';

type PromptText = { task: string; version: string; yaml: string };

/** The prompts of every release so far; of each task one is active. */
export function makePromptVersions(sql: Sql) {
  return { sync, active };

  /** New texts go in, changed ones are replaced, the newest version of a task becomes active. Returns the tasks touched. */
  async function sync(texts: readonly PromptText[]): Promise<string[]> {
    const rows = texts.map(({ task, version, yaml }) => ({ task_type: task, version, prompt_yaml: yaml }));
    return sql.begin(async (tx) => {
      // Instances of one release start together: the second finds everything done. Readers are not held up.
      await tx`lock table prompt_versions in share row exclusive mode`;
      const written =
        rows.length === 0
          ? []
          : await tx<Touched>`
              insert into prompt_versions ${tx(rows)}
              on conflict (task_type, version) do update set prompt_yaml = excluded.prompt_yaml
              where prompt_versions.prompt_yaml <> excluded.prompt_yaml
              returning task_type as task`;
      // By number, not by letter: v10 comes after v9.
      const activated = await tx<Touched>`
        update prompt_versions as stored set is_active = stored.id = newest.id
        from (
          select distinct on (task_type) task_type, id from prompt_versions
          order by task_type, substring(version from '[0-9]+')::numeric desc nulls last, id desc
        ) as newest
        where stored.task_type = newest.task_type and stored.is_active is distinct from (stored.id = newest.id)
        returning stored.task_type as task`;
      return [...new Set([...written, ...activated].map(({ task }) => task))].sort();
    });
  }

  async function active(task: string): Promise<{ version: string; yaml: string } | null> {
    const [row] = await sql<{ version: string; yaml: string }[]>`
      select version, prompt_yaml as yaml from prompt_versions
      where task_type = ${task} and is_active order by id desc limit 1`;
    return row ?? null;
  }
}

type Touched = { task: string }[];
