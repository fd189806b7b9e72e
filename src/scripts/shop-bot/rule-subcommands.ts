import { z } from 'zod';
import { DEFAULT_STATE } from '../../../machines/shop-dialogue.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { maxPreflight } from '../../platforms/max/preflight.ts';
import { explainMatch } from '../../shop-bot/explain-match.ts';
import { type NewRule, type Rule, ruleSchema } from '../../shop-bot/rule.ts';
import { makeRuleStore } from '../../shop-bot/store/rules.ts';
import { builtInRules } from '../../shop-bot/texts.ts';
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

/** Also as `rules --json` lists it: what the table adds is left out. */
const listed = ruleSchema
  .extend({ version: z.number(), enabled: z.boolean(), created_at: z.string() })
  .partial({ version: true, enabled: true, created_at: true })
  .transform(({ version: _version, enabled: _enabled, created_at: _at, ...rule }): NewRule => rule);

const given = fromJson(
  z
    .unknown()
    .transform((typed) => (Array.isArray(typed) ? typed : [typed]))
    .pipe(z.array(listed).min(1).max(20_000)),
);

export const ruleSubcommands = [
  defineSubcommand({
    ...{ command, name: 'add-rule', changes: true },
    summary: 'add rules, or change them: a change is a new version; --rules - reads them from the input',
    options: { workspace, rules: option('json', 'one rule, or a list of them', given) },
    async run({ sql, by }, { workspace: id, rules }) {
      await knownWorkspace(sql, id);
      refuseUnsendable(rules);
      const store = makeRuleStore(sql);
      const saved = await store.save(id, rules);
      await makeOperators(sql).noteConfigured(id, null, { rules: saved.length }, by);
      const loose = looseEnds(rules, (await store.enabled(id)).rules);
      const told = saved.map((one) => ({ ...one, warnings: loose.get(one.ruleId) ?? [] }));
      const table = textTable(told, [
        ['rule', ({ ruleId }) => ruleId],
        ['version', ({ version }) => version],
        ['outcome', ({ outcome }) => outcome],
        ['look again', ({ warnings }) => warnings.join('; ')],
      ]);
      return { text: table, data: told };
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
  const problems = rules.flatMap(({ rule_id, response_template, operator_template, buttons }) => {
    const keyboard = buttons.map(({ text: label, rule }) => [{ text: label, payload: rule }]);
    return [
      { text: response_template, buttons: keyboard },
      ...(operator_template === null ? [] : [{ text: operator_template, buttons: [] }]),
    ].flatMap((message) => {
      const checked = maxPreflight({ ...message, parseMode: 'HTML' });
      return checked.ok ? [] : [`${rule_id}: ${checked.refusal.userMessage}`];
    });
  });
  const ids = rules.map(({ rule_id }) => rule_id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${id}: given twice`);
  if (problems.length + twice.length > 0) throw new BadArguments([...problems, ...twice].join('\n'));
}

/** Where a customer would be led to and nothing is. Told and not refused: rules may be added one after the other. */
function looseEnds(added: readonly NewRule[], inForce: readonly Rule[]): Map<string, string[]> {
  const ids = new Set([...Object.keys(builtInRules), ...inForce.map(({ rule_id }) => rule_id)]);
  const states = new Set([DEFAULT_STATE, ...inForce.map(({ state }) => state)]);
  return new Map(
    added.map(({ rule_id, buttons, next_state }) => [
      rule_id,
      [
        ...buttons
          .filter(({ rule }) => !ids.has(rule))
          .map(({ text: label, rule }) => `"${label}" leads to no rule "${rule}"`),
        ...(next_state === null || states.has(next_state)
          ? []
          : [`no rule has the state "${next_state}", to which it leads`]),
      ],
    ]),
  );
}
