import { type ProjectField, projectFields } from '../../machines/project-fields.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { to } from '../screens/kit/link.ts';
import { paginate } from '../screens/kit/pager.ts';
import {
  type DeletionCounts,
  deleteProjectScreen,
  noProjectsScreen,
  type ProjectCard,
  type ProjectItem,
  type ProjectStats,
  type ProjectValues,
  projectCardScreen,
  projectCreatedScreen,
  projectDeletedNotice,
  projectFieldsScreen,
  projectListScreen,
  projectStatsScreen,
  timezoneNotice,
  timezoneScreen,
  timezones,
  unfinishedProjectScreen,
} from '../screens/pages/projects.ts';
import { nextPublicationText, type PlannedPlace } from '../screens/pages/schedules.ts';
import { action, askedAgain, missing, orTold, type Route, type RouteAnswer, route } from './create-menu.ts';

export type ProjectsData = {
  list(userId: number): Promise<ProjectItem[]>;
  stats(userId: number): Promise<ProjectStats[]>;
  card(userId: number, projectId: number): Promise<ProjectCard | null>;
  /** What is planned in the project, place by place. */
  plans(userId: number, projectId: number): Promise<{ places: PlannedPlace[]; now: number }>;
  fields(userId: number, projectId: number): Promise<{ values: ProjectValues; timezone: string } | null>;
  setTimezone(userId: number, projectId: number, timezone: string): Promise<boolean>;
  deletionCounts(userId: number, projectId: number): Promise<DeletionCounts | null>;
  remove(userId: number, projectId: number): Promise<{ refunded: number } | null>;
};

const projectList = to('nav:projects');

export function projectRoutes(data: ProjectsData): Route[] {
  return [
    route('nav:projects', (_, { userId }) => list(userId, 1)),
    route('page:projects:{n}', ({ n }, { userId }) => list(userId, n)),
    route('projects:stats', async (_, { userId }) => ({
      show: projectStatsScreen(await data.stats(userId)),
    })),

    route('project:create', (_, { parked }) =>
      parked?.project ? { show: unfinishedProjectScreen(parked.project) } : createProject,
    ),
    route('pc:new', () => createProject),
    route('pc:pause', () => ({ open: projectList })),
    route('pc:resume', () => ({ resume: 'project' })),

    route('project:{pid}:created', async ({ pid }, { userId }) => {
      const project = await data.fields(userId, pid);
      return project ? { show: projectCreatedScreen(pid, project.values.name!) } : missing(projectList);
    }),
    route('project:{pid}:card', async ({ pid }, { userId }) => {
      const card = await data.card(userId, pid);
      if (!card) return missing(projectList);
      const { places, now } = await data.plans(userId, pid);
      return { show: projectCardScreen(card, nextPublicationText(places, now)) };
    }),

    route('project:{pid}:edit', async ({ pid }, { userId }) => {
      const project = await data.fields(userId, pid);
      return project
        ? { show: projectFieldsScreen(pid, project.values, project.timezone) }
        : missing(projectList);
    }),
    route('project:{pid}:edit:{field}', async ({ pid, field }, { userId }) => {
      const project = await data.fields(userId, pid);
      if (!project || !isField(field)) return missing(projectList);
      const input = { projectId: pid, field, current: project.values[field] };
      return { start: { flow: 'ProjectEdit', input }, origin: to('project:{pid}:edit', { pid }) };
    }),

    route('project:{pid}:tz', async ({ pid }, { userId }) => {
      const project = await data.fields(userId, pid);
      return project ? { show: timezoneScreen(pid, project.timezone) } : missing(projectList);
    }),
    action('project:{pid}:tz:{i}', async ({ pid, i }, { userId }) => {
      const choice = timezones[i];
      if (!choice) return missing(projectList);
      // Its schedules move along, or nothing does.
      return orTold(to('project:{pid}:tz', { pid }), async () =>
        (await data.setTimezone(userId, pid, choice.zone))
          ? { open: to('project:{pid}:edit', { pid }), notice: timezoneNotice(choice.label) }
          : missing(projectList),
      );
    }),

    route('project:{pid}:delete', async ({ pid }, { userId }) => {
      const counts = await data.deletionCounts(userId, pid);
      return counts ? { show: deleteProjectScreen(pid, counts) } : missing(projectList);
    }),
    action('project:{pid}:delete:confirm:{h}', async ({ pid, h }, { userId }) => {
      const counts = await data.deletionCounts(userId, pid);
      if (!counts) return missing(projectList);
      if (!stillAsks(deleteProjectScreen(pid, counts), h))
        return askedAgain(to('project:{pid}:delete', { pid }));
      const removed = await data.remove(userId, pid);
      if (!removed) return missing(projectList);
      return { open: projectList, notice: projectDeletedNotice(counts.name, removed.refunded) };
    }),
  ];

  async function list(userId: number, page: number): Promise<RouteAnswer> {
    const projects = await data.list(userId);
    return { show: projects.length === 0 ? noProjectsScreen() : projectListScreen(paginate(projects, page)) };
  }
}

const createProject: RouteAnswer = { start: { flow: 'ProjectCreate', input: {} }, origin: projectList };

const isField = (field: string): field is ProjectField => projectFields.includes(field as ProjectField);
