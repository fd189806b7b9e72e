import { isYandexMarket } from '../../markets.ts';
import type { Asking, FoundPhrases, KeywordData } from './keyword-data.ts';

/**
 * Yandex first: Russian businesses live from it. Google's numbers serve where Yandex is switched off, silent or knows
 * nothing. A list is counted by one of them: numbers of two suppliers do not compare.
 */
export function joinSuppliers(yandex: KeywordData | null, google: KeywordData | null): KeywordData | null {
  if (!yandex || !google) return yandex ?? google;
  const either = async (
    { market }: Asking,
    ask: (supplier: KeywordData) => Promise<FoundPhrases | null>,
  ): Promise<FoundPhrases | null> => {
    if (market !== undefined && market !== null) return ask(isYandexMarket(market) ? yandex : google);
    const found = await ask(yandex);
    if (found && found.phrases.length > 0) return found;
    return (await ask(google)) ?? found;
  };
  return {
    suggestions: (seeds, asking) => either(asking, (supplier) => supplier.suggestions(seeds, asking)),
    related: (phrases, asking) => either(asking, (supplier) => supplier.related(phrases, asking)),
    volumes: (phrases, asking) => either(asking, (supplier) => supplier.volumes(phrases, asking)),
  };
}
