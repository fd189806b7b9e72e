import { withDeadline } from '../../clients/http/deadline.ts';
import type { Log } from '../../log.ts';
import { isYandexMarket, RUSSIA } from '../../markets.ts';
import type { PhraseGroup } from '../../screens/pages/keywords.ts';
import type { Season, SeasonMonth } from './keyword-data.ts';

/** A person waits for the page: the plot is worth this much of their time, and is there at once when they come back. */
const PATIENCE_MS = 2_500;

/** When in the year people search for what a cluster is about, told by its main phrase. */
export const makeClusterSeason =
  ({
    seasonOf,
    log,
    patienceMs = PATIENCE_MS,
  }: {
    /** Null: no supplier counts by months. */
    seasonOf: Season | null;
    log: Log;
    patienceMs?: number;
  }) =>
  async (
    userId: number,
    { type, mainPhrase, phrases }: PhraseGroup,
  ): Promise<readonly SeasonMonth[] | null> => {
    if (!seasonOf || type === null || mainPhrase === '') return null;
    const counted = phrases.find(({ phrase }) => phrase === mainPhrase)?.market;
    const market = isYandexMarket(counted) ? counted : RUSSIA;
    return knownInTime(patienceMs, log, (signal) => seasonOf(mainPhrase, { userId, market, signal }));
  };

/** A page that waits for a supplier is shown without what does not come in time. */
export async function knownInTime<Known>(
  patienceMs: number,
  log: Log,
  ask: (signal: AbortSignal) => Promise<Known | null>,
): Promise<Known | null> {
  try {
    return await withDeadline(patienceMs, undefined, ask);
  } catch (err) {
    log.info({ err }, 'what a page wanted to show was not known in time');
    return null;
  }
}
