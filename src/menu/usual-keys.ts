import type { RouteAnswer, Visitor } from '../engine/menu.ts';
import type { Keys } from '../screens/kit/screen.ts';
import { notices } from '../screens/kit/system.ts';
import { replyLabels } from '../screens/pages/dashboard.ts';

/** Whether the person leaves a flow that has put a chooser of channels in the place of the usual keys. */
const leavesChooser = ({ leaves, parked }: Visitor): boolean =>
  leaves === 'ConnectTelegram' ||
  (leaves === 'SocialPipeline' && parked?.pipeline?.context.keys === 'chooser');

/** `has` tells which features there are: the keys offer no others. */
export function usualKeyboard({ isAdmin }: Visitor, has: (pattern: string) => boolean): string[][] {
  return replyLabels
    .map((row) => row.filter(({ pattern, adminOnly }) => has(pattern) && (isAdmin || !adminOnly)))
    .filter((row) => row.length > 0)
    .map((row) => row.map(({ label }) => label));
}

/** After a chooser: the usual keys in their place again. */
export const keysBack = (visitor: Visitor, has: (pattern: string) => boolean): Keys => ({
  text: notices.keysBack,
  replyKeyboard: usualKeyboard(visitor, has),
});

/** A page that is opened out of such a flow brings the usual keys along. */
export function withKeysBack(
  answer: RouteAnswer,
  visitor: Visitor,
  has: (pattern: string) => boolean,
): RouteAnswer {
  if (!leavesChooser(visitor) || !('show' in answer) || answer.show.keys || answer.show.greeting)
    return answer;
  return { ...answer, show: { ...answer.show, keys: keysBack(visitor, has) } };
}
