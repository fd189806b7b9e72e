import { ChatClosed, type Presenter, ShowLater } from '../../engine/presenter.ts';
import type { Log } from '../../log.ts';
import type { Screen } from '../../screens/kit/screen.ts';
import type { Pace } from './pace.ts';

/** Which of the person's switches a message obeys. `important` obeys none: money, access, what they asked for. */
export type Subject = 'publications' | 'balance' | 'news' | 'important';

export type Told =
  | 'told'
  /** Switched off by the person, or there is no such person. */
  | 'unwanted'
  | 'blocked'
  /** The messenger may have it: never sent again on a guess. */
  | 'unknown'
  /** Certainly not sent. `afterMs` is what the messenger asks for; null: try again when you like. */
  | { later: { afterMs: number | null } };

export type TellPerson = (push: { userId: number; about: Subject; screen: Screen }) => Promise<Told>;

/**
 * The one way in which the bot speaks without being spoken to. The message stands beside the person's screen: the
 * session is neither read nor changed, so a question that is open stays open, and its buttons work as before.
 */
export function makeTellPerson({
  listens,
  setBlocked,
  presenter,
  pace,
  log,
}: {
  listens(userId: number, about: Subject): Promise<'yes' | 'unwanted' | 'blocked'>;
  setBlocked(userId: number, isBlocked: boolean): Promise<void>;
  presenter: Presenter;
  pace: Pace;
  log: Log;
}): TellPerson {
  return async ({ userId, about, screen }) => {
    const listening = await listens(userId, about);
    if (listening !== 'yes') return listening;
    await pace.turn(userId);
    try {
      await presenter.show({ userId, screen, notice: null, replace: null });
      return 'told';
    } catch (error) {
      if (error instanceof ChatClosed) {
        await setBlocked(userId, true);
        return 'blocked';
      }
      if (!(error instanceof ShowLater)) throw error;
      log.warn({ err: error, user: userId }, 'a push was not brought');
      if (error.retryAfterMs !== null) pace.rest(error.retryAfterMs);
      return error.mayHaveArrived ? 'unknown' : { later: { afterMs: error.retryAfterMs } };
    }
  };
}
