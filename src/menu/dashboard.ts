import type { Menu, Visitor } from '../engine/menu.ts';
import { type Link, to } from '../screens/kit/link.ts';
import {
  type Dashboard,
  dashboardScreen,
  greetingText,
  parkedButtons,
  welcomeScreen,
} from '../screens/pages/dashboard.ts';
import { resumeButtons, type WaitingDialogue } from '../screens/pages/trainer.ts';
import { type Route, type RouteAnswer, route } from './create-menu.ts';
import { usualKeyboard } from './usual-keys.ts';

export type DashboardData = {
  dashboard(userId: number): Promise<Dashboard | null>;
  setReferrer(userId: number, referrerId: number): Promise<boolean>;
  /** Of the trainer: those that may be gone on with; and all of them ended. */
  waitingDialogues(userId: number): Promise<readonly WaitingDialogue[]>;
  endDialogues(userId: number): Promise<unknown>;
};

/** `has` tells which features there are: the reply keyboard offers no others. */
export function dashboardRoutes(data: DashboardData, has: (pattern: string) => boolean): Route[] {
  return [
    route('nav:dashboard', async (_, visitor) => {
      // The main menu ends a dialogue; one that ran into the silence of 30 minutes is offered there again.
      if (visitor.leaves === 'AIChat') await data.endDialogues(visitor.userId);
      return menu(visitor);
    }),
    // Only `/start` opens these two: they greet, and bring the reply keyboard.
    route('nav:start', (_, visitor) => menu(visitor, false)),
    route('nav:welcome', (_, visitor) => menu(visitor, true)),
  ];

  async function menu(visitor: Visitor, isNew?: boolean): Promise<RouteAnswer> {
    const dashboard = await data.dashboard(visitor.userId);
    if (!dashboard) throw new Error(`user ${visitor.userId} is not registered`);
    const waiting = isNew ? [] : await data.waitingDialogues(visitor.userId);
    const screen = isNew
      ? welcomeScreen(dashboard, visitor.isAdmin)
      : dashboardScreen(dashboard, visitor.isAdmin, [
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

/** Where `/start` leads; on the way, whoever invited a newcomer is noted once. */
export const makeStart =
  (data: DashboardData): Menu['start'] =>
  async (payload, visitor, isNew): Promise<Link> => {
    const inviter = /^ref_(\d{1,15})$/u.exec(payload)?.[1];
    if (inviter) await data.setReferrer(visitor.userId, Number(inviter));
    await data.endDialogues(visitor.userId);
    return to(isNew ? 'nav:welcome' : 'nav:start');
  };
