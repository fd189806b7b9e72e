import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { makeChance } from '../chance.ts';
import { findNiche } from '../find-niche.ts';
import { knownFacts, knownTrends } from '../material/known-facts.ts';
import { readPhrase } from '../phrase.ts';
import type { Tags } from '../read-tags.ts';

/** Laws in force and cautious observations: nothing that a reader could be misled by, and no made-up number. */
export function writeResearch(tags: Tags): AnswerTo<'article_research'> {
  const phrase = readPhrase(tags('main_phrase'));
  const chance = makeChance(`research|${phrase.text}`);
  const niche = findNiche('', tags('main_phrase'), tags('specialization'));
  const facts = [...(knownFacts[niche] ?? []), ...chance.shuffled(knownFacts.general ?? [])].slice(0, 4);
  const trends = chance.shuffled(knownTrends).slice(0, 2);
  return {
    facts: [...facts],
    trends,
    statistics: [],
    summary: `По теме «${phrase.text}» надёжнее всего опираться на действующие нормы: ${facts
      .map(({ source }) => source)
      .join(
        '; ',
      )}. Свежих чисел с ясным происхождением не нашлось, поэтому статью лучше строить на порядке выбора, составе работ и правах покупателя. Если в тексте понадобится число, берите его из прайс-листа компании.`,
  };
}
