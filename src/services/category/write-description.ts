import type { RunStage } from '../../engine/operations.ts';
import { AiFailed, ContentRefused } from '../../errors.ts';
import type { AskModel } from '../ai/ask.ts';
import { toPlainText } from '../posts/plain-text.ts';
import { cutAt } from '../posts/trim-text.ts';
import {
  type Brief,
  companyFacts,
  companyVariables,
  pricesExcerpt,
  reviewsExcerpt,
} from '../projects/brief.ts';
import { checkFacts, type FactWarning } from '../quality/check-facts.ts';
import { words } from '../quality/russian-text.ts';
import { placeholdersIn } from '../quality/validate-content.ts';

export type WriteDescriptionInput = {
  brief: Brief;
  /** The phrases of the category, the most wanted first. */
  keywords: readonly string[];
  /** The version that was declined. */
  previous?: string | null;
  userId: number;
  stage: RunStage;
  signal: AbortSignal;
};

type Description = {
  text: string;
  words: number;
  warnings: FactWarning[];
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
};

const KEYWORDS_SHOWN = 10;
/** Asked for are 100 to 300. Half of the least is no description but a remark. */
const FEWEST_WORDS = 50;
const MOST_WORDS = 300;

export type WriteDescription = ReturnType<typeof makeWriteDescription>;

/** What a category is about, in plain text, from what the person has told of it. */
export const makeWriteDescription =
  ({ ask }: { ask: AskModel }) =>
  ({
    brief,
    keywords,
    previous = null,
    userId,
    stage,
    signal,
  }: WriteDescriptionInput): Promise<Description> =>
    stage('text', async () => {
      const { company, topic } = brief;
      const answer = await ask('description', {
        userId,
        signal,
        variables: {
          ...companyVariables(brief),
          category_name: topic.name,
          keywords_sample: keywords.slice(0, KEYWORDS_SHOWN).join('\n'),
          prices_excerpt: pricesExcerpt(topic.prices, 'other'),
          reviews_excerpt: reviewsExcerpt(topic.reviews),
          city: company.city,
          previous_text: previous ?? '',
        },
      });
      const text = withinWords(toPlainText(answer.content), MOST_WORDS);
      const count = words(text).length;
      if (count < FEWEST_WORDS) throw new AiFailed('unusable', `a description of ${count} words`);
      const faults = placeholdersIn(text);
      if (faults.length > 0) throw new ContentRefused(`description: ${JSON.stringify(faults)}`);
      const { modelUsed, promptVersion, generationTimeMs } = answer;
      const warnings = checkFacts(text, companyFacts(brief));
      return { text, words: count, warnings, modelUsed, promptVersion, generationTimeMs };
    });

function withinWords(text: string, most: number): string {
  let trimmed = text;
  for (let count = words(trimmed).length; count > most; count = words(trimmed).length) {
    const room = Math.min(trimmed.length - 1, Math.ceil((trimmed.length * most) / count));
    trimmed = trimmed.slice(0, cutAt(trimmed, room));
  }
  return trimmed;
}
