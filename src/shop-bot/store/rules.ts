import type { Sql } from '../../store/database.ts';
import type { NewRule, Rule } from '../rule.ts';

type SavedRule = { ruleId: string; version: number; outcome: 'added' | 'changed' | 'same' };
type RuleLine = Rule & { enabled: boolean; created_at: Date };

export type RuleStore = ReturnType<typeof makeRuleStore>;

export function makeRuleStore(sql: Sql) {
  return { enabled, list, save, disable };

  /** The rules in force, and how often the set has changed until now. */
  async function enabled(workspaceId: string): Promise<{ revision: number; rules: Rule[] }> {
    // The number first: rules that change meanwhile are then read again, and not missed.
    const [set] = await sql<{ revision: number }[]>`
      select revision from bot_rule_sets where workspace_id = ${workspaceId}`;
    const rules = await sql<Rule[]>`
      select rule_id, version, intent, pattern, priority, max_turns, response_template, next_state, state, capture,
        expects, buttons, media, operator_template
      from bot_rules where workspace_id = ${workspaceId} and enabled`;
    return { revision: set?.revision ?? 0, rules };
  }

  /** Every version, the newest of a rule first. */
  function list(workspaceId: string): Promise<RuleLine[]> {
    return sql`
      select rule_id, version, enabled, intent, pattern, priority, max_turns, response_template, next_state, state,
        capture, expects, buttons, media, operator_template, created_at
      from bot_rules where workspace_id = ${workspaceId}
      order by state nulls first, priority desc, rule_id, version desc`;
  }

  /** A change makes a new version; what is the same stays. */
  async function save(workspaceId: string, rules: readonly NewRule[]): Promise<SavedRule[]> {
    const saved = await sql<SavedRule[]>`
      select rule_id as "ruleId", version, outcome
      from save_bot_rules(${workspaceId}, ${JSON.stringify(rules)}::text::jsonb)`;
    return [...saved];
  }

  /** The version that was switched off; null: there was none. */
  async function disable(workspaceId: string, ruleId: string): Promise<number | null> {
    const [row] = await sql<{ version: number }[]>`
      update bot_rules set enabled = false
      where workspace_id = ${workspaceId} and rule_id = ${ruleId} and enabled returning version`;
    return row?.version ?? null;
  }
}
