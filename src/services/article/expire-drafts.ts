import type { Log } from '../../log.ts';
import type { EndedDraft } from '../../store/draft-ends.ts';

type Deps = {
  expire(): Promise<{ drafts: EndedDraft[]; failures: unknown[] }>;
  discard(left: EndedDraft): Promise<void>;
  /** Tells the person, if they want to be told of such things. */
  notify(draft: EndedDraft): Promise<void>;
  log: Log;
};

export type Expired = { expired: number; refunds: number };

/** Drafts whose day is over: tokens back, files away, a word to the person. One bad row stops nothing. */
export const makeExpireDrafts =
  ({ expire, discard, notify, log }: Deps) =>
  async (): Promise<Expired> => {
    const { drafts, failures } = await expire();
    for (const err of failures) log.error({ err }, 'a draft could not be expired');
    for (const draft of drafts) {
      log.info({ draft: draft.id, user: draft.userId, returned: draft.returned }, 'draft expired');
      await discard(draft);
      await notify(draft).catch((err) => log.warn({ err, user: draft.userId }, 'an expiry was not told'));
    }
    return { expired: drafts.length, refunds: drafts.reduce((sum, { returned }) => sum + returned, 0) };
  };
