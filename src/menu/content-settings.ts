import {
  type Block,
  type Edited,
  isOffered,
  isSettingKey,
  type Scope,
  type SettingKey,
  type Stored,
  settingOf,
  withChoice,
} from '../content-options.ts';
import { isPlatform } from '../platforms/platforms.ts';
import { to } from '../screens/kit/link.ts';
import type { Screen } from '../screens/kit/screen.ts';
import {
  blockScreen,
  moreScreen,
  optionsLink,
  optionsScreen,
  parentLink,
  resetScreen,
  type SettingsPage,
  settingNotices,
  settingsLink,
  settingsScreen,
} from '../screens/pages/content-settings.ts';
import { action, type DeedAnswer, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type ContentSettingsData = {
  /** Null: no such category. */
  page(userId: number, categoryId: number, scope: Scope): Promise<SettingsPage | null>;
  change(
    userId: number,
    categoryId: number,
    scope: Scope,
    block: Block,
    edit: (stored: Stored) => Edited,
  ): Promise<'done' | 'full' | 'unchanged' | null>;
  reset(userId: number, categoryId: number, scope: Scope): Promise<boolean>;
};

const projectList = to('nav:projects');

/** Buttons only: nothing is typed here. A press says what it leads to, so that pressed twice it does no harm. */
export function contentSettingsRoutes(data: ContentSettingsData): Route[] {
  return [
    route('project:{pid}:category:{cid}:settings', ({ cid }, { userId }) =>
      shown(userId, cid, 'd', settingsScreen),
    ),
    route('category:{cid}:platform:{plt}:settings', ({ cid, plt }, { userId }) =>
      shown(userId, cid, plt, settingsScreen),
    ),
    route('cs:{cid}:{g}:text', ({ cid, g }, { userId }) =>
      shown(userId, cid, g, (page) => blockScreen(page, 'text')),
    ),
    route('cs:{cid}:{g}:img', ({ cid, g }, { userId }) =>
      shown(userId, cid, g, (page) => blockScreen(page, 'image')),
    ),
    route('cs:{cid}:{g}:imx', ({ cid, g }, { userId }) => shown(userId, cid, g, moreScreen)),
    route('cs:{cid}:{g}:reset', ({ cid, g }, { userId }) => shown(userId, cid, g, resetScreen)),
    action('cs:{cid}:{g}:reset:yes', async ({ cid, g }, { userId }) => {
      const scope = scopeOf(g);
      const page = scope === undefined ? null : await data.page(userId, cid, scope);
      if (!page || !(await data.reset(userId, cid, page.scope))) return missing(projectList);
      return { open: settingsLink(page), notice: settingNotices.reset(page.scope) };
    }),
    route('cs:{cid}:{g}:{key}', ({ cid, g, key }, { userId }) =>
      isSettingKey(key) && offers(g, key)
        ? shown(userId, cid, g, (page) => optionsScreen(page, key))
        : missing(projectList),
    ),
    action('cs:{cid}:{g}:{key}:{i}:on', ({ cid, g, key, i }, { userId }) =>
      chosen(userId, cid, g, key, i, true),
    ),
    action('cs:{cid}:{g}:{key}:{i}:off', ({ cid, g, key, i }, { userId }) =>
      chosen(userId, cid, g, key, i, false),
    ),
  ];

  async function shown(
    userId: number,
    cid: number,
    g: string,
    show: (page: SettingsPage) => Screen,
  ): Promise<RouteAnswer> {
    const scope = scopeOf(g);
    const page = scope === undefined ? null : await data.page(userId, cid, scope);
    return page ? { show: show(page) } : missing(projectList);
  }

  async function chosen(
    userId: number,
    cid: number,
    g: string,
    key: string,
    i: number,
    on: boolean,
  ): Promise<DeedAnswer> {
    const scope = scopeOf(g);
    if (scope === undefined || !isSettingKey(key) || !isOffered(key, scope)) return missing(projectList);
    const setting = settingOf(key);
    const done = await data.change(userId, cid, scope, setting.block, (stored) =>
      withChoice(key, i, on, stored, scope),
    );
    if (done === null) return missing(projectList);
    if (done === 'full') return { open: optionsLink(cid, scope, key), notice: settingNotices.full };
    // One choice is made; of a list more may follow.
    return { open: setting.kind === 'one' ? parentLink(cid, scope, key) : optionsLink(cid, scope, key) };
  }
}

/** `d` is the category; undefined: no such place. */
function scopeOf(g: string): Scope | undefined {
  if (g === 'd') return null;
  return isPlatform(g) ? g : undefined;
}

function offers(g: string, key: SettingKey): boolean {
  const scope = scopeOf(g);
  return scope !== undefined && isOffered(key, scope);
}
