import { z } from 'zod';
import type { Sql } from './database.ts';

/** A photo of the person's own. `file_id` is the messenger's, the bytes lie in our storage under `path`. */
export type OwnPhoto = z.infer<typeof ownPhoto>;
const ownPhoto = z.object({
  file_id: z.string().catch(''),
  type: z.literal('photo').catch('photo'),
  file_size: z.number().catch(0),
  uploaded_at: z.string().catch(''),
  path: z.string().min(1),
  width: z.number().positive(),
  height: z.number().positive(),
  /** What the person wrote under it. */
  caption: z.string().catch(''),
});

type CategoryGallery = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  photos: OwnPhoto[];
};
export type CategoryMedia = ReturnType<typeof makeCategoryMedia>;

/** Every call takes the person's id: a category in somebody else's project is not found, which is null. */
export function makeCategoryMedia(sql: Sql) {
  return { read, change, allPaths };

  async function read(userId: number, categoryId: number): Promise<CategoryGallery | null> {
    const [row] = await sql<{ categoryName: string; projectId: number; media: unknown }[]>`
      select c.name as "categoryName", p.id as "projectId", c.media
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    if (!row) return null;
    const { media, ...category } = row;
    return { categoryId, ...category, photos: photosIn(media) };
  }

  /** The photos as they are after the edit. Two edits at once come one after the other. */
  async function change(
    userId: number,
    categoryId: number,
    edit: (photos: OwnPhoto[]) => OwnPhoto[],
  ): Promise<OwnPhoto[] | null> {
    return sql.begin(async (tx) => {
      const [row] = await tx<{ media: unknown }[]>`
        select c.media from categories c join projects p on p.id = c.project_id
        where c.id = ${categoryId} and p.user_id = ${userId} for update of c`;
      if (!row) return null;
      const photos = edit(photosIn(row.media));
      await tx`update categories set media = ${JSON.stringify(photos)}::text::jsonb where id = ${categoryId}`;
      return photos;
    });
  }

  /** Of all people: a file that is not among them is an orphan. */
  async function allPaths(): Promise<Set<string>> {
    const rows = await sql<{ path: string }[]>`
      select item ->> 'path' as path from categories c, jsonb_array_elements(
        case when jsonb_typeof(c.media) = 'array' then c.media else '[]'::jsonb end) item
      where item ->> 'path' is not null`;
    return new Set(rows.map(({ path }) => path));
  }
}

/** Entries without bytes of ours, as earlier releases could have stored them, cannot be shown or published. */
export const photosIn = (stored: unknown): OwnPhoto[] =>
  (Array.isArray(stored) ? stored : []).flatMap((item) => {
    const photo = ownPhoto.safeParse(item);
    return photo.success ? [photo.data] : [];
  });
