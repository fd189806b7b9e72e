import { z } from 'zod';
import { jsonOf, linesOf } from '../read-tags.ts';

export type Outline = {
  title: string;
  sections: readonly { h2: string; h3: readonly string[] }[];
  questions: readonly string[];
};

const strings = z.array(z.string()).catch([]);
const asJson = z.object({
  title: z.string().catch(''),
  sections: z.array(z.object({ h2: z.string(), h3_list: strings })).min(1),
  faq_questions: strings,
});

/** Null when there is no plan to follow. */
export function readOutline(value: string): Outline | null {
  const parsed = asJson.safeParse(jsonOf(value));
  if (parsed.success) {
    const { title, sections, faq_questions } = parsed.data;
    return {
      title,
      sections: sections.map(({ h2, h3_list }) => ({ h2, h3: h3_list })),
      questions: faq_questions,
    };
  }
  const headings = linesOf(value).flatMap((line) => /^(?:##|H2:)\s*(.+)$/iu.exec(line)?.[1] ?? []);
  return headings.length > 0
    ? { title: '', sections: headings.map((h2) => ({ h2, h3: [] })), questions: [] }
    : null;
}

export const isFaqHeading = (heading: string): boolean => /вопрос|\bFAQ\b/iu.test(heading);
export const isConclusionHeading = (heading: string): boolean =>
  /итог|вывод|заключ|о главном|послеслов|запомн/iu.test(heading);
