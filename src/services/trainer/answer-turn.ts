import { z } from 'zod';
import type { AnswerTurnInput, TurnAnswered } from '../../../machines/ai-chat.ts';
import type { Operations } from '../../engine/operations.ts';
import { AiFailed, CaseGone, CounterpartSilent, DialogueOver } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Conversations, Message } from '../../store/conversations.ts';
import type { TransactionSql } from '../../store/database.ts';
import type { RateLimits } from '../money/rate-limits.ts';
import type { AskProviders, Provider } from './ask-providers.ts';
import type { TrainerCase } from './case-file.ts';
import type { Cases } from './cases.ts';
import { dueFacts } from './due-facts.ts';
import { outOfRole } from './in-role.ts';
import { listedComponents, transcriptOf } from './transcript.ts';

type Deps = {
  cases: Cases;
  ask: AskProviders;
  conversations: Pick<Conversations, 'history' | 'append'>;
  operations: Pick<Operations<TransactionSql>, 'inTransaction' | 'withStages'>;
  limits: Pick<RateLimits, 'reserve' | 'settle'>;
  log: Log;
};

type Spoken = { reply: string; achieved: string[]; provider: Provider };

/**
 * The counterpart's answer to one message of the person. The model's answer is a stage: killed behind it, the turn is
 * finished by the next process without asking again.
 */
export function makeAnswerTurn({ cases, ask, conversations, operations, limits, log }: Deps) {
  return async (input: AnswerTurnInput, signal: AbortSignal): Promise<TurnAnswered> => {
    const { key, userId, ...request } = input;
    return operations.withStages({ key, userId, request, signal }, async (stage, lease) => {
      const played = cases.get(input.caseId);
      if (!played) throw new CaseGone(input.caseId);
      const spoken = await stage('answer', () => counted(input, () => speak(played, input, lease)));
      await operations.inTransaction({ key: `${key}:append`, userId, request }, async (tx) => {
        await conversations.append(tx, userId, messagesOf(input, spoken));
        return null;
      });
      return { achieved: spoken.achieved };
    });
  };

  /** A turn that came to nothing does not count toward the hour's limit. */
  async function counted({ key, userId }: AnswerTurnInput, work: () => Promise<Spoken>): Promise<Spoken> {
    await limits.reserve(key, userId, { trainer_turn: 1 });
    try {
      return await work();
    } catch (error) {
      await limits
        .settle(key, userId, {})
        .catch((err) => log.warn({ err, user: userId }, 'a slot was not given back'));
      throw error;
    }
  }

  async function speak(played: TrainerCase, input: AnswerTurnInput, signal: AbortSignal): Promise<Spoken> {
    const { userId, session, turn, text, reached } = input;
    const history = await conversations.history(userId, session);
    if (history.length === 0) throw new DialogueOver(session);
    const { counterpart, situation, components, turns, providers } = played;
    try {
      const { answer, provider } = await ask({
        task: 'trainer_turn',
        variables: {
          counterpart_name: counterpart.name,
          counterpart_role: counterpart.role,
          manner: counterpart.manner,
          situation,
          components: listedComponents(components),
          known_facts: dueFacts(played, reached),
          turn,
          turns,
          dialogue: transcriptOf(history, counterpart.name),
          last_words: text,
        },
        shape: turnShape(components.map(({ id }) => id)),
        complaint: ({ reply }) => outOfRole(reply),
        providers: providers.dialogue,
        userId,
        signal,
      });
      const achieved = Object.keys(answer.achieved).filter((id) => answer.achieved[id]);
      return { reply: tidy(answer.reply), achieved, provider };
    } catch (error) {
      if (error instanceof AiFailed) throw new CounterpartSilent('turn', error);
      throw error;
    }
  }
}

function messagesOf({ caseId, session, turn, text, reached }: AnswerTurnInput, spoken: Spoken): Message[] {
  const { provider, reply, achieved } = spoken;
  const metadata = { case_id: caseId, channel: 'dialogue', session, turn } as const;
  const total = [...new Set([...reached, ...achieved])];
  return [
    { provider, role: 'user', content: text, metadata },
    { provider, role: 'assistant', content: reply, metadata: { ...metadata, achieved, total } },
  ];
}

const turnShape = (components: readonly string[]) =>
  z.object({
    reply: z.string().min(1),
    achieved: z.object(Object.fromEntries(components.map((id) => [id, z.boolean()]))),
  });

/** PostgreSQL takes neither a zero character nor half an emoji. */
const tidy = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim();
