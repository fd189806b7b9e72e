import { plural, tokens } from '../../russian.ts';
import type { Link } from './link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from './screen.ts';

/** A count with its noun in the three forms of Russian. */
type Loss = readonly [count: number, one: string, few: string, many: string];

type Deletion = {
  question: RichText;
  head: RichText;
  losses: readonly Loss[];
  /** What comes back for drafts that go. */
  draftTokens: number;
  confirm: Link;
  back: Link;
};

/** The first of two presses: what would be lost, in numbers; what there is none of is not worth a line. */
export function deletionScreen({ question, head, losses, draftTokens, confirm, back }: Deletion): Screen {
  const real = losses.filter(([count]) => count > 0).map((loss) => rich`• ${plural(...loss)}`);
  return {
    text: paragraphs(
      question,
      real.length > 0 && lines(head, ...real),
      draftTokens > 0 && rich`За черновики вернётся ${tokens(draftTokens)}.`,
      rich`Опубликованное останется на площадках. Отменить удаление нельзя.`,
    ),
    keyboard: [[button('Да, удалить', confirm, 'danger')], [button('Отмена', back)]],
  };
}

/** The end of the notice that something was deleted. */
export const returnedText = (refunded: number): string | null =>
  refunded > 0 ? ` Возвращено: ${tokens(refunded)}.` : null;
