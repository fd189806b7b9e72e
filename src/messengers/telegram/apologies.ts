import type { Action } from '../../engine/incoming.ts';
import type { Presenter } from '../../engine/presenter.ts';
import { button } from '../../screens/kit/screen.ts';
import { apology, menuButton, outage, retryLabel } from '../../screens/kit/system.ts';

const ONE_APOLOGY_PER_MS = 60_000;
// A restart of a store is over by then: the person gets their answer instead, a little late.
const OUTAGE_LASTS_MS = 8_000;
// People who blocked the bot meanwhile are never well again, and would be remembered for ever.
const MOST_PEOPLE = 10_000;

type Known = { apologisedAt: number; awaySince: number | null; toldOfOutage: boolean };

/**
 * What a person is told when we failed: at most one apology a minute for mistakes of ours, and one word per outage of a
 * store, if it lasts. `isFirst` asks the processes' common memory, so that two of them do not both tell of one outage.
 */
export function createApologies(
  presenter: Presenter,
  isFirst: (userId: number) => Promise<boolean> = async () => true,
  now: () => number = Date.now,
) {
  const people = new Map<number, Known>();
  return { apologise, waiting, allIsWell: (userId: number) => people.delete(userId) };

  async function apologise(userId: number, action: Action): Promise<void> {
    const known = knownOf(userId);
    const before = known.apologisedAt;
    if (now() - before < ONE_APOLOGY_PER_MS) return;
    const again =
      action.kind === 'press' && action.link ? [[button(retryLabel, action.link, 'primary')]] : [];
    const screen = { text: apology, keyboard: [...again, [menuButton]] };
    // Before it is said: the other presses of the same moment are failing just now.
    known.apologisedAt = now();
    try {
      await presenter.show({ userId, screen, notice: null, replace: null });
    } catch (error) {
      known.apologisedAt = before;
      throw error;
    }
  }

  /** An update could not be applied and will come again. No button: the person should not do it twice. */
  async function waiting(userId: number): Promise<void> {
    const known = knownOf(userId);
    known.awaySince ??= now();
    if (known.toldOfOutage || now() - known.awaySince < OUTAGE_LASTS_MS) return;
    known.toldOfOutage = true;
    if (!(await isFirst(userId))) return;
    try {
      const screen = { text: outage, keyboard: [] };
      await presenter.show({ userId, screen, notice: null, replace: null });
    } catch (error) {
      known.toldOfOutage = false;
      throw error;
    }
  }

  function knownOf(userId: number): Known {
    if (people.size >= MOST_PEOPLE) people.clear();
    const known = people.get(userId) ?? {
      apologisedAt: Number.NEGATIVE_INFINITY,
      awaySince: null,
      toldOfOutage: false,
    };
    people.set(userId, known);
    return known;
  }
}
