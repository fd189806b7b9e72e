import type { AIChatInput, CaseTerms, DialogueProgress } from '../../machines/ai-chat.ts';
import type { FlowInput } from '../../machines/flow-input.ts';
import { to } from '../screens/kit/link.ts';
import {
  type CaseItem,
  casePattern,
  type PastDialogue,
  resumePattern,
  trainerHistoryScreen,
  trainerScreen,
  type WaitingDialogue,
} from '../screens/pages/trainer.ts';
import { type Label, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type TrainerData = {
  cases: readonly (CaseItem & { terms: CaseTerms })[];
  /** Dialogues that may be gone on with, the latest first. */
  open(userId: number): Promise<readonly (DialogueProgress & { caseId: string })[]>;
  past(userId: number): Promise<readonly PastDialogue[]>;
  clearCase(userId: number, caseId: string): Promise<unknown>;
};

const list = to('trainer:list');
const commandPattern = (id: string): string => `trainer:new:${id}`;

/** `/career`, `/fbpeer`, `/fbemployee`: every case has a command of its name. */
export const trainerCommands = (cases: readonly CaseItem[]): Label[] =>
  cases.map(({ id }) => ({ label: `/${id}`, pattern: commandPattern(id) }));

export function trainerRoutes({ cases, open, past, clearCase }: TrainerData): Route[] {
  return [
    route('trainer:list', async (_, { userId }) => ({
      show: trainerScreen(cases, await waitingOf(userId)),
    })),
    route('trainer:history', async (_, { userId }) => ({
      show: trainerHistoryScreen(await past(userId), (id) => caseOf(id)?.title ?? null),
    })),
    ...cases.flatMap(({ id, terms }) => [
      route(casePattern(id), () => started(terms, null)),
      // A command begins the case anew: what was open of it is finished at once, not only when the dialogue starts.
      route(commandPattern(id), async (_, { userId }) => {
        await clearCase(userId, id);
        return started(terms, null);
      }),
      route(resumePattern(id), async (_, { userId }) => {
        const dialogue = (await open(userId)).find(({ caseId }) => caseId === id);
        if (!dialogue) return missing(list);
        const { caseId: _id, ...resumed } = dialogue;
        return started(terms, resumed);
      }),
    ]),
  ];

  function caseOf(id: string): CaseItem | undefined {
    return cases.find((each) => each.id === id);
  }

  async function waitingOf(userId: number): Promise<WaitingDialogue[]> {
    return waitingDialogues(cases, await open(userId));
  }
}

/** Of cases that are still there. */
export const waitingDialogues = (
  cases: readonly CaseItem[],
  open: readonly (DialogueProgress & { caseId: string })[],
): WaitingDialogue[] =>
  open.flatMap(({ caseId, turn_count }) => {
    const played = cases.find(({ id }) => id === caseId);
    return played ? [{ caseId, title: played.title, turns: turn_count }] : [];
  });

function started(terms: CaseTerms, resumed: AIChatInput['resumed']): RouteAnswer {
  const input: Omit<AIChatInput, keyof FlowInput> = { ...terms, resumed };
  return { start: { flow: 'AIChat', input }, origin: list };
}
