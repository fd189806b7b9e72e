import { platforms, takesArticles } from '../../platforms/platforms.ts';
import { articleEstimate, postEstimate, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Schedule } from '../../store/schedules.ts';

/** What one run of a schedule costs at most, by the settings in force. */
export function runPrice(platform: Schedule['platform'], { text, images }: CategoryBrief): number {
  if (takesArticles(platform)) return total(articleEstimate(text.words, images.count));
  return total(postEstimate(text.words, platforms[platform].post === null ? 0 : Math.min(images.count, 1)));
}
