import { lines, paragraphs, type RichText, rich } from './screen.ts';

/** What the reviewer says of a dialogue. Every quotation was found among the person's own words. */
export type Analysis = {
  overall: string;
  good: readonly { quote: string; comment: string }[];
  improve: readonly { quote: string; comment: string; better: string }[];
  verdicts: readonly { name: string; reached: boolean; comment: string }[];
  /** The line that turned the counterpart. */
  turning: { quote: string; comment: string } | null;
};

export function analysisText({ overall, good, improve, verdicts, turning }: Analysis): RichText {
  return paragraphs(
    rich`${overall}`,
    good.length > 0 &&
      lines(
        rich`<b>Что получилось</b>`,
        ...good.map(({ quote, comment }) => rich`✓ <i>«${quote}»</i> — ${comment}`),
      ),
    improve.length > 0 &&
      lines(
        rich`<b>Что сказать иначе</b>`,
        ...improve.map(({ quote, comment, better }) =>
          lines(rich`• <i>«${quote}»</i> — ${comment}`, better !== '' && rich`   Лучше: «${better}»`),
        ),
      ),
    lines(
      rich`<b>По пунктам</b>`,
      ...verdicts.map(
        ({ name, reached, comment }) =>
          rich`${reached ? '✓' : '○'} ${name}${comment !== '' && `: ${comment}`}`,
      ),
    ),
    turning && lines(rich`<b>Поворот</b>`, rich`<i>«${turning.quote}»</i> — ${turning.comment}`),
  );
}
