import { isDeepStrictEqual } from 'node:util';
import type { Link } from '../screens/kit/link.ts';
import type { Action } from './incoming.ts';
import type { Session } from './session.ts';
import type { Situation } from './situation.ts';

// A messenger cuts a text above its limit (Telegram's is 4,096 characters) at the last blank before it, and sends the
// rest as a message of its own at once. The wait is shorter than it takes to read an answer and type another word: a
// rest that comes later is answered twice, which is better than an answer that is lost.
const CUT_FROM = 4_000;
const REST_COMES_WITHIN_MS = 2_000;

const isCut = (action: Action): boolean => action.kind === 'text' && action.text.length >= CUT_FROM;

/** Whether this is the rest of a text whose beginning was answered already. */
export const isRestOfText = (action: Action, { session, silentMs }: Situation): boolean =>
  action.kind === 'text' && session.longText !== null && silentMs < REST_COMES_WITHIN_MS;

/** What the session remembers of this text until the next word. */
export function rememberText(action: Action, before: Situation, next: Session): Session['longText'] {
  if (!isCut(action)) return isRestOfText(action, before) ? before.session.longText : null;
  const isTaken = next.doing !== null || next.flow?.snapshot.value !== before.session.flow?.snapshot.value;
  return isTaken ? 'taken' : 'refused';
}

/** A page that asks again has taken nothing of the text. */
export const settleText = (next: Session, asked: Link): Session =>
  next.longText && isDeepStrictEqual(next.page, asked) ? { ...next, longText: 'refused' } : next;
