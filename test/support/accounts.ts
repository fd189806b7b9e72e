import type { Sql } from '../../src/store/database.ts';
import type { ScriptedPerson } from './person.ts';

/** A bot in this process or in another one: whom it serves, and what it knows of them. */
export type Served = { person(firstName?: string): ScriptedPerson; app: { sql: Sql } };

/** A person who has been here before: registered, with projects made directly in the database. */
export async function personWithProjects(bot: Served, names: readonly string[], firstName = 'Анна') {
  const person = bot.person(firstName);
  person.says('/start');
  await person.sees('ИИ пишет');
  const ids: number[] = [];
  for (const name of names) ids.push(await addProject(bot, person, name));
  return Object.assign(person, { projectIds: ids });
}

export async function addProject(
  { app }: Pick<Served, 'app'>,
  { id }: ScriptedPerson,
  name: string,
): Promise<number> {
  const [project] = await app.sql<[{ id: number }]>`
    insert into projects (user_id, name, company_name, specialization)
    values (${id}, ${name}, 'Компания', 'Пошив штор') returning id`;
  return project.id;
}

export async function addCategory(
  { app }: Pick<Served, 'app'>,
  projectId: number,
  name: string,
): Promise<number> {
  const [category] = await app.sql<[{ id: number }]>`
    insert into categories (project_id, name) values (${projectId}, ${name}) returning id`;
  return category.id;
}
