import { fitting } from './expectations.ts';
import { normalText } from './normal-text.ts';
import type { Rule } from './rule.ts';
import { compileRules } from './rule-set.ts';

export type Explained = { winner: Rule | null; others: { ruleId: string; why: string }[] };

/** Which rule answers a text, and of each other one why it does not: those that came close stand first. */
export function explainMatch(rules: readonly Rule[], text: string, state: string): Explained {
  const winner = compileRules(rules).matchText(text, state);
  const others = rules
    .filter((rule) => rule !== winner)
    .map((rule) => ({ ruleId: rule.rule_id, ...whyNot(rule) }))
    .toSorted((a, b) => a.far - b.far || (a.ruleId < b.ruleId ? -1 : 1))
    .map(({ ruleId, why }) => ({ ruleId, why }));
  return { winner, others };

  function whyNot({ pattern, state: ofRule, expects, priority }: Rule): { far: number; why: string } {
    const words = normalText(text);
    const keyword = pattern.keywords.find((one) => words.includes(normalText(one)));
    if (pattern.keywords.length > 0 && keyword === undefined)
      return { far: 3, why: 'none of its keywords is in the text' };
    if (pattern.keywords.length === 0 && ofRule === null)
      return { far: 3, why: 'has no keywords: only a button leads to it' };
    const found = keyword === undefined ? 'takes any text' : `"${keyword}" is in the text`;
    if (ofRule !== null && ofRule !== state)
      return { far: 2, why: `${found}, but it holds in the state "${ofRule}"` };
    if (fitting(expects, text) === null) return { far: 1, why: `${found}, but it expects ${expects}` };
    return {
      far: 0,
      why: `${found}, but ${winner?.rule_id} comes first (priority ${priority}, state ${ofRule ?? 'any'})`,
    };
  }
}
