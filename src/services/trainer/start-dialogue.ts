import type { CaseTerms, StartDialogueInput } from '../../../machines/ai-chat.ts';
import type { Operations } from '../../engine/operations.ts';
import { CaseGone } from '../../errors.ts';
import type { Conversations, Message } from '../../store/conversations.ts';
import type { TransactionSql } from '../../store/database.ts';
import type { Cases } from './cases.ts';

type Deps = {
  cases: Cases;
  conversations: Pick<Conversations, 'begin'>;
  operations: Pick<Operations<TransactionSql>, 'inTransaction'>;
};

/** The session of this case that was open is finished, and the counterpart says the first words of a new one. */
export const makeStartDialogue =
  ({ cases, conversations, operations }: Deps) =>
  async ({ key, userId, caseId, session }: StartDialogueInput): Promise<CaseTerms> => {
    const played = cases.get(caseId);
    if (!played) throw new CaseGone(caseId);
    const { title, counterpart, situation, opening, providers } = played;
    const said = (role: Message['role'], content: string): Message => ({
      provider: providers.dialogue.primary,
      role,
      content,
      metadata: { case_id: caseId, channel: 'dialogue', session, turn: 0 },
    });
    await operations.inTransaction({ key, userId, request: { caseId, session } }, async (tx) => {
      await conversations.begin(tx, userId, [
        said('system', `${title}\n\n${counterpart.name}: ${counterpart.role}\n\n${situation}`),
        said('assistant', opening),
      ]);
      return null;
    });
    return cases.terms(played);
  };
