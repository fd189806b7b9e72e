import type { KeyValueStore } from '../../engine/key-value-store.ts';

/** As long as a person may think over a price. */
export const HELD_SECONDS = 15 * 60;

/** False: the phrase stands on somebody else's price, and an article about it may be written any moment. */
export type HoldPhrase = (
  phrase: string,
  place: { projectId: number; categoryId: number },
) => Promise<boolean>;

/**
 * Keeps a phrase for the one who is being shown its price, so that a schedule or another category of the project does not
 * take it meanwhile. `who` asks again as often as they like, and begins the time anew.
 */
export const makeHoldPhrase =
  ({ setIfAbsent, get, set }: Pick<KeyValueStore, 'setIfAbsent' | 'get' | 'set'>, who: string): HoldPhrase =>
  async (phrase, { projectId, categoryId }) => {
    const key = `phrase-held:${projectId}:${phrase.trim().toLowerCase()}`;
    const holder = `${who}:${categoryId}`;
    if (await setIfAbsent(key, holder, HELD_SECONDS)) return true;
    if ((await get(key)) !== holder) return false;
    await set(key, holder, HELD_SECONDS);
    return true;
  };
