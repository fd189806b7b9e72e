import { z } from 'zod';
import type { ReviewDialogueInput } from '../../../machines/ai-chat.ts';
import type { Operations } from '../../engine/operations.ts';
import { AiFailed, CaseGone, CounterpartSilent, DialogueOver } from '../../errors.ts';
import type { Analysis } from '../../screens/kit/analysis.ts';
import type { Conversations, Message } from '../../store/conversations.ts';
import type { TransactionSql } from '../../store/database.ts';
import type { AskProviders, Provider } from './ask-providers.ts';
import type { TrainerCase } from './case-file.ts';
import type { Cases } from './cases.ts';
import { isOwnWords } from './own-words.ts';
import { listedComponents, oneLine, transcriptOf } from './transcript.ts';

type Deps = {
  cases: Cases;
  ask: AskProviders;
  conversations: Pick<Conversations, 'history' | 'keepReview'>;
  operations: Pick<Operations<TransactionSql>, 'inTransaction' | 'withStages'>;
};

type Reviewed = { asked: string; analysis: Analysis; provider: Provider };

// Together below the 4,096 characters of a message, with room for what stands above the analysis.
const MOST_POINTS = 2;
const MOST_QUOTE = 140;
const MOST_COMMENT = 170;
const MOST_VERDICT = 100;
const MOST_OVERALL = 350;

/** The analysis of a dialogue, by a session of its own that is finished at once. The dialogue stays open. */
export function makeReviewDialogue({ cases, ask, conversations, operations }: Deps) {
  return async (input: ReviewDialogueInput, signal: AbortSignal): Promise<null> => {
    const { key, userId, ...request } = input;
    return operations.withStages({ key, userId, request, signal }, async (stage, lease) => {
      const played = cases.get(input.caseId);
      if (!played) throw new CaseGone(input.caseId);
      const reviewed = await stage('analysis', () => review(played, input, lease));
      await operations.inTransaction({ key: `${key}:keep`, userId, request }, async (tx) => {
        await conversations.keepReview(tx, userId, messagesOf(input, reviewed));
        return null;
      });
      return null;
    });
  };

  async function review(
    played: TrainerCase,
    { userId, session, reached }: ReviewDialogueInput,
    signal: AbortSignal,
  ): Promise<Reviewed> {
    const history = await conversations.history(userId, session);
    const said = history.filter(({ role }) => role === 'user').map(({ content }) => content);
    if (said.length === 0) throw new DialogueOver(session);
    const { title, counterpart, situation, goal, components, providers } = played;
    const dialogue = transcriptOf(history, counterpart.name);
    try {
      const { answer, provider } = await ask({
        task: 'trainer_review',
        variables: {
          case_title: title,
          counterpart_name: counterpart.name,
          situation,
          goal,
          components: listedComponents(components),
          reached: [...reached],
          dialogue,
        },
        shape: reviewShape(components.map(({ id }) => id)),
        complaint: ({ good, improve }) =>
          [...good, ...improve].some(({ quote }) => isOwnWords(quote, said))
            ? null
            : 'no point quotes the person',
        providers: providers.reviewer,
        userId,
        signal,
      });
      return { asked: dialogue, analysis: analysisOf(answer, played, reached, said), provider };
    } catch (error) {
      if (error instanceof AiFailed) throw new CounterpartSilent('review', error);
      throw error;
    }
  }
}

type Answer = z.infer<ReturnType<typeof reviewShape>>;

const reviewShape = (components: readonly string[]) =>
  z.object({
    overall: z.string().min(1),
    good: z.array(z.object({ quote: z.string(), comment: z.string() })),
    improve: z.array(z.object({ quote: z.string(), comment: z.string(), better: z.string() })),
    verdicts: z.object(Object.fromEntries(components.map((id) => [id, z.string()]))),
    turning_quote: z.string(),
    turning_comment: z.string(),
  });

/** What the person did not say is not quoted; what was reached is known from the turns, not from the reviewer. */
function analysisOf(
  answer: Answer,
  { components }: TrainerCase,
  reached: readonly string[],
  said: readonly string[],
): Analysis {
  const isQuoted = ({ quote }: { quote: string }) => isOwnWords(quote, said);
  const turning = { quote: answer.turning_quote, comment: answer.turning_comment };
  return {
    overall: short(answer.overall, MOST_OVERALL),
    good: answer.good.filter(isQuoted).slice(0, MOST_POINTS).map(pointOf),
    improve: answer.improve
      .filter(isQuoted)
      .slice(0, MOST_POINTS)
      .map(({ better, ...point }) => ({ ...pointOf(point), better: short(better, MOST_COMMENT) })),
    verdicts: components.map(({ id, name }) => ({
      name,
      reached: reached.includes(id),
      comment: short(answer.verdicts[id] ?? '', MOST_VERDICT),
    })),
    turning: isQuoted(turning) ? pointOf(turning) : null,
  };
}

const pointOf = ({ quote, comment }: { quote: string; comment: string }) => ({
  quote: short(quote.replace(/^[«"„“]+|[»"“”]+$/gu, ''), MOST_QUOTE),
  comment: short(comment, MOST_COMMENT),
});

/** Cut between words; without what PostgreSQL cannot store. */
function short(text: string, most: number): string {
  const whole = [...oneLine(text.replaceAll('\0', '').toWellFormed())];
  if (whole.length <= most) return whole.join('');
  return `${whole
    .slice(0, most - 1)
    .join('')
    .replace(/\s\S*$/u, '')}…`;
}

function messagesOf(
  { caseId, session, turns }: ReviewDialogueInput,
  { asked, analysis, provider }: Reviewed,
): Message[] {
  const metadata = { case_id: caseId, channel: 'reviewer', session, turn: turns } as const;
  return [
    { provider, role: 'user', content: asked, metadata },
    { provider, role: 'assistant', content: JSON.stringify(analysis), metadata },
  ];
}
