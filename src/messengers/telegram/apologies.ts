import type { Action } from '../../engine/incoming.ts';
import type { Presenter } from '../../engine/presenter.ts';
import { button } from '../../screens/kit/screen.ts';
import { apology, menuButton, retryLabel } from '../../screens/kit/system.ts';

const ONE_APOLOGY_PER_MS = 60_000;

/** During an outage a person hears one apology, not one for every press. */
export function createApologies(presenter: Presenter, now: () => number = Date.now) {
  const lastTo = new Map<number, number>();
  return { apologise, allIsWell: (userId: number) => lastTo.delete(userId) };

  async function apologise(userId: number, action: Action): Promise<void> {
    if (now() - (lastTo.get(userId) ?? 0) < ONE_APOLOGY_PER_MS) return;
    const again =
      action.kind === 'press' && action.link ? [[button(retryLabel, action.link, 'primary')]] : [];
    const screen = { text: apology, keyboard: [...again, [menuButton]] };
    forgetOld();
    // Before it is said: the other presses of the same outage are failing just now.
    lastTo.set(userId, now());
    try {
      await presenter.show({ userId, screen, notice: null, replace: null });
    } catch (error) {
      lastTo.delete(userId);
      throw error;
    }
  }

  function forgetOld(): void {
    for (const [userId, at] of lastTo) if (now() - at >= ONE_APOLOGY_PER_MS) lastTo.delete(userId);
  }
}
