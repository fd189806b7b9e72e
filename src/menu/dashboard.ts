import type { Menu, Visitor } from '../engine/menu.ts';
import { type Link, to } from '../screens/kit/link.ts';
import type { RichText } from '../screens/kit/screen.ts';
import {
  type Dashboard,
  dashboardScreen,
  greetingText,
  parkedButtons,
  welcomeScreen,
} from '../screens/pages/dashboard.ts';
import { resumeButtons, type WaitingDialogue } from '../screens/pages/trainer.ts';
import type { Abilities } from './abilities.ts';
import { action, type Route, type RouteAnswer, route } from './create-menu.ts';
import { usualKeyboard } from './usual-keys.ts';

export type DashboardData = {
  dashboard(userId: number): Promise<Dashboard | null>;
  setReferrer(userId: number, referrerId: number): Promise<boolean>;
  /** Of the trainer: those that may be gone on with; and all of them ended. */
  waitingDialogues(userId: number): Promise<readonly WaitingDialogue[]>;
  endDialogues(userId: number): Promise<unknown>;
  /** What people agree to by going on; null: the owner has published nothing. */
  terms: RichText | null;
  abilities: Pick<Abilities, 'writes' | 'readsSites'>;
  noteConsent(userId: number): Promise<void>;
  /** For a person who was forgotten a moment ago and goes on all the same. */
  register(visitor: Visitor): Promise<void>;
};

const invitation = /^ref_(\d{1,15})$/u;

/** `has` tells which features there are: the reply keyboard offers no others. */
export function dashboardRoutes(data: DashboardData, has: (pattern: string) => boolean): Route[] {
  return [
    // The main menu ends a dialogue; one that ran into the silence of 30 minutes is offered there again.
    route('nav:dashboard', (_, visitor) =>
      visitor.leaves === 'AIChat' ? { first: to('start:over') } : menu(visitor),
    ),
    action('start:over', async (_, { userId }) => {
      await data.endDialogues(userId);
      return { open: home };
    }),
    // Forgotten a moment ago, at their own wish, and here again.
    action('start:anew', async (_, visitor) => {
      await data.register(visitor);
      return { open: home };
    }),
    /** `/start`: the inviter of a newcomer is noted once, and dialogues of the trainer end. */
    action('start:{page}:{from}', async ({ page, from }, { userId }) => {
      const inviter = invitation.exec(from)?.[1];
      if (inviter) await data.setReferrer(userId, Number(inviter));
      if (page === 'welcome') await data.noteConsent(userId);
      await data.endDialogues(userId);
      return { open: to(page === 'welcome' ? 'nav:welcome' : 'nav:start'), quietly: true };
    }),
    // Only `/start` opens these two: they greet, and bring the reply keyboard.
    route('nav:start', (_, visitor) => menu(visitor, false)),
    route('nav:welcome', (_, visitor) => menu(visitor, true)),
  ];

  async function menu(visitor: Visitor, isNew?: boolean): Promise<RouteAnswer> {
    const dashboard = await data.dashboard(visitor.userId);
    if (!dashboard) return { first: to('start:anew') };
    const waiting = isNew ? [] : await data.waitingDialogues(visitor.userId);
    const viewer = { isAdmin: visitor.isAdmin, ...data.abilities };
    const screen = isNew
      ? welcomeScreen(dashboard, viewer, data.terms)
      : dashboardScreen(dashboard, viewer, [
          ...parkedButtons(visitor.parked ?? {}),
          ...resumeButtons(waiting),
        ]);
    if (isNew === undefined) return { show: screen };
    const replyKeyboard = usualKeyboard(visitor, has);
    const greeting = { text: greetingText(visitor.firstName, isNew), replyKeyboard };
    return { show: { ...screen, greeting } };
  }
}

export const home = to('nav:dashboard');

/** A dead button still tells what the person was after. */
export function nearest(link: Link | null): Link {
  const entity = link?.pattern.split(':')[0];
  return entity === 'pc' || entity === 'project' || entity === 'category' ? to('nav:projects') : home;
}

/** Where `/start` leads. A way back from Pinterest that no dialogue waited for has a page of its own. */
export const startLink: Menu['start'] = async (payload, _visitor, isNew) =>
  payload.startsWith('pinterest_')
    ? to('nav:consent_lost')
    : to('start:{page}:{from}', {
        page: isNew ? 'welcome' : 'start',
        from: invitation.test(payload) ? payload : 'nobody',
      });
