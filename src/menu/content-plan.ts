import { hash } from 'node:crypto';
import type { Visitor } from '../engine/menu.ts';
import { type Link, to } from '../screens/kit/link.ts';
import type { Picture } from '../screens/kit/screen.ts';
import {
  contentPlanScreen,
  type PlanTopic,
  planNotices,
  planSlotScreen,
  slotMoment,
} from '../screens/pages/content-plan.ts';
import type { PlannedPlace } from '../screens/pages/schedules.ts';
import { action, type DeedAnswer, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type Plan = {
  where: PlannedPlace & { scheduleId: number };
  topics: PlanTopic[];
  /** What else a slot could be about. */
  others(at: number): string[];
};

export type ContentPlanData = {
  /** Null: there is no such schedule, or it is off. */
  plan(userId: number, scheduleId: number): Promise<Plan | null>;
  ofPlace(userId: number, categoryId: number, connectionId: number): Promise<Plan | 'off' | null>;
  /** The week to come, drawn. */
  draw(plan: Plan): Promise<Picture>;
  choose(scheduleId: number, topics: readonly { at: number; phrase: string }[]): Promise<void>;
  forget(scheduleId: number, at: number): Promise<void>;
  now(): number;
};

const projectList = to('nav:projects');
const planOf = ({ where }: Plan): Link =>
  to('sched:{cid}:{nid}:plan', { cid: where.categoryId, nid: where.connectionId });
const markOf = (phrase: string): string => hash('sha1', phrase, 'hex').slice(0, 8);

export function contentPlanRoutes(data: ContentPlanData): Route[] {
  return [
    route('sched:{cid}:{nid}:plan', async ({ cid, nid }, { userId }) => {
      const plan = await data.ofPlace(userId, cid, nid);
      if (!plan) return missing(projectList);
      if (plan === 'off') return { open: to('sched:{cid}:{nid}:open', { cid, nid }) };
      return { show: contentPlanScreen(plan.where, plan.topics, data.now(), await data.draw(plan)) };
    }),
    route('plan:{sid}:{n}', ({ sid, n }, visitor) =>
      slot(sid, n, visitor, (plan, topic) => ({
        show: planSlotScreen(
          plan.where,
          topic,
          plan.others(topic.at).map((phrase) => ({ phrase, mark: markOf(phrase) })),
          data.now(),
          plan.topics.at(-1) !== topic,
        ),
      })),
    ),
    action('plan:{sid}:{n}:take:{i}:{h}', ({ sid, n, h }, visitor) =>
      deed(sid, n, visitor, async (plan, { at }) => {
        const phrase = plan.others(at).find((each) => markOf(each) === h);
        if (phrase === undefined) return { open: planOf(plan), toast: planNotices.changed };
        await data.choose(sid, [{ at, phrase }]);
        return { open: planOf(plan), notice: planNotices.taken(phrase) };
      }),
    ),
    action('plan:{sid}:{n}:later', ({ sid, n }, visitor) =>
      deed(sid, n, visitor, async (plan, topic) => {
        const next = plan.topics[plan.topics.indexOf(topic) + 1];
        if (!next?.phrase || !topic.phrase) return { open: planOf(plan), toast: planNotices.changed };
        await data.choose(sid, [
          { at: topic.at, phrase: next.phrase },
          { at: next.at, phrase: topic.phrase },
        ]);
        return { open: planOf(plan), notice: planNotices.later };
      }),
    ),
    action('plan:{sid}:{n}:auto', ({ sid, n }, visitor) =>
      deed(sid, n, visitor, async (plan, { at }) => {
        await data.forget(sid, at);
        return { open: planOf(plan), notice: planNotices.auto };
      }),
    ),
  ];

  async function slot(
    sid: number,
    n: number,
    { userId }: Visitor,
    answer: (plan: Plan, topic: PlanTopic) => RouteAnswer,
  ): Promise<RouteAnswer> {
    const plan = await data.plan(userId, sid);
    if (!plan) return missing(projectList);
    const topic = plan.topics.find(({ at }) => at === slotMoment(n));
    return topic ? answer(plan, topic) : { open: planOf(plan), toast: planNotices.changed };
  }

  async function deed(
    sid: number,
    n: number,
    { userId }: Visitor,
    act: (plan: Plan, topic: PlanTopic) => Promise<DeedAnswer>,
  ): Promise<DeedAnswer> {
    const plan = await data.plan(userId, sid);
    if (!plan) return missing(projectList);
    const topic = plan.topics.find(({ at }) => at === slotMoment(n));
    return topic ? act(plan, topic) : { open: planOf(plan), toast: planNotices.changed };
  }
}
