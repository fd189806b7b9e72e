import { to } from '../screens/kit/link.ts';
import { rich } from '../screens/kit/screen.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  askColourScreen,
  type BrandColour,
  type BrandingPage,
  brandColours,
  brandingNotices,
  brandingScreen,
  isBrandColour,
  readingSite,
  refreshedNotice,
  type SiteRefreshed,
} from '../screens/pages/branding.ts';
import { asking, missing, type Route, route, slowAction } from './create-menu.ts';

export type BrandingData = {
  /** Null: there is no such project. */
  page(userId: number, projectId: number): Promise<BrandingPage | null>;
  setColour(userId: number, projectId: number, key: BrandColour, colour: string): Promise<boolean>;
  /** Reads the site anew. */
  read(userId: number, projectId: number): Promise<SiteRefreshed | { refused: string } | null>;
};

const projectList = to('nav:projects');

/** How the project's site looks, and so its articles. */
export function brandingRoutes(data: BrandingData): Route[] {
  return [
    route('project:{pid}:branding', async ({ pid }, { userId }) => {
      const page = await data.page(userId, pid);
      return page ? { show: brandingScreen(page) } : missing(projectList);
    }),
    slowAction('project:{pid}:branding_read', readingSite, async ({ pid }, { userId }) => {
      const done = await data.read(userId, pid);
      if (done === null) return missing(projectList);
      const notice = 'refused' in done ? rich`${done.refused}` : refreshedNotice(done);
      return { open: to('project:{pid}:branding', { pid }), notice };
    }),
    asking('project:{pid}:branding:{key}', {
      async page({ pid, key }, { userId }) {
        const page = isBrandColour(key) ? await data.page(userId, pid) : null;
        const colour = brandColours.find((each) => each.key === key);
        if (!page || !colour) return missing(projectList);
        return { show: askColourScreen(colour.label, page.branding?.colors[colour.key]) };
      },
      wants: ['text'],
      back: ({ pid }) => cancelButton(to('project:{pid}:branding', { pid })),
      async take({ pid, key }, { text }, { userId }) {
        const colour = text.trim().toLowerCase();
        if (!isBrandColour(key)) return missing(projectList);
        if (!/^#[0-9a-f]{6}$/u.test(colour)) return { again: brandingNotices.wrong };
        if (!(await data.setColour(userId, pid, key, colour))) return missing(projectList);
        return { open: to('project:{pid}:branding', { pid }), notice: brandingNotices.saved };
      },
    }),
  ];
}
