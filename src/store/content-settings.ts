import type { Block, Edited, Scope, Stored } from '../content-options.ts';
import { inheritedBlock } from '../content-options.ts';
import { type Platform, platformNames } from '../platforms/platforms.ts';
import type { Sql } from './database.ts';

/** Null in an override: inherited from the category. */
type Blocks = Record<Block, Stored>;
export type CategorySettings = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  /** Connected to the project. */
  platforms: Platform[];
  own: Blocks;
  overrides: Partial<Record<Platform, Record<Block, Stored | null>>>;
};

type Row = {
  categoryName: string;
  projectId: number;
  platforms: string[];
  text: unknown;
  image: unknown;
  overrides: { platform: string; text: unknown; image: unknown }[];
};

/** Every call takes the person's id: a category in somebody else's project is not found, which is null. */
export function makeContentSettings(sql: Sql) {
  return { read, change, reset };

  async function read(userId: number, categoryId: number, on: Sql = sql): Promise<CategorySettings | null> {
    const [row] = await on<Row[]>`
      select c.name as "categoryName", p.id as "projectId", c.text_settings as text, c.image_settings as image,
        array(select distinct n.platform_type from platform_connections n
          where n.project_id = p.id order by 1) as platforms,
        (select coalesce(json_agg(json_build_object('platform', o.platform_type, 'text', o.text_settings,
            'image', o.image_settings)), '[]')
          from platform_content_overrides o where o.category_id = c.id) as overrides
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    if (!row) return null;
    return {
      categoryId,
      categoryName: row.categoryName,
      projectId: row.projectId,
      platforms: platformNames.filter((platform) => row.platforms.includes(platform)),
      own: { text: blockOf(row.text) ?? {}, image: blockOf(row.image) ?? {} },
      overrides: Object.fromEntries(
        row.overrides.map(({ platform, text, image }) => [
          platform,
          { text: blockOf(text), image: blockOf(image) },
        ]),
      ),
    };
  }

  /** One press at a time: two at once come one after the other. The first change on a platform copies what it inherited. */
  async function change(
    userId: number,
    categoryId: number,
    scope: Scope,
    block: Block,
    edit: (stored: Stored) => Edited,
  ): Promise<'done' | 'full' | 'unchanged' | null> {
    return sql.begin(async (tx) => {
      const [mine] = await tx`
        select c.id from categories c join projects p on p.id = c.project_id
        where c.id = ${categoryId} and p.user_id = ${userId} for update of c`;
      const settings = mine && (await read(userId, categoryId, tx as unknown as Sql));
      if (!settings) return null;
      const own = settings.own[block];
      const before =
        scope === null ? own : (settings.overrides[scope]?.[block] ?? inheritedBlock(block, scope, own));
      const edited = edit(before);
      if (typeof edited === 'string') return edited;
      const stored = JSON.stringify(edited.stored);
      const column = sql(`${block}_settings`);
      if (scope === null)
        await tx`update categories set ${column} = ${stored}::text::jsonb where id = ${categoryId}`;
      else
        await tx`
          insert into platform_content_overrides (category_id, platform_type, ${column})
          values (${categoryId}, ${scope}, ${stored}::text::jsonb)
          on conflict (category_id, platform_type) do update set ${column} = excluded.${column}`;
      return 'done';
    });
  }

  /** A platform goes back to its category, a category to what is usual. False: there is no such category. */
  async function reset(userId: number, categoryId: number, scope: Scope): Promise<boolean> {
    const mine = sql`
      select c.id from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    if (scope === null) {
      const done = await sql`
        update categories set text_settings = '{}', image_settings = '{}' where id = (${mine})`;
      return done.count > 0;
    }
    await sql`
      delete from platform_content_overrides where platform_type = ${scope} and category_id = (${mine})`;
    return (await read(userId, categoryId)) !== null;
  }
}

const blockOf = (stored: unknown): Stored | null =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Stored) : null;
