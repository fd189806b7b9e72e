import { takesArticles } from '../../platforms/platforms.ts';
import { articleEstimate, postEstimate, total } from '../../prices.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { ScheduleSlot } from '../../store/schedules.ts';

/** What one run of a schedule costs at most, by the settings in force. */
export function runPrice(
  { platform, takesPictures }: Pick<ScheduleSlot, 'platform' | 'takesPictures'>,
  { text, images }: CategoryBrief,
): number {
  if (takesArticles(platform)) return total(articleEstimate(text.words, images.count));
  return total(postEstimate(text.words, takesPictures ? Math.min(images.count, 1) : 0));
}
