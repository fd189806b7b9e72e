import type { Chance } from '../chance.ts';
import type { Slots } from '../fill.ts';
import { faqAnswers, plainAnswers, stockQuestions } from '../material/faq-answers.ts';
import type { NicheMaterial } from '../niches/niche-material.ts';
import { nearestFirst } from './stock.ts';

export type Question = { question: string; answer: string };

const FEWEST = 3;
const MOST = 5;

/** The questions people asked, then those of the trade, until there are enough. No answer is given twice. */
export function faqFor(
  asked: readonly string[],
  niche: NicheMaterial,
  { phrase, chance }: Slots,
): Question[] {
  const used = new Set<string>();
  const answered = asked.slice(0, MOST).map((question) => ({
    question: tidy(question),
    answer: answerTo(question, used, chance),
  }));
  const own = [
    ...nearestFirst(chance.shuffled(niche.faq), phrase.text, ({ question }) => question),
    ...chance.shuffled(stockQuestions).map((question) => ({ question, answer: '' })),
  ];
  while (answered.length < FEWEST || (asked.length === 0 && answered.length < FEWEST + 1)) {
    const { question, answer } = own.shift()!;
    answered.push({ question, answer: answer || answerTo(question, used, chance) });
  }
  return answered;
}

function answerTo(question: string, used: Set<string>, chance: Chance): string {
  const fitting = faqAnswers.filter(({ mark }) => mark.test(question)).flatMap(({ answers }) => answers);
  const answer = [...fitting, ...chance.shuffled(plainAnswers)].find((text) => !used.has(text))!;
  used.add(answer);
  return answer;
}

/** People type questions without a capital or a question mark. */
function tidy(question: string): string {
  const text = question.replace(/[?.!\s]+$/u, '').replace(/^#+\s*/u, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}
