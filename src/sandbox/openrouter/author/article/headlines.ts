import type { Chance } from '../chance.ts';
import { metaPieces, metaTails, seoEndings, titleEndings } from '../material/openings.ts';
import type { Phrase } from '../phrase.ts';

type Bounds = readonly [min: number, max: number];
const TITLE: Bounds = [60, 80];
const SEO_TITLE: Bounds = [50, 60];
const META: Bounds = [120, 160];

export const titleFor = (phrase: Phrase, chance: Chance): string =>
  fitted(
    [...chance.shuffled(titleEndings.map((ending) => `${phrase.capital}: ${ending}`)), phrase.capital],
    TITLE,
  );

export const seoTitleFor = (phrase: Phrase, chance: Chance): string =>
  fitted(
    [...chance.shuffled(seoEndings.map((ending) => `${phrase.capital}: ${ending}`)), phrase.capital],
    SEO_TITLE,
  );

export function metaFor(phrase: Phrase, chance: Chance): string {
  const tails = metaTails.flatMap((one, i) =>
    ['', ...metaTails.slice(i + 1)].map((two) => `${one} ${two}`.trim()),
  );
  const candidates = metaPieces.flatMap((piece) =>
    ['', ...tails].map((tail) => `${phrase.capital}: ${piece} ${tail}`.trim()),
  );
  return fitted(chance.shuffled(candidates), META);
}

export const isFitTitle = (title: string): boolean => title.length >= TITLE[0] && title.length <= TITLE[1];

/** The first within bounds; else the longest that is not too long; else the shortest, and a machine cuts it. */
function fitted(candidates: readonly string[], [min, max]: Bounds): string {
  const fit = candidates.find(({ length }) => length >= min && length <= max);
  if (fit !== undefined) return fit;
  const byLength = [...candidates].sort((one, other) => other.length - one.length);
  return byLength.find(({ length }) => length <= max) ?? byLength.at(-1)!;
}
