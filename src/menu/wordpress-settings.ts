import { to } from '../screens/link.ts';
import {
  type RubricChoice,
  rubricsScreen,
  type SiteSettings,
  schemaTypeScreen,
  schemaTypes,
  siteSettingsScreen,
} from '../screens/wordpress-settings.ts';
import { missing, type Route, route } from './create-menu.ts';

export type SiteSettingsData = {
  read(userId: number, connectionId: number): Promise<SiteSettings | null>;
  rubrics(userId: number, connectionId: number): Promise<RubricChoice | null>;
  /** False when there is no such site. */
  toggleRubric(userId: number, connectionId: number, rubricId: number): Promise<boolean>;
  chooseSchema(userId: number, connectionId: number, schemaType: string): Promise<boolean>;
};

const projectList = to('nav:projects');

/** How articles are filed on one connected site. */
export function siteSettingsRoutes(data: SiteSettingsData): Route[] {
  return [
    route('conn:{nid}:wp', async ({ nid }, { userId }) => {
      const settings = await data.read(userId, nid);
      return settings ? { show: siteSettingsScreen(nid, settings) } : missing(projectList);
    }),
    route('conn:{nid}:wp:cats', async ({ nid }, { userId }) => {
      const choice = await data.rubrics(userId, nid);
      return choice ? { show: rubricsScreen(nid, choice) } : missing(projectList);
    }),
    route('conn:{nid}:wp:cats:{n}', async ({ nid, n }, { userId }) => {
      const done = await data.toggleRubric(userId, nid, n);
      return done ? { open: to('conn:{nid}:wp:cats', { nid }) } : missing(projectList);
    }),
    route('conn:{nid}:wp:schema', async ({ nid }, { userId }) => {
      const settings = await data.read(userId, nid);
      return settings ? { show: schemaTypeScreen(nid, settings) } : missing(projectList);
    }),
    route('conn:{nid}:wp:schema:{i}', async ({ nid, i }, { userId }) => {
      const choice = schemaTypes[i];
      const done = choice && (await data.chooseSchema(userId, nid, choice.type));
      return done ? { open: to('conn:{nid}:wp:schema', { nid }) } : missing(projectList);
    }),
  ];
}
