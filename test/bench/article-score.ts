import { scoreArticle } from '../../src/services/quality/score-article.ts';
import { areaUnderCurve, goodSamples, type Sample, spoiledSamples } from '../corpus/corpus.ts';
import { type Outcome, spread } from './outcome.ts';

const TARGET = 0.97;

/** How well the score tells good articles from spoiled ones; the margin is twice the standard error (Hanley, McNeil). */
export async function articleScore(): Promise<Outcome> {
  const totals = (samples: readonly Sample[]) => samples.map(({ article }) => scoreArticle(article).total);
  const good = totals(goodSamples());
  const spoiled = totals(spoiledSamples());
  const area = areaUnderCurve(good, spoiled);
  return {
    case: 'article-score',
    ours: Number(area.toFixed(4)),
    peer: null,
    ratio: null,
    unit: 'area under the curve',
    notes:
      `± ${(2 * standardError(area, good.length, spoiled.length)).toFixed(4)}; ${good.length} good articles score ` +
      `${spread(good)}, ${spoiled.length} spoiled ones ${spread(spoiled)}; target from ${TARGET}`,
  };
}

function standardError(area: number, good: number, spoiled: number): number {
  const one = area / (2 - area);
  const other = (2 * area ** 2) / (1 + area);
  const variance = area * (1 - area) + (good - 1) * (one - area ** 2) + (spoiled - 1) * (other - area ** 2);
  return Math.sqrt(variance / (good * spoiled));
}
