import type { ContextFrom } from 'xstate';
import type { aiChatMachine } from '../../../machines/ai-chat.ts';
import type { AIChatView } from '../../screens/flows/ai-chat.ts';
import type { Analysis } from '../../screens/kit/analysis.ts';
import type { Conversations } from '../../store/conversations.ts';
import type { Cases } from './cases.ts';

type Context = Pick<ContextFrom<typeof aiChatMachine>, 'userId' | 'case_id' | 'session'>;

/** States whose screens show what was said. */
const withReply = ['waiting_user', 'reviewing', 'review_complete'];

/** What the screens of a dialogue show beside its context. */
export const makeDialogueView =
  ({
    cases,
    conversations,
  }: {
    cases: Pick<Cases, 'get'>;
    conversations: Pick<Conversations, 'lastReply' | 'review'>;
  }) =>
  async ({ userId, case_id, session }: Context, state: string): Promise<AIChatView> => {
    const [lastReply, review] = await Promise.all([
      withReply.includes(state) ? conversations.lastReply(userId, session) : null,
      state === 'review_complete' ? conversations.review(userId, session) : null,
    ]);
    return {
      played: cases.get(case_id),
      lastReply,
      analysis: review === null ? null : (JSON.parse(review) as Analysis),
    };
  };
