import type { FlowId } from '../../machines/registry.ts';

/** A session is read and written with every update. */
const MOST_BYTES = 4_096;

/**
 * How long the lists in contexts can get, by path or by name: their makers cut them. Any other list counts as one of the
 * person's own (projects, phrases, publications), which have no end: a loader brings those to the screen.
 */
const bounds: Readonly<Record<string, number>> = {
  'AIChat.components': 5,
  'AIChat.dialogue_entries': 20,
  'AIChat.dialogue_entries[].achieved': 5,
  'AIChat.total_provd_achieved': 5,
  'ArticlePublish.offer.mayBeOn': 5,
  'ArticlePipeline.phrases.items': 10,
  'ArticlePipeline.prices.category.first': 5,
  'ArticlePublish.phrases.items': 10,
  'ArticleRefresh.proposal.added': 4,
  'ArticleRefresh.proposal.changes': 5,
  'ArticleRefresh.proposal.removed': 4,
  'CompetitorAnalysis.categories': 5,
  'CompetitorAnalysis.report.gaps': 10,
  'CompetitorAnalysis.report.recommendations': 10,
  'CompetitorAnalysis.report.strengths': 10,
  'PriceInput.prices.category.first': 5,
  'ScheduleSetup.days': 7,
  'ScheduleSetup.times': 5,
  'ConnectPinterest.pinterest.grant.boards': 24,
  'ConnectVK.vk.known.groups': 24,
  'SocialPipeline.cross.chosen': 8,
  'SocialPipeline.cross.outcomes': 8,
  'SocialPipeline.cross.targets': 8,
  'SocialPipeline.pinterest.grant.boards': 24,
  'SocialPipeline.vk.known.groups': 24,
  'ReviewGeneration.written.reviews': 10,
  'ArticlePipeline.siteCard.topics': 3,
  'ProjectCreate.siteCard.topics': 3,
  'SocialPipeline.siteCard.topics': 3,
  warnings: 5,
};
const A_PERSONS_OWN = 200;

/** Texts of little worth wait in the session itself, as the FSM specification has it: up to ten sample reviews. */
const withTexts: Partial<Record<FlowId, number>> = { ReviewGeneration: 20_480 };

export const mostBytes = (id: FlowId): number => withTexts[id] ?? MOST_BYTES;

/** What a stored state takes when every list in its context is as long as it can get. */
export const bytesOf = (id: FlowId, { value, context }: { value: unknown; context: unknown }): number =>
  Buffer.byteLength(JSON.stringify({ value, context: stretched(id, context) }));

/** The same with every list filled up to its bound by repeating what is in it. */
function stretched(path: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const most = bounds[path] ?? bounds[path.slice(path.lastIndexOf('.') + 1)] ?? A_PERSONS_OWN;
    const items = value.length === 0 ? [] : Array.from({ length: most }, (_, n) => value[n % value.length]);
    return items.map((item) => stretched(`${path}[]`, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, stretched(`${path}.${key}`, part)]),
  );
}
