import type { ArticlePublisher } from '../../services/article/publish-article.ts';
import type { ConnectionMetadata } from '../../store/connections.ts';
import { wordPressAccess } from './access.ts';
import { type ChosenTerm, chosenTerms } from './chosen-terms.ts';
import type { WordPressAdapter } from './publish.ts';
import type { KnownTerms } from './terms.ts';

type Deps = {
  adapter: Pick<WordPressAdapter, 'publish'>;
  /** What the site calls its rubrics and tags by number, so that they need not be looked up again. */
  remember(connectionId: number, change: { metadata: ConnectionMetadata }): Promise<void>;
};

/**
 * Puts an article into the rubrics and under the tags its connection names; else into one for its topic and under no tag:
 * the archive of a tag named like the phrase would compete with the article for it.
 */
export const makeWordPressPublisher =
  ({ adapter, remember }: Deps): ArticlePublisher =>
  async ({ id, metadata }, credentials, { category, ...article }, call) => {
    const rubrics = chosenTerms(metadata, 'categories');
    const tags = chosenTerms(metadata, 'tags');
    const learned = (metadata.wpTerms ?? {}) as Partial<KnownTerms>;
    const delivery = await adapter.publish(
      {
        ...wordPressAccess(credentials),
        terms: {
          categories: { ...learned.categories, ...numbersOf(rubrics) },
          tags: { ...learned.tags, ...numbersOf(tags) },
        },
      },
      {
        ...article,
        seo: isHidden(metadata) ? { ...article.seo, noindex: true } : article.seo,
        categories: rubrics.length > 0 ? namesOf(rubrics) : [category].filter(Boolean),
        tags: namesOf(tags),
      },
      call,
    );
    if (delivery.outcome === 'sent') {
      const { terms, site } = delivery.raw as { terms: KnownTerms; site: ConnectionMetadata };
      await remember(id, { metadata: { ...site, wpTerms: terms } });
    }
    return delivery;
  };

const namesOf = (terms: readonly ChosenTerm[]): string[] => terms.map(({ name }) => name);

function numbersOf(terms: readonly ChosenTerm[]): Record<string, number[]> {
  const keyOf = ({ name }: ChosenTerm): string => name.trim().toLowerCase();
  const namesakes = (key: string) => terms.filter((term) => keyOf(term) === key).map(({ id }) => id);
  return Object.fromEntries(terms.map((term) => [keyOf(term), namesakes(keyOf(term))]));
}

const isHidden = ({ seoRobots }: ConnectionMetadata): boolean =>
  typeof seoRobots === 'string' && seoRobots.startsWith('noindex');
