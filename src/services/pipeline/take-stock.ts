import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import type { ArticleStock, Gone, TakeStockInput } from '../../../machines/fragments/article-stock.ts';
import type { DescriptionOffer } from '../../../machines/fragments/description-work.ts';
import type { KeywordOffer } from '../../../machines/fragments/keyword-questions.ts';
import type { Readiness } from '../../../machines/fragments/pipeline-stock.ts';
import type { PricedCategory } from '../../../machines/fragments/price-work.ts';
import { prices } from '../../prices.ts';
import type { PipelineChoices } from '../../store/pipeline-choices.ts';
import type { Offer } from '../article/offer-article.ts';
import type { OpenedDraft } from '../article/open-draft.ts';

export type TakeStockDeps = {
  choices: PipelineChoices;
  cardOf(
    userId: number,
    categoryId: number,
  ): Promise<{ phrases: number; hasDescription: boolean; hasPrices: boolean } | null>;
  keywordOffer(userId: number, categoryId: number): Promise<Omit<KeywordOffer, 'isAdmin'> | null>;
  descriptionOffer(userId: number, categoryId: number): Promise<Omit<DescriptionOffer, 'isAdmin'> | null>;
  pricesOf(userId: number, categoryId: number): Promise<PricedCategory | null>;
  offerArticle(
    userId: number,
    categoryId: number,
    connectionId: number | null,
    isAdmin: boolean,
    wanted: string | null,
  ): Promise<Offer>;
  openDraft(userId: number, draftId: number, isAdmin: boolean, wanted?: number): Promise<OpenedDraft>;
};

/** What the person has, and which of it is chosen: the only one of a kind, or what they chose before. */
export const makeTakeStock =
  (deps: TakeStockDeps) =>
  async (input: TakeStockInput): Promise<ArticleStock> => {
    const { choices } = deps;
    const { userId, isAdmin, previewOnly } = input;
    const wanted = await startingPoint(deps, input);

    const projects = await choices.projects(userId);
    const project = pick(projects, wanted.projectId);
    const [sites, categories] = project.chosen
      ? await Promise.all([
          choices.sites(userId, project.chosen.id),
          choices.categories(userId, project.chosen.id),
        ])
      : [[], []];
    const site = previewOnly
      ? { chosen: null, gone: false }
      : pick(sites, wanted.connectionId, ({ isBroken }) => !isBroken);
    const category = pick(categories, wanted.categoryId);
    const gone = firstGone({ project: project.gone, site: site.gone, category: category.gone });

    const stock: ArticleStock = {
      counts: { projects: projects.length, sites: sites.length, categories: categories.length },
      project: project.chosen,
      site: site.chosen && { id: site.chosen.id, identifier: site.chosen.name },
      category: category.chosen && { id: category.chosen.id, name: category.chosen.name },
      ...{ readiness: null, keywords: null, description: null, prices: null },
      ...{ offer: null, preview: null, gone },
    };
    if (input.draftId !== null) return withDraft(deps, input, stock, input.draftId);
    if (!category.chosen) return stock;
    const isPlaced = site.chosen !== null || previewOnly;
    const [readiness, keywords, description, priced, offer] = await Promise.all([
      readinessOf(deps, userId, category.chosen.id),
      deps.keywordOffer(userId, category.chosen.id),
      deps.descriptionOffer(userId, category.chosen.id),
      deps.pricesOf(userId, category.chosen.id),
      isPlaced ? offerFor(deps, input, category.chosen.id, site.chosen?.id ?? null) : null,
    ]);
    return {
      ...stock,
      ...{ readiness, prices: priced, offer },
      keywords: keywords && { ...keywords, isAdmin },
      description: description && { ...description, isAdmin },
    };
  };

async function startingPoint(
  { choices }: TakeStockDeps,
  { userId, repeats, projectId, connectionId, categoryId }: TakeStockInput,
) {
  const last = repeats && projectId === null ? await choices.lastArticle(userId) : null;
  return last ?? { projectId, connectionId, categoryId };
}

/** The wanted one, else the only one. One that was wanted and is gone is not replaced without a word. */
export function pick<Item extends { id: number }>(
  items: readonly Item[],
  wanted: number | null,
  suits: (item: Item) => boolean = () => true,
): { chosen: Item | null; gone: boolean } {
  if (wanted !== null) {
    const chosen = items.find(({ id }) => id === wanted) ?? null;
    return { chosen, gone: chosen === null };
  }
  const [only] = items;
  return { chosen: items.length === 1 && only && suits(only) ? only : null, gone: false };
}

const firstGone = (isGone: Record<Exclude<Gone, 'draft'>, boolean>): Gone | null =>
  (['project', 'site', 'category'] as const).find((what) => isGone[what]) ?? null;

async function withDraft(
  { openDraft }: TakeStockDeps,
  { userId, isAdmin, connectionId }: TakeStockInput,
  stock: ArticleStock,
  draftId: number,
): Promise<ArticleStock> {
  const opened = await openDraft(userId, draftId, isAdmin, connectionId ?? undefined);
  if ('gone' in opened) return { ...stock, gone: 'draft' };
  const { offer, preview } = opened;
  return { ...stock, offer, preview, gone: null };
}

export async function readinessOf(
  { choices, cardOf }: Pick<TakeStockDeps, 'choices' | 'cardOf'>,
  userId: number,
  categoryId: number,
): Promise<Readiness | null> {
  const [card, publications] = await Promise.all([cardOf(userId, categoryId), choices.publications(userId)]);
  if (!card) return null;
  const { phrases, hasDescription, hasPrices } = card;
  return { phrases, hasDescription, hasPrices, publications };
}

/** With the phrase, the pictures and the photos that the person has chosen for this article. */
async function offerFor(
  { offerArticle }: TakeStockDeps,
  { userId, isAdmin, keep }: TakeStockInput,
  categoryId: number,
  connectionId: number | null,
): Promise<ArticleOffer | null> {
  const kept = keep?.categoryId === categoryId ? keep : null;
  const found = await offerArticle(userId, categoryId, connectionId, isAdmin, kept?.phrase ?? null);
  if (!('offer' in found) || kept === null) return 'offer' in found ? found.offer : null;
  const { images, own, wanted } = kept;
  return {
    ...{ ...found.offer, images, pictures: images * prices.image },
    ...(own !== undefined && { own: Math.min(own, found.offer.ownPhotos ?? 0) }),
    ...(wanted !== undefined && { wanted }),
  };
}
