import { takesArticles } from '../../platforms/platforms.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import { momentOf, slotKey } from '../../store/planned-topics.ts';
import type { Schedule } from '../../store/schedules.ts';
import { chooseCluster, type Keywords, rankCandidates, type Use } from '../quality/choose-cluster.ts';
import { cronOf, nextSlot } from './cron.ts';

/** `phrase` null: the category has nothing to write about. */
type PlannedTopic = { at: number; phrase: string | null; isChosen: boolean };

const PLAN_SLOTS = 10;
/** Of a schedule with one slot a week, ten weeks. */
const HORIZON_MS = 80 * 86_400_000;

type Deps = {
  /** All schedules of the project that run, this one among them: they draw on the same phrases. */
  neighbours(schedule: Schedule): Promise<Schedule[]>;
  keywordsOf(schedule: Schedule): Promise<CategoryBrief | null>;
  usesOf(categoryId: number, contentType: ContentType): Promise<Use[]>;
  chosen(scheduleIds: readonly number[]): Promise<Map<string, string>>;
  now(): number;
};
type ContentType = 'article' | 'social_post';

/**
 * The next slots of a schedule with the phrase that each will take: the rotation itself, played ahead over all slots of
 * the project in the order in which they come.
 */
export const makeContentPlan =
  ({ neighbours, keywordsOf, usesOf, chosen, now }: Deps) =>
  async (schedule: Schedule): Promise<{ topics: PlannedTopic[]; others: (at: number) => string[] }> => {
    const contentType = typeOf(schedule);
    const schedules = (await neighbours(schedule)).filter(
      (each) => each.isOn && typeOf(each) === contentType,
    );
    const wanted = await chosen(schedules.map(({ id }) => id));
    const keywords = new Map<number, Keywords>();
    for (const each of schedules) keywords.set(each.id, (await keywordsOf(each))?.keywords ?? []);
    const uses = [...(await usesOf(schedule.categoryId, contentType))];
    const topics: PlannedTopic[] = [];
    for (const { its, at } of slotsAhead(schedules, schedule)) {
      const want = wanted.get(slotKey(its.id, at)) ?? null;
      const known = want === null ? [...uses, ...heldAfter(at)] : uses;
      const choice = chooseCluster(keywords.get(its.id) ?? [], contentType, known, new Date(at), want);
      if (choice) uses.push({ keyword: choice.mainPhrase, at: new Date(at) });
      if (its.id !== schedule.id) continue;
      topics.push({
        at,
        phrase: choice?.mainPhrase ?? null,
        isChosen: want !== null && choice?.mainPhrase === want,
      });
    }
    return { topics, others };

    /** Phrases that owners have chosen for later slots: the rotation leaves them there. */
    function heldAfter(at: number): Use[] {
      return [...wanted]
        .map(([slot, keyword]) => ({ keyword, at: new Date(momentOf(slot)) }))
        .filter((use) => use.at.getTime() > at);
    }

    /** What else a slot could be about, in the order in which the rotation would take it. */
    function others(at: number): string[] {
      const taken = topics.find((topic) => topic.at === at)?.phrase;
      return rankCandidates(keywords.get(schedule.id) ?? [], contentType, uses, new Date(at))
        .map(({ mainPhrase }) => mainPhrase)
        .filter((phrase) => phrase !== taken);
    }

    /** Slots of all schedules in order, until this one has had its ten. */
    function slotsAhead(all: readonly Schedule[], own: Schedule): { its: Schedule; at: number }[] {
      const ownSlots = slotsOf(own, PLAN_SLOTS);
      const last = ownSlots.at(-1) ?? 0;
      const foreign = all.filter(({ id }) => id !== own.id).flatMap((its) => slotsUntil(its, last));
      return [...ownSlots.map((at) => ({ its: own, at })), ...foreign].toSorted(
        (one, other) => one.at - other.at || one.its.id - other.its.id,
      );
    }

    function slotsOf(its: Schedule, count: number): number[] {
      return slotsUntil(its, now() + HORIZON_MS)
        .map(({ at }) => at)
        .slice(0, count);
    }

    function slotsUntil(its: Schedule, end: number): { its: Schedule; at: number }[] {
      const moments = its.times.flatMap((time) => {
        const cron = cronOf(its.days, time);
        const found: number[] = [];
        for (let at = nextSlot(cron, its.timeZone, now()); at <= end; at = nextSlot(cron, its.timeZone, at))
          found.push(at);
        return found;
      });
      return moments.toSorted((one, other) => one - other).map((at) => ({ its, at }));
    }
  };

const typeOf = ({ platform }: Schedule): ContentType => (takesArticles(platform) ? 'article' : 'social_post');
