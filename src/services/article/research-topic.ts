import { createHash } from 'node:crypto';
import { cached } from '../../clients/cached.ts';
import type { KeyValueStore } from '../../engine/key-value-store.ts';
import type { Log } from '../../log.ts';
import { type AnswerTo, answers } from '../ai/answers.ts';
import type { AskModel } from '../ai/ask.ts';
import type { Company } from '../projects/brief.ts';

export type Research = AnswerTo<'article_research'>;
export type ResearchInput = { mainPhrase: string; company: Company; userId: number; signal?: AbortSignal };

const WEEK_SECONDS = 7 * 24 * 3_600;
const DESCRIPTION_LENGTH = 200;

/** Fresh facts about a topic from a model that searches the web. Without them an article is still written (E53). */
export function makeResearchTopic({
  ask,
  cache,
  log,
  clock = Date.now,
}: {
  ask: AskModel;
  cache: Pick<KeyValueStore, 'get' | 'set'>;
  log: Log;
  clock?: () => number;
}) {
  return async ({ mainPhrase, company, userId, signal }: ResearchInput): Promise<Research | null> => {
    const of = [mainPhrase, company.specialization, company.name].join('|');
    const key = `research:${createHash('md5').update(of).digest('hex').slice(0, 12)}`;
    const kept = { cache, log, key, of, ttlSeconds: WEEK_SECONDS, schema: answers.article_research };
    try {
      return await cached(kept, async () => (await asked()).content);
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, mainPhrase }, 'research_skipped');
      return null;
    }

    function asked() {
      const variables = {
        company_name: company.name,
        specialization: company.specialization,
        language: 'ru',
        main_phrase: mainPhrase,
        current_date: new Date(clock()).toISOString().slice(0, 10),
        geography: company.city,
        company_description_short: company.description.slice(0, DESCRIPTION_LENGTH),
      };
      return ask('article_research', { variables, userId, signal });
    }
  };
}
