import type { KnownStage, RunStage } from '../../engine/operations.ts';
import type { SeriesProgress } from '../../platforms/messenger/messenger.ts';

/** How a call to a platform ended. A refused one created nothing. */
type Answer = { progress: SeriesProgress } | { refused: true };

/**
 * The calls of one publication, each noted before it is made and after it was answered, under the publication's key and
 * its lease: a process that was overtaken cannot note one, and so cannot make it. A call without an answer is one during
 * which a process died: the platform may have what it sent (law of lost answers).
 */
export function openJournal(stage: RunStage, known: KnownStage, now: () => number = Date.now) {
  let calls = 0;
  let progress: SeriesProgress = { sent_items: [], provider_message_ids: [] };
  let isLost = false;
  let madeAt = 0;
  for (let at = known(`call:${calls}`); at !== undefined; at = known(`call:${calls}`)) {
    madeAt = Number(at);
    const answer = known(`answer:${calls}`) as Answer | undefined;
    isLost = answer === undefined;
    if (answer && 'progress' in answer) progress = answer.progress;
    calls += 1;
  }
  let isOpen = isLost;
  return {
    /** A call was made, and its outcome is unknown. */
    isLost: () => isOpen,
    /** Whether that was longer ago. */
    isOlderThan: (ms: number) => now() - madeAt > ms,
    progress,
    async beforeCall(): Promise<void> {
      // Asked to be patient, a platform is called again: it has refused the call before.
      if (isOpen && !isLost) await answered({ refused: true });
      madeAt = await stage(`call:${calls}`, async () => now());
      calls += 1;
      isOpen = true;
      isLost = false;
    },
    onProgress: (made: SeriesProgress) => answered({ progress: made }),
    refused: async () => {
      if (isOpen) await answered({ refused: true });
    },
  };

  async function answered(answer: Answer): Promise<void> {
    await stage(`answer:${calls - 1}`, async () => answer);
    isOpen = false;
  }
}
