import { z } from 'zod';

/** How a model behaves instead of answering well. What strikes the whole connection is a fault: faults.ts. */
const moodKinds = [
  /** This model fails, and the router moves on; the last one's status is the answer when all do. */
  'fails',
  /** The model refuses; nothing but a filter's verdict comes. */
  'content-filter',
  /** The model refuses in its own words. */
  'refusal',
  /** The provider's moderation refuses before the model has read a word. */
  'moderation',
  'no-choices',
  /** The answer stops in the middle, for the limit of tokens. */
  'length',
  /** Status 200, and an error instead of an answer. */
  'error-in-body',
  /** Status 200, and an answer that ends in an error. */
  'finish-error',
  'empty-content',
  /** JSON with a comma too many in a fence, and talk around it. */
  'fenced-json',
  /** JSON without its last brackets. */
  'truncated-json',
  /** JSON that no rule can mend. */
  'broken-json',
  /** Valid JSON of the wrong shape. */
  'wrong-shape',
  /** Words where a picture was wanted. */
  'no-picture',
  /** A good answer that does not say what it cost. */
  'no-cost',
] as const;

const moodRule = z.strictObject({
  kind: z.enum(moodKinds),
  /** Which task; any, unless said. */
  task: z.string().optional(),
  /** Which models; any, unless said. */
  models: z.array(z.string()).optional(),
  /** Only where the prompt contains this. */
  prompt: z.string().optional(),
  /** How many that fit are let pass first: 2 strikes the third. */
  skip: z.number().int().min(0).default(0),
  /** How many it strikes, 1 unless said; null: every one. */
  times: z.number().int().positive().nullable().default(1),
  /** Of `fails`, `error-in-body` and `finish-error`. */
  status: z.number().int().default(502),
});

export type MoodRule = z.input<typeof moodRule>;
export type Mood = z.infer<typeof moodRule>;
export type Moods = ReturnType<typeof createMoods>;

export function createMoods() {
  let rules: Mood[] = [];
  return { add, list: () => rules, clear, take };

  function add(rule: MoodRule): void {
    rules.push(moodRule.parse(rule));
  }

  function clear(): void {
    rules = [];
  }

  /** The oldest rule that fits, used up by one. */
  function take(asked: { task: string; model: string; prompt: string }): Mood | null {
    for (const rule of rules.filter((candidate) => fits(candidate, asked))) {
      if (rule.skip > 0) {
        rule.skip -= 1;
        continue;
      }
      if (rule.times !== null) rule.times -= 1;
      rules = rules.filter(({ times }) => times !== 0);
      return rule;
    }
    return null;
  }
}

function fits(rule: Mood, { task, model, prompt }: { task: string; model: string; prompt: string }): boolean {
  return (
    (rule.task === undefined || rule.task === task) &&
    (rule.models === undefined || rule.models.includes(model)) &&
    (rule.prompt === undefined || prompt.includes(rule.prompt))
  );
}
