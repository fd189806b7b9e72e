import type { Log } from '../../log.ts';
import type { PhraseGroup } from '../../screens/pages/keywords.ts';
import { knownInTime } from './cluster-season.ts';
import type { PlaceDemand, Places } from './keyword-data.ts';

/** The person has pressed for it and waits for nothing else. */
const PATIENCE_MS = 8_000;

/** In which cities people search for what a cluster is about, by its main phrase. Null: no supplier counts by cities. */
export const makeClusterPlaces =
  (placesOf: Places | null, log: Log) =>
  async (
    userId: number,
    { type, mainPhrase }: Pick<PhraseGroup, 'type' | 'mainPhrase'>,
  ): Promise<readonly PlaceDemand[] | null> =>
    placesOf && type !== null && mainPhrase !== ''
      ? knownInTime(PATIENCE_MS, log, (signal) => placesOf(mainPhrase, { userId, signal }))
      : null;
