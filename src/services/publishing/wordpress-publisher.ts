import type { ArticlePublisher } from '../article/publish-article.ts';
import { wordPressAccess } from '../connections/wordpress-access.ts';
import type { WordPressAdapter } from './wordpress.ts';

/** Puts an article into the rubrics and under the tags its connection names; else under its own topic and phrase. */
export const makeWordPressPublisher =
  ({ publish }: Pick<WordPressAdapter, 'publish'>): ArticlePublisher =>
  ({ metadata }, credentials, { category, ...article }, call) =>
    publish(
      wordPressAccess(credentials),
      {
        ...article,
        categories: chosen(metadata.wpCategories) ?? (category === '' ? [] : [category]),
        tags: chosen(metadata.wpTags) ?? [article.seo.focus],
      },
      call,
    );

function chosen(names: unknown): string[] | null {
  return Array.isArray(names) && names.length > 0 ? names.map(String) : null;
}
