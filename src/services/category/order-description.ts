import type {
  WriteDescriptionInput,
  WrittenDescription,
} from '../../../machines/fragments/description-work.ts';
import { CategoryGone } from '../../errors.ts';
import type { Payment } from '../../store/purse.ts';
import { factNotes } from '../article/article-notes.ts';
import { wantedPhrases } from '../keywords/edit-keywords.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Brief } from '../projects/brief.ts';
import type { Keywords } from '../quality/choose-cluster.ts';
import type { WriteDescription } from './write-description.ts';

type Deps = {
  briefOf(userId: number, categoryId: number): Promise<(Brief & { keywords: Keywords }) | null>;
  balanceOf(userId: number): Promise<number | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  writeDescription: WriteDescription;
};

/** From the accepted price to a text that waits for a decision; or the tokens back. A free version costs 0. */
export const makeOrderDescription =
  ({ briefOf, balanceOf, purse, limitedWork, writeDescription }: Deps) =>
  ({ key, userId, ...order }: WriteDescriptionInput, signal: AbortSignal): Promise<WrittenDescription> => {
    const { categoryId, price, previous } = order;
    const description = 'описание категории';
    const call = { key, userId, request: order, signal };
    const ownPurse = purse({ key, userId, parts: { description: price }, description });
    return limitedWork(call, { slots: { text_generation: 1 } }, ownPurse, async (stage, lease) => {
      const { keywords, ...brief } = await stage('brief', async () => {
        const known = await briefOf(userId, categoryId);
        if (!known) throw new CategoryGone(categoryId);
        return { company: known.company, topic: known.topic, keywords: wantedPhrases(known.keywords) };
      });
      const { text, words, warnings } = await writeDescription({
        brief,
        keywords,
        previous,
        userId,
        stage,
        signal: lease,
      });
      const balance = (await balanceOf(userId)) ?? 0;
      const notes = factNotes(warnings).map((note) => note.text);
      return { result: { text, words, warnings: notes, spent: price, balance }, spent: price };
    });
  };
