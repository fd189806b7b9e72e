import { hash } from 'node:crypto';
import { plural, tokens, tokensReturned } from '../../russian.ts';
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
  /** What the numbers do not tell: another thing of the same size is not the one that was asked about. */
  what?: unknown;
  /** The button carries a mark of what the screen says. */
  confirm: (mark: string) => Link;
  back: Link;
};

/** The first of two presses: what would be lost, in numbers; what there is none of is not worth a line. */
export function deletionScreen(deletion: Deletion): Screen {
  const { question, head, losses, draftTokens, what, confirm, back } = deletion;
  const mark = hash('sha1', JSON.stringify([question, losses, draftTokens, what]), 'hex').slice(
    0,
    MARK_LENGTH,
  );
  const real = losses.filter(([count]) => count > 0).map((loss) => rich`• ${plural(...loss)}`);
  return {
    text: paragraphs(
      question,
      real.length > 0 && lines(head, ...real),
      draftTokens > 0 && rich`За черновики вернётся ${tokens(draftTokens)}.`,
      rich`Опубликованное останется на площадках. Отменить удаление нельзя.`,
    ),
    keyboard: [[button('Да, удалить', confirm(mark), 'danger')], [button('Отмена', back)]],
  };
}

/** False: since the screen was shown, more or something else would be deleted than it said. */
export const stillAsks = ({ keyboard }: Screen, mark: string): boolean =>
  keyboard.flat().some((each) => 'link' in each && each.link.params.h === mark);

const MARK_LENGTH = 8;

/** The end of the notice that something was deleted. */
export const returnedText = (refunded: number): string | null =>
  refunded > 0 ? ` ${tokensReturned(refunded)}.` : null;
