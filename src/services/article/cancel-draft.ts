import type { CancelDraftInput } from '../../../machines/fragments/article-ports.ts';
import type { EndedDraft } from '../../store/draft-ends.ts';

type Deps = {
  cancel(userId: number, draftId: number): Promise<EndedDraft | null>;
  discard(left: Pick<EndedDraft, 'pictures' | 'telegraphPath'>): Promise<void>;
};

/** The person does not want the article: everything it cost comes back. Null when it was ended before. */
export const makeCancelDraft =
  ({ cancel, discard }: Deps) =>
  async ({ userId, draftId }: CancelDraftInput): Promise<number | null> => {
    const draft = await cancel(userId, draftId);
    if (!draft) return null;
    await discard(draft);
    return draft.returned;
  };
