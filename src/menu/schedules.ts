import type { ScheduleOffer } from '../../machines/schedule-setup.ts';
import type { Weekday } from '../../machines/week.ts';
import type { Visitor } from '../engine/menu.ts';
import { automationNotice, PRESET_TIME, presets } from '../screens/fragments/automation-offer.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import {
  categoryScheduleScreen,
  deleteScheduleScreen,
  type PlannedPlace,
  type PlannedSchedule,
  type Planning,
  projectScheduleScreen,
  scheduleNotices,
  scheduleSavedScreen,
  scheduleScreen,
} from '../screens/pages/schedules.ts';
import {
  action,
  askedAgain,
  type DeedAnswer,
  missing,
  orTold,
  type Route,
  type RouteAnswer,
  route,
} from './create-menu.ts';

export type SchedulingData = {
  /** Null: there is no such project. */
  project(
    userId: number,
    projectId: number,
  ): Promise<{
    projectName: string;
    categories: { id: number; name: string }[];
    places: PlannedPlace[];
  } | null>;
  category(
    userId: number,
    categoryId: number,
  ): Promise<{ projectId: number; categoryName: string; places: PlannedPlace[] } | null>;
  place(userId: number, categoryId: number, connectionId: number): Promise<PlannedPlace | null>;
  ofSchedule(
    userId: number,
    scheduleId: number,
  ): Promise<(PlannedPlace & { schedule: PlannedSchedule }) | null>;
  balance(userId: number): Promise<number>;
  save(
    userId: number,
    categoryId: number,
    connectionId: number,
    slots: { days: Weekday[]; times: string[] },
  ): Promise<void>;
  switchOn(userId: number, scheduleId: number): Promise<void>;
  switchOff(userId: number, scheduleId: number): Promise<void>;
  setAsksFirst(userId: number, scheduleId: number, asksFirst: boolean): Promise<boolean>;
  remove(userId: number, scheduleId: number): Promise<boolean>;
  /** `left`: the scheduler did not take them. */
  resumeAll(userId: number): Promise<{ on: number; left: number }>;
  /** The offer behind a publication is not made again until its next moment. */
  putOffAutomation(userId: number, publicationId: number): Promise<void>;
  now(): number;
};

const projectList = to('nav:projects');
const openPlace = ({ categoryId: cid, connectionId: nid }: PlannedPlace): Link =>
  to('sched:{cid}:{nid}:open', { cid, nid });

export function scheduleRoutes(data: SchedulingData): Route[] {
  return [
    route('project:{pid}:scheduler', ({ pid }, visitor) => ofProject(pid, visitor, 1)),
    route('page:sched:{pid}:{n}', ({ pid, n }, visitor) => ofProject(pid, visitor, n)),
    route('sched:cat:{cid}', async ({ cid }, visitor) => {
      const category = await data.category(visitor.userId, cid);
      if (!category) return missing(projectList);
      // Nothing to publish to: the connections come first.
      if (category.places.length === 0)
        return { open: to('project:{pid}:connections', { pid: category.projectId }) };
      return { show: categoryScheduleScreen(category, await planning(visitor, category.places)) };
    }),
    route('sched:{cid}:{nid}:open', ({ cid, nid }, visitor) =>
      ofPlace(cid, nid, visitor, async (place) => ({
        show: scheduleScreen(place, await planning(visitor, [])),
      })),
    ),
    route('sched:{cid}:{nid}:saved', ({ cid, nid }, visitor) =>
      ofPlace(cid, nid, visitor, async (place) =>
        place.schedule?.isOn
          ? { show: scheduleSavedScreen(place, await planning(visitor, [])) }
          : { open: openPlace(place) },
      ),
    ),
    route('sched:{cid}:{nid}:manual', ({ cid, nid }, visitor) =>
      ofPlace(cid, nid, visitor, (place) => ({
        start: { flow: 'ScheduleSetup', input: toOffer(place) },
        origin: openPlace(place),
      })),
    ),

    action('sched:{cid}:{nid}:preset:{code}', async ({ cid, nid, code }, { userId }) => {
      const preset = presets.find((each) => each.code === code);
      const place = preset && (await data.place(userId, cid, nid));
      if (!place) return missing(projectList);
      return orTold(openPlace(place), async () => {
        await data.save(userId, cid, nid, { days: [...preset.days], times: [PRESET_TIME] });
        return { open: to('sched:{cid}:{nid}:saved', { cid, nid }) };
      });
    }),
    action('schedule:{sid}:on', ({ sid }, visitor) =>
      change(sid, visitor, (place) =>
        orTold(openPlace(place), async () => {
          await data.switchOn(visitor.userId, sid);
          return { open: openPlace(place), notice: scheduleNotices.on };
        }),
      ),
    ),
    action('schedule:{sid}:off', ({ sid }, visitor) =>
      change(sid, visitor, async (place) => {
        await data.switchOff(visitor.userId, sid);
        return { open: openPlace(place), notice: scheduleNotices.off };
      }),
    ),
    action('schedule:{sid}:asks', ({ sid }, visitor) => setMode(sid, visitor, true)),
    action('schedule:{sid}:direct', ({ sid }, visitor) => setMode(sid, visitor, false)),
    route('schedule:{sid}:delete', async ({ sid }, { userId }) => {
      const place = await data.ofSchedule(userId, sid);
      return place ? { show: deleteScheduleScreen(place) } : missing(projectList);
    }),
    action('schedule:{sid}:delete:yes:{h}', ({ sid, h }, visitor) =>
      change(sid, visitor, async (place) => {
        if (!stillAsks(deleteScheduleScreen(place), h))
          return askedAgain(to('schedule:{sid}:delete', { sid }));
        await data.remove(visitor.userId, sid);
        return { open: openPlace(place), notice: scheduleNotices.deleted };
      }),
    ),
    action('automation:{n}:later', async ({ n }, { userId }) => {
      await data.putOffAutomation(userId, n);
      return { open: to('publication:{n}:result', { n }), notice: automationNotice };
    }),
    action('schedules:resume', async (_, { userId }) => ({
      open: projectList,
      notice: scheduleNotices.resumed(await data.resumeAll(userId)),
    })),
  ];

  async function planning({ userId, isAdmin }: Visitor, places: PlannedPlace[]): Promise<Planning> {
    return { places, balance: await data.balance(userId), isAdmin, now: data.now() };
  }

  async function ofProject(pid: number, visitor: Visitor, page: number): Promise<RouteAnswer> {
    const project = await data.project(visitor.userId, pid);
    if (!project) return missing(projectList);
    const { projectName, categories, places } = project;
    if (categories.length === 0) return { open: to('project:{pid}:categories', { pid }) };
    if (places.length === 0) return { open: to('project:{pid}:connections', { pid }) };
    return {
      show: projectScheduleScreen(
        { projectId: pid, projectName },
        await planning(visitor, places),
        paginate(categories, page),
      ),
    };
  }

  async function ofPlace(
    cid: number,
    nid: number,
    { userId }: Visitor,
    answer: (place: PlannedPlace) => RouteAnswer | Promise<RouteAnswer>,
  ): Promise<RouteAnswer> {
    const place = await data.place(userId, cid, nid);
    return place ? answer(place) : missing(projectList);
  }

  async function change(
    sid: number,
    { userId }: Visitor,
    act: (place: PlannedPlace & { schedule: PlannedSchedule }) => Promise<DeedAnswer>,
  ): Promise<DeedAnswer> {
    const place = await data.ofSchedule(userId, sid);
    return place ? act(place) : missing(projectList);
  }

  function setMode(sid: number, visitor: Visitor, asksFirst: boolean): Promise<DeedAnswer> {
    return change(sid, visitor, (place) =>
      orTold(openPlace(place), async () => {
        await data.setAsksFirst(visitor.userId, sid, asksFirst);
        return {
          open: openPlace(place),
          notice: asksFirst ? scheduleNotices.asksFirst : scheduleNotices.direct,
        };
      }),
    );
  }
}

function toOffer(place: PlannedPlace): ScheduleOffer {
  const { categoryId, categoryName, connectionId, timeZone, schedule } = place;
  return {
    categoryId,
    categoryName,
    connectionId,
    place: place.place,
    timeZone,
    days: schedule?.days ?? [],
    times: schedule?.times ?? [],
  };
}
