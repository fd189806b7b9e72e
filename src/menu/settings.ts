import type { Json } from '../engine/json.ts';
import { to } from '../screens/kit/link.ts';
import type { Switches } from '../screens/pages/profile.ts';
import {
  aboutScreen,
  dataNotices,
  dataScreen,
  deletionScreen,
  exportScreen,
  goneScreen,
  type Losses,
  notifyScreen,
  type Owner,
  type PaidBefore,
  settingsScreen,
  supportScreen,
  switchNames,
  termsScreen,
} from '../screens/pages/settings.ts';
import { action, askedAgain, beside, missing, type Route, route } from './create-menu.ts';

export type SettingsData = {
  owner: Owner;
  version: string;
  switches(userId: number): Promise<Switches>;
  toggle(userId: number, which: keyof Switches): Promise<void>;
  lastPayments(userId: number): Promise<PaidBefore[]>;
  collect(userId: number): Promise<Json>;
  losses(userId: number): Promise<Losses | null>;
  /** False: a subscription could not be ended at the messenger, so nothing was deleted. */
  forget(userId: number): Promise<boolean>;
};

export const settingsCommands = [
  { label: '/paysupport', pattern: 'settings:paysupport' },
  { label: '/terms', pattern: 'settings:terms' },
];

export function settingsRoutes(data: SettingsData): Route[] {
  return [
    route('nav:settings', () => ({ show: settingsScreen() })),
    route('settings:notify', async (_, { userId }) => ({ show: notifyScreen(await data.switches(userId)) })),
    action('notify:{what}', async ({ what }, { userId }) => {
      const name = switchNames.find((each) => each === what);
      if (!name) return missing(to('settings:notify'));
      await data.toggle(userId, name);
      return { open: to('settings:notify') };
    }),
    route('settings:about', () => ({ show: aboutScreen(data.owner, data.version) })),
    route('settings:data', () => ({ show: dataScreen() })),
    route('data:export', async (_, { userId }) => ({
      show: exportScreen(JSON.stringify(await data.collect(userId), null, 2)),
    })),
    route('data:delete', async (_, { userId }) => {
      const losses = await data.losses(userId);
      return losses ? { show: deletionScreen(losses) } : missing(to('nav:settings'));
    }),
    action('data:delete:{n}', async ({ n }, { userId }) => {
      const losses = await data.losses(userId);
      if (!losses) return missing(to('nav:settings'));
      if (Math.max(0, losses.balance) !== n) return askedAgain(to('data:delete'));
      if (!(await data.forget(userId))) return { open: to('settings:data'), notice: dataNotices.away };
      return { open: to('data:gone') };
    }),
    route('data:gone', () => ({ show: goneScreen() })),
    // Questions about money are answered in the middle of anything.
    ...beside([
      route('settings:support', (_, { userId }) => support(userId)),
      route('settings:paysupport', (_, { userId }) => support(userId)),
      route('settings:terms', () => ({ show: termsScreen(data.owner) })),
    ]),
  ];

  async function support(userId: number) {
    return { show: supportScreen(data.owner, userId, await data.lastPayments(userId)) };
  }
}
