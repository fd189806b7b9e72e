import { stems } from '../../../../services/quality/russian-text.ts';
import type { Chance } from '../chance.ts';
import { type Question, type RecordedArticle, recordOf } from '../recorded-articles.ts';

const FEWEST = 3;
const MOST = 5;

/** The questions people asked, then those of the trade, until there are enough. No answer is given twice. */
export function faqFor(asked: readonly string[], record: RecordedArticle, chance: Chance): Question[] {
  const used = new Set<string>();
  const questions = asked.slice(0, MOST).map(tidy);
  // A question that is recorded word for word keeps its answer, whatever is asked before it.
  const recorded = new Map(record.questions.map(({ question, answer }) => [question, answer]));
  for (const question of questions) used.add(recorded.get(question) ?? '');
  const answered = questions.map((question) => ({
    question,
    answer: recorded.get(question) ?? answerTo(question, record, used, chance),
  }));
  const own = [...chance.shuffled(record.questions), ...recordOf('general').questions];
  for (const { question, answer } of own) {
    if (answered.length >= (asked.length > 0 ? FEWEST : MOST)) break;
    if (used.has(answer)) continue;
    used.add(answer);
    answered.push({ question, answer });
  }
  return answered;
}

/** From here on two questions ask the same: of the words of the shorter one, most are in both. */
const SAME_QUESTION = 0.6;

function answerTo(question: string, record: RecordedArticle, used: Set<string>, chance: Chance): string {
  const wanted = meaningful(question);
  const near = record.questions
    .filter(({ answer }) => !used.has(answer))
    .map((known) => ({ answer: known.answer, likeness: likeness(wanted, meaningful(known.question)) }))
    .sort((one, other) => other.likeness - one.likeness)
    .find((known) => known.likeness >= SAME_QUESTION);
  const common = recordOf('general')
    .answers.filter(({ mark }) => mark.test(question))
    .flatMap(({ texts }) => chance.shuffled(texts));
  const left = [...common, ...record.questions.map(({ answer }) => answer)].filter((text) => !used.has(text));
  const answer = near?.answer ?? left[0] ?? common[0]!;
  used.add(answer);
  return answer;
}

/** «Сколько это стоит» and «через сколько виден результат» share no meaning. */
const ASKING = new Set(stems('сколько какой какая какие можно нужно нужен когда почему зачем если'));

const meaningful = (text: string): Set<string> =>
  new Set(stems(text).filter((part) => part.length > 3 && !ASKING.has(part)));

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((part) => other.has(part)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

/** People type questions without a capital or a question mark. */
function tidy(question: string): string {
  const text = question.replace(/[?.!\s]+$/u, '').replace(/^#+\s*/u, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}
