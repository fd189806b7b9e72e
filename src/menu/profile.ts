import { to } from '../screens/kit/link.ts';
import {
  type HistoryPage,
  type HistoryScope,
  historyScopes,
  historyScreen,
  invitationScreen,
  type Profile,
  profileScreen,
  type Referrals,
  referralScreen,
} from '../screens/pages/profile.ts';
import { missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type ProfileData = {
  profile(userId: number): Promise<Profile | null>;
  /** A drawing of what was spent, where something was. */
  plot(userId: number): Promise<Uint8Array | null>;
  history(userId: number, scope: HistoryScope, page: number): Promise<HistoryPage>;
  referrals(userId: number): Promise<Referrals>;
  /** Null while the bot does not know its own name. */
  inviteLink(userId: number): Promise<string | null>;
};

export function profileRoutes(data: ProfileData): Route[] {
  return [
    route('nav:profile', async (_, { userId }) => {
      const profile = await data.profile(userId);
      if (!profile) return missing(to('nav:dashboard'));
      return { show: profileScreen(profile, await data.plot(userId)) };
    }),
    route('profile:history', (_, { userId }) => historyAt(userId, 'all', 1)),
    route('hist:{f}', ({ f }, { userId }) => historyAt(userId, f, 1)),
    route('page:hist:{f}:{n}', ({ f, n }, { userId }) => historyAt(userId, f, n)),
    route('profile:referral', async (_, { userId }) => {
      const link = await data.inviteLink(userId);
      if (link === null) return missing(to('nav:profile'));
      return { show: referralScreen(link, await data.referrals(userId)) };
    }),
    route('referral:link', async (_, { userId }) => {
      const link = await data.inviteLink(userId);
      return link === null ? missing(to('nav:profile')) : { show: invitationScreen(link) };
    }),
  ];

  async function historyAt(userId: number, scope: string, page: number): Promise<RouteAnswer> {
    const known = historyScopes.find((each) => each === scope);
    if (!known) return missing(to('nav:profile'));
    return { show: historyScreen(await data.history(userId, known, page)) };
  }
}
