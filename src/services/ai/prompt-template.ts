import { Liquid } from 'liquidjs';
import type { Variable } from './ask.ts';

export type PromptTemplate = {
  /** The variables it asks for. */
  names: readonly string[];
  fill(values: Readonly<Record<string, Variable>>): string;
};

/** Far above any prompt or price of filling one, far below what would hurt the process. */
const limits = { parseLimit: 200_000, renderLimit: 1_000, memoryLimit: 10_000_000 };

/** No tag that reads files, and none that makes up variables of its own. */
const allowedTags = new Set(['if', 'unless', 'case', 'for', 'break', 'continue']);

const engine = new Liquid({
  ...limits,
  outputDelimiterLeft: '<<',
  outputDelimiterRight: '>>',
  tagDelimiterLeft: '<%',
  tagDelimiterRight: '%>',
  // A tag alone on its line takes the line with it, so that an absent variable leaves no gap.
  trimTagRight: true,
  greedy: false,
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {},
  outputEscape: asText,
});
for (const tag of Object.keys(engine.tags)) if (!allowedTags.has(tag)) delete engine.tags[tag];

const comments = /<#[\s\S]*?#>\n?/gu;

/** Throws when the text is no template. */
export function compileTemplate(text: string): PromptTemplate {
  const parsed = engine.parse(text.replace(comments, ''));
  return {
    names: engine.globalVariablesSync(parsed),
    fill: (values) => String(engine.renderSync(parsed, { ...values })).trim(),
  };
}

/** Words and numbers as they are, a list of them line by line, anything deeper as JSON with an item per line. */
function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const flat = value.every((item) => typeof item !== 'object');
  return flat ? value.join('\n') : `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}
