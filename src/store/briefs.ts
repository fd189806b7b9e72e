import { type ImageSettings, imageSettings, type TextSettings, textSettings } from '../content-settings.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { ArticlePhoto } from '../services/pictures/copy-photos.ts';
import type { Brief } from '../services/projects/brief.ts';
import type { Keywords, Use } from '../services/quality/choose-cluster.ts';
import { photosIn } from './category-media.ts';
import type { Sql } from './database.ts';

/** All that a text of a category is made from. */
export type CategoryBrief = Brief & {
  projectId: number;
  categoryId: number;
  keywords: Keywords;
  text: TextSettings;
  images: ImageSettings;
  /** The person's own, in the order of their gallery. */
  photos: ArticlePhoto[];
  /** Of the customer's own site, once it was looked at. */
  colors: { text?: string; accent?: string; primary?: string; background?: string };
};

type Row = {
  projectId: number;
  company: Brief['company'];
  topic: Omit<Brief['topic'], 'reviews'>;
  reviews: unknown;
  keywords: unknown;
  media: unknown;
  settings: Record<'text' | 'textOverride' | 'image' | 'imageOverride', unknown>;
  colors: CategoryBrief['colors'] | null;
};

/** What a company has told of itself, from the row `p` of `projects`. */
export const companyJson = (sql: Sql) => sql`
  json_build_object(
    'name', p.company_name, 'specialization', p.specialization,
    'description', coalesce(p.description, ''), 'experience', coalesce(p.experience, ''),
    'advantages', coalesce(p.advantages, ''), 'city', coalesce(p.company_city, ''),
    'phone', coalesce(p.company_phone, ''), 'websiteUrl', coalesce(p.website_url, ''),
    'telegram', coalesce(p.company_telegram, ''), 'vk', coalesce(p.company_vk, ''),
    'pinterest', coalesce(p.company_pinterest, ''), 'voice', coalesce(p.voice, ''),
    'author', coalesce(p.author_name, ''))`;

/** Every call takes the person's id: a category in somebody else's project is not found. */
export function makeBriefs(sql: Sql) {
  return { ofCategory, uses };

  async function ofCategory(
    userId: number,
    categoryId: number,
    platform: Platform,
  ): Promise<CategoryBrief | null> {
    const [row] = await sql<Row[]>`
      select p.id as "projectId",
        ${companyJson(sql)} as company,
        json_build_object('name', c.name, 'description', coalesce(c.description, ''),
          'prices', coalesce(c.prices, ''), 'knows', coalesce(c.own_knowledge, ''),
          'avoid', coalesce(c.avoid, '')) as topic,
        -- What customers have said. Samples that a model wrote are no material.
        jsonb_path_query_array(coalesce(c.reviews, '[]'), '$[*] ? (@.real == true)') as reviews, c.keywords, c.media,
        json_build_object('text', c.text_settings, 'textOverride', o.text_settings,
          'image', c.image_settings, 'imageOverride', o.image_settings) as settings,
        b.colors
      from categories c
      join projects p on p.id = c.project_id
      left join platform_content_overrides o on o.category_id = c.id and o.platform_type = ${platform}
      left join site_brandings b on b.project_id = p.id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    if (!row) return null;
    const { settings } = row;
    return {
      projectId: row.projectId,
      categoryId,
      company: row.company,
      topic: { ...row.topic, reviews: listOf(row.reviews) },
      keywords: listOf(row.keywords) as Keywords,
      text: textSettings(platform, settings.text, settings.textOverride),
      images: imageSettings(platform, settings.image, settings.imageOverride),
      photos: photosIn(row.media).map(({ path, width, height, caption }) => ({
        path,
        width,
        height,
        caption,
      })),
      colors: row.colors ?? {},
    };
  }

  /**
   * What the whole project has published, for the rotation of phrases: two categories often share one. Articles that
   * wait for a decision count as well.
   */
  async function uses(categoryId: number, contentType: 'article' | 'social_post'): Promise<Use[]> {
    return sql<Use[]>`
      with project as (select project_id as id from categories where id = ${categoryId})
      select keyword, max(at) as at from (
        select keyword, created_at as at from publication_logs
        where project_id = (select id from project) and content_type = ${contentType}
          and status in ('success', 'draft', 'unknown')
        union all
        select keyword, created_at from article_previews
        where project_id = (select id from project) and content_type = ${contentType}
          -- an article whose HTML was taken is put on some site by hand
          and (status in ('draft', 'publishing', 'unknown') or details ? 'final')
      ) used where keyword is not null group by keyword`;
  }
}

const listOf = <Item>(stored: unknown): Item[] => (Array.isArray(stored) ? (stored as Item[]) : []);
