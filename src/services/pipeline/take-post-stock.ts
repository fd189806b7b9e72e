import type { PostOffer } from '../../../machines/fragments/post-ports.ts';
import type { PostGone, PostStock, TakePostStockInput } from '../../../machines/fragments/post-stock.ts';
import type { OfferedPost } from '../posts/offer-post.ts';
import type { OpenedPost } from '../posts/open-post.ts';
import { pick, readinessOf, type TakeStockDeps } from './take-stock.ts';

export type TakePostStockDeps = Pick<
  TakeStockDeps,
  'choices' | 'cardOf' | 'keywordOffer' | 'descriptionOffer'
> & {
  offerPost(
    userId: number,
    categoryId: number,
    connectionId: number,
    isAdmin: boolean,
    wanted?: string | null,
  ): Promise<OfferedPost>;
  openPost(userId: number, draftId: number, isAdmin: boolean): Promise<OpenedPost>;
};

/** What the person has, and which of it is chosen: the only one of a kind, or what they chose before. */
export const makeTakePostStock =
  (deps: TakePostStockDeps) =>
  async (input: TakePostStockInput): Promise<PostStock> => {
    const { choices } = deps;
    const { userId, isAdmin } = input;
    const last = input.repeats && input.projectId === null ? await choices.lastPost(userId) : null;
    const wanted = last ?? input;

    const projects = await choices.projects(userId);
    const project = pick(projects, wanted.projectId);
    const [channels, categories] = project.chosen
      ? await Promise.all([
          choices.channels(userId, project.chosen.id),
          choices.categories(userId, project.chosen.id),
        ])
      : [[], []];
    const channel = pick(channels, wanted.connectionId, ({ isBroken }) => !isBroken);
    const category = pick(categories, wanted.categoryId);

    const stock: PostStock = {
      counts: { projects: projects.length, channels: channels.length, categories: categories.length },
      project: project.chosen,
      channel: channel.chosen && { id: channel.chosen.id, name: channel.chosen.name },
      category: category.chosen && { id: category.chosen.id, name: category.chosen.name },
      ...{ readiness: null, keywords: null, description: null, offer: null, draft: null, waits: null },
      gone: firstGone({ project: project.gone, channel: channel.gone, category: category.gone }),
    };
    if (input.draftId !== null) return withDraft(deps, input, stock, input.draftId);
    if (!category.chosen) return stock;
    const [readiness, keywords, description, offer] = await Promise.all([
      readinessOf(deps, userId, category.chosen.id),
      deps.keywordOffer(userId, category.chosen.id),
      deps.descriptionOffer(userId, category.chosen.id),
      channel.chosen ? offerFor(deps, input, category.chosen.id, channel.chosen.id) : null,
    ]);
    return {
      ...stock,
      ...{ readiness, offer },
      keywords: keywords && { ...keywords, isAdmin },
      description: description && { ...description, isAdmin },
    };
  };

const firstGone = (isGone: Record<PostGone, boolean>): PostGone | null =>
  (['project', 'channel', 'category'] as const).find((what) => isGone[what]) ?? null;

/** A post whose channel was disconnected still waits for its person: connected again, the channel takes it. */
async function withDraft(
  { openPost }: TakePostStockDeps,
  { userId, isAdmin }: TakePostStockInput,
  stock: PostStock,
  draftId: number,
): Promise<PostStock> {
  const opened = await openPost(userId, draftId, isAdmin);
  if ('gone' in opened) return stock;
  if ('homeless' in opened) return { ...stock, waits: 'review', gone: 'channel' };
  const { offer, draft, isLost } = opened;
  return { ...stock, offer, draft, waits: isLost ? 'answer' : 'review', gone: null };
}

async function offerFor(
  { offerPost }: TakePostStockDeps,
  { userId, isAdmin, keep }: TakePostStockInput,
  categoryId: number,
  connectionId: number,
): Promise<PostOffer | null> {
  const isSame = keep?.categoryId === categoryId && keep.connectionId === connectionId;
  const found = await offerPost(userId, categoryId, connectionId, isAdmin, isSame ? keep.phrase : null);
  return 'offer' in found ? found.offer : null;
}
