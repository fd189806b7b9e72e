import { DEFAULT_STATE } from '../../machines/shop-dialogue.ts';
import { fitting } from './expectations.ts';
import { createKeywordIndex } from './keyword-index.ts';
import { normalText } from './normal-text.ts';
import type { Rule } from './rule.ts';

export type RuleSet = ReturnType<typeof compileRules>;

/** Rules of the present state come first; then priority, higher first; then the id. */
function isBefore(a: Rule, b: Rule, state: string): boolean {
  const [ofStateA, ofStateB] = [a.state === state, b.state === state];
  if (ofStateA !== ofStateB) return ofStateA;
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.rule_id < b.rule_id;
}

/** By state, each list in its order: of those that share a keyword only the first that fits has to be looked at. */
type ByState = Map<string | null, Rule[]>;

/** The enabled rules of one workspace, made ready for messages. */
export function compileRules(given: readonly Rule[]) {
  const rules = given.toSorted((a, b) => (isBefore(a, b, '') ? -1 : 1));
  const byId = new Map(rules.map((rule) => [rule.rule_id, rule]));
  const states = new Set(rules.flatMap(({ state }) => (state === null ? [] : [state])));
  const index = createKeywordIndex<ByState>(() => new Map());
  const openToAll: ByState = new Map(); // no keywords: any text, in their state only
  for (const rule of rules) {
    const { keywords } = rule.pattern;
    if (keywords.length === 0 && rule.state !== null) put(openToAll, rule);
    for (const keyword of new Set(keywords.map(normalText))) put(index.add(keyword), rule);
  }
  const labels = new Map(
    rules.flatMap(({ buttons }) => buttons.map(({ text, rule }) => [rule, text] as const)),
  );
  return {
    size: rules.length,
    rules,
    byId: (id: string): Rule | null => byId.get(id) ?? null,
    /** What a button that leads to this rule says: a press stands for these words. */
    labelOf: (id: string): string | null => labels.get(id) ?? null,
    /** A scenario whose rules were removed cannot go on. */
    knowsState: (state: string): boolean => state === DEFAULT_STATE || states.has(state),
    matchText,
    matchPhoto,
  };

  function matchText(text: string, state: string): Rule | null {
    let best: Rule | null = null;
    const consider = (found: ByState): void => {
      const first =
        found.get(state)?.find(({ expects }) => fitting(expects, text) !== null) ??
        found.get(null)?.find(({ expects }) => fitting(expects, text) !== null);
      if (first && (best === null || isBefore(first, best, state))) best = first;
    };
    index.find(normalText(text), consider);
    consider(openToAll);
    return best;
  }

  function matchPhoto(state: string): Rule | null {
    return rules.find((rule) => rule.expects === 'photo' && rule.state === state) ?? null;
  }
}

function put(into: ByState, rule: Rule): void {
  const known = into.get(rule.state);
  if (known) known.push(rule);
  else into.set(rule.state, [rule]);
}
