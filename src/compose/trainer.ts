import type { EndDialoguesInput } from '../../machines/ai-chat.ts';
import type { Operations } from '../engine/operations.ts';
import { AiFailed } from '../errors.ts';
import type { Log } from '../log.ts';
import { type TrainerData, waitingDialogues } from '../menu/trainer.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeAnswerTurn } from '../services/trainer/answer-turn.ts';
import { type AskProviders, makeAskProviders } from '../services/trainer/ask-providers.ts';
import { loadCases } from '../services/trainer/case-file.ts';
import { makeCases } from '../services/trainer/cases.ts';
import { makeReviewDialogue } from '../services/trainer/review-dialogue.ts';
import { makeStartDialogue } from '../services/trainer/start-dialogue.ts';
import { makeDialogueView } from '../services/trainer/view-dialogue.ts';
import { makeConversations } from '../store/conversations.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  operations: Operations<TransactionSql>;
  limits: RateLimits;
  writing: Pick<Writing, 'modelAccess'>;
  log: Log;
  /** Where the files of the cases are; those of the product unless said. */
  folder?: URL;
};

const HISTORY = 10;

/** The dialogue trainer: the services of its flow, its pages, and what its screens are drawn from. */
export async function composeTrainer({ sql, operations, limits, writing, log, folder }: Ground) {
  const cases = makeCases(await loadCases(folder));
  const conversations = makeConversations(sql);
  const { modelAccess } = writing;
  const ask: AskProviders = modelAccess ? makeAskProviders(modelAccess) : switchedOff;
  const deps = { cases, conversations, operations };
  const pages: TrainerData = {
    cases: cases.all.map((played) => ({ ...played, terms: cases.terms(played) })),
    open: conversations.open,
    past: (userId) => conversations.past(userId, HISTORY),
    clearCase: conversations.clearCase,
  };
  return {
    pages,
    load: makeDialogueView({ cases, conversations }),
    waiting: async (userId: number) => waitingDialogues(cases.all, await conversations.open(userId)),
    endDialogues: conversations.clearAll,
    services: {
      startDialogue: makeStartDialogue(deps),
      answerTurn: makeAnswerTurn({ ...deps, ask, limits, log }),
      reviewDialogue: makeReviewDialogue({ ...deps, ask }),
      async endDialogues({ userId }: EndDialoguesInput): Promise<null> {
        await conversations.clearAll(userId);
        return null;
      },
    },
  };
}

/** Without a key the feature is off; the start log says so. */
const switchedOff: AskProviders = () =>
  Promise.reject(new AiFailed('unavailable', 'OPENROUTER_API_KEY is not set'));
