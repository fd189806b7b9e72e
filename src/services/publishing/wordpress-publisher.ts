import type { ConnectionMetadata } from '../../store/connections.ts';
import type { ArticlePublisher } from '../article/publish-article.ts';
import { wordPressAccess } from '../connections/wordpress-access.ts';
import type { WordPressAdapter } from './wordpress.ts';
import type { KnownTerms } from './wordpress-terms.ts';

type Deps = {
  adapter: Pick<WordPressAdapter, 'publish'>;
  /** What the site calls its rubrics and tags by number, so that they need not be looked up again. */
  remember(connectionId: number, change: { metadata: ConnectionMetadata }): Promise<void>;
};

/** Puts an article into the rubrics and under the tags its connection names; else under its own topic and phrase. */
export const makeWordPressPublisher =
  ({ adapter, remember }: Deps): ArticlePublisher =>
  async ({ id, metadata }, credentials, { category, ...article }, call) => {
    const delivery = await adapter.publish(
      { ...wordPressAccess(credentials), terms: (metadata.wpTerms ?? {}) as Partial<KnownTerms> },
      {
        ...article,
        categories: chosen(metadata.wpCategories) ?? (category === '' ? [] : [category]),
        tags: chosen(metadata.wpTags) ?? [article.seo.focus],
      },
      call,
    );
    if (delivery.outcome === 'sent') {
      const { terms } = delivery.raw as { terms: KnownTerms };
      await remember(id, { metadata: { wpTerms: terms } });
    }
    return delivery;
  };

function chosen(names: unknown): string[] | null {
  return Array.isArray(names) && names.length > 0 ? names.map(String) : null;
}
