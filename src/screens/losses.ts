import { plural, tokens } from './russian.ts';
import { lines, type RichText, rich } from './screen.ts';

/** A count with its noun in the three forms of Russian. */
export type Loss = readonly [count: number, one: string, few: string, many: string];

/** What goes with a deletion; what there is none of is not worth a line. */
export function lossesText(head: RichText, losses: readonly Loss[]): RichText | null {
  const real = losses.filter(([count]) => count > 0);
  return real.length === 0 ? null : lines(head, ...real.map((loss) => rich`• ${plural(...loss)}`));
}

export const refundText = (draftTokens: number): RichText | null =>
  draftTokens > 0 ? rich`За черновики вернётся ${tokens(draftTokens)}.` : null;

export const returnedText = (refunded: number): string | null =>
  refunded > 0 ? ` Возвращено: ${tokens(refunded)}.` : null;
