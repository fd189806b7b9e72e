import { z } from 'zod';
import { DEFAULT_STATE } from '../../../machines/shop-dialogue.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { maxPreflight } from '../../platforms/max/preflight.ts';
import { explainMatch } from '../../shop-bot/explain-match.ts';
import { type NewRule, ruleSchema } from '../../shop-bot/rule.ts';
import { makeRuleStore } from '../../shop-bot/store/rules.ts';
import { fromJson } from '../autopost/from-json.ts';
import { knownWorkspace } from '../autopost/known.ts';
import {
  BadArguments,
  defineSubcommand,
  flag,
  NothingFound,
  option,
  text,
  workspace,
} from '../autopost/subcommand.ts';
import { textTable } from '../autopost/text-table.ts';

const command = 'shop-bot' as const;
const MOST_EXPLAINED = 20;

const given = fromJson(
  z.union([ruleSchema.transform((rule) => [rule]), z.array(ruleSchema).min(1).max(20_000)]),
);

export const ruleSubcommands = [
  defineSubcommand({
    ...{ command, name: 'add-rule', changes: true },
    summary: 'add rules, or change them: a change is a new version; --rules - reads them from the input',
    options: { workspace, rules: option('json', 'one rule, or a list of them', given) },
    async run({ sql, by }, { workspace: id, rules }) {
      await knownWorkspace(sql, id);
      refuseUnsendable(rules);
      const saved = await makeRuleStore(sql).save(id, rules);
      await makeOperators(sql).noteConfigured(id, null, { rules: saved.length }, by);
      const table = textTable(saved, [
        ['rule', ({ ruleId }) => ruleId],
        ['version', ({ version }) => version],
        ['outcome', ({ outcome }) => outcome],
      ]);
      return { text: table, data: saved };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'rules', summary: 'the rules in force; --all: every version' },
    options: { workspace, all: option(null, 'every version', flag) },
    async run({ sql }, { workspace: id, all }) {
      await knownWorkspace(sql, id);
      const rules = (await makeRuleStore(sql).list(id)).filter(({ enabled }) => all || enabled);
      const table = textTable(
        rules,
        [
          ['rule', ({ rule_id }) => rule_id],
          ['version', ({ version, enabled }) => `${version}${enabled ? '' : ' (off)'}`],
          ['state', ({ state }) => state],
          ['next', ({ next_state }) => next_state],
          ['priority', ({ priority }) => priority],
          ['keywords', ({ pattern }) => pattern.keywords.join(', ')],
        ],
        'no rules: add-rule makes one',
      );
      return { text: table, data: rules };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'disable-rule', changes: true, summary: 'switch a rule off; its versions stay' },
    options: { workspace, rule: option('id', 'the rule', text) },
    async run({ sql, by }, { workspace: id, rule }) {
      const version = await makeRuleStore(sql).disable(id, rule);
      if (version === null) throw new NothingFound(`No rule "${rule}" in force in workspace "${id}".`);
      await makeOperators(sql).noteConfigured(id, null, { disabled_rule: rule, version }, by);
      return { text: `rule ${rule}, version ${version}, is off.`, data: { rule, version } };
    },
  }),

  defineSubcommand({
    ...{ command, name: 'test', positional: 'text' as const },
    summary: 'which rule would answer these words, and why the others would not',
    options: {
      workspace,
      text: option('words', 'what a customer writes', z.array(z.string()).min(1)),
      state: option(DEFAULT_STATE, 'the state of the chat', text.default(DEFAULT_STATE)),
    },
    async run({ sql }, { workspace: id, text: words, state }) {
      await knownWorkspace(sql, id);
      const { rules } = await makeRuleStore(sql).enabled(id);
      const { winner, others } = explainMatch(rules, words.join(' '), state);
      const answer = winner
        ? `${winner.rule_id}, version ${winner.version}, answers:\n${winner.response_template}`
        : 'No rule answers: the customer is asked what they mean.';
      const table = textTable(
        others.slice(0, MOST_EXPLAINED),
        [
          ['rule', ({ ruleId }) => ruleId],
          ['why not', ({ why }) => why],
        ],
        'no other rules',
      );
      return { text: `${answer}\n\n${table}`, data: { winner, others } };
    },
  }),
];

/** What MAX would refuse is found here, and not when a customer waits for it. */
function refuseUnsendable(rules: readonly NewRule[]): void {
  const problems = rules.flatMap(({ rule_id, response_template, buttons }) => {
    const keyboard = buttons.map(({ text: label, rule }) => [{ text: label, payload: rule }]);
    const checked = maxPreflight({ text: response_template, parseMode: 'HTML', buttons: keyboard });
    return checked.ok ? [] : [`${rule_id}: ${checked.refusal.userMessage}`];
  });
  const ids = rules.map(({ rule_id }) => rule_id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${id}: given twice`);
  if (problems.length + twice.length > 0) throw new BadArguments([...problems, ...twice].join('\n'));
}
