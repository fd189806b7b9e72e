import { describe, expect, it } from 'vitest';
import { type NewRule, ruleSchema } from '../../src/shop-bot/rule.ts';
import { compileRules } from '../../src/shop-bot/rule-set.ts';

const rule = (rule_id: string, keywords: string[], more: Partial<NewRule> = {}) => ({
  ...ruleSchema.parse({ rule_id, intent: 'x', pattern: { keywords }, response_template: rule_id, ...more }),
  version: 1,
});
const winner = (rules: ReturnType<typeof rule>[], text: string, state = 'default') =>
  compileRules(rules).matchText(text, state)?.rule_id ?? null;

describe('the rule that answers', () => {
  it('is found by a keyword anywhere in the text, whatever the case, the spaces and the dots of ё', () => {
    const rules = [rule('a', ['Сроки   Доставки']), rule('b', ['ёлк'])];
    expect(winner(rules, 'какие СРОКИ доставки?')).toBe('a');
    expect(winner(rules, 'есть елки?')).toBe('b');
    expect(winner(rules, 'ЁЛКА')).toBe('b');
    expect(winner(rules, 'сроки')).toBeNull();
  });

  it('is one of the present state first, then the higher priority, then the smaller id', () => {
    const everywhere = rule('everywhere', ['брак'], { priority: 100 });
    const here = rule('here', ['брак'], { state: 'reason' });
    expect(winner([everywhere, here], 'брак', 'reason')).toBe('here');
    expect(winner([everywhere, here], 'брак', 'order')).toBe('everywhere');
    expect(winner([rule('a', ['x']), rule('b', ['x'], { priority: 1 })], 'x')).toBe('b');
    expect(winner([rule('b', ['x']), rule('a', ['x'])], 'x')).toBe('a');
    expect(winner([rule('b', ['x']), rule('a', ['y'])], 'x y')).toBe('a');
  });

  it('takes any text without keywords, only in its state', () => {
    expect(winner([rule('any', [])], 'что угодно')).toBeNull();
    expect(winner([rule('any', [], { state: 'order' })], 'что угодно')).toBeNull();
    expect(winner([rule('any', [], { state: 'order' })], 'что угодно', 'order')).toBe('any');
    const keyed = rule('keyed', ['да'], { state: 'order', priority: 1 });
    expect(winner([rule('any', [], { state: 'order' }), keyed], 'да', 'order')).toBe('keyed');
  });

  it('takes an order number of 3 to 20 letters, digits and dashes, one digit at least, and leaves other words to other rules', () => {
    const order = rule('order', [], { state: 'order', expects: 'order_number' });
    const free = rule('free', ['доставк']);
    for (const good of ['ТС-10452', 'a1b', ' 123-456 ', '1'.repeat(20)])
      expect(winner([order, free], good, 'order')).toBe('order');
    for (const bad of ['12', '1'.repeat(21), 'номер 5', '12_34', 'возврат', ''])
      expect(winner([order, free], bad, 'order')).toBeNull();
    expect(winner([order, free], 'а доставка когда?', 'order')).toBe('free');
  });

  it('does not read keywords as expressions, and finds them in emoji and other scripts', () => {
    expect(winner([rule('a', ['.*'])], 'что угодно')).toBeNull();
    expect(winner([rule('a', ['.*'])], 'a.*b')).toBe('a');
    expect(winner([rule('a', ['🚚'])], '🙂🚚🙂')).toBe('a');
    expect(winner([rule('a', ['配送'])], '你们配送吗')).toBe('a');
    expect(winner([rule('a', ['доставк'])], '🙂🙂🙂')).toBeNull();
  });

  it('agrees with a plain search through all rules, whatever they are', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const word = (most: number) => Array.from({ length: 1 + random(most) }, () => 'абв'[random(3)]).join('');
    const states = [null, 's', 't'];
    for (let round = 0; round < 200; round += 1) {
      const rules = Array.from({ length: 12 }, (_, i) =>
        rule(
          `r${i}`,
          Array.from({ length: random(3) }, () => word(3)),
          {
            priority: random(3),
            state: states[random(3)]!,
          },
        ),
      );
      const text = word(8);
      const state = ['default', 's', 't'][random(3)]!;
      const fitting = rules.filter(
        (one) =>
          (one.state === null || one.state === state) &&
          (one.pattern.keywords.length === 0
            ? one.state !== null
            : one.pattern.keywords.some((keyword) => text.includes(keyword))),
      );
      const [best] = fitting.toSorted(
        (a, b) =>
          Number(b.state === state) - Number(a.state === state) ||
          b.priority - a.priority ||
          (a.rule_id < b.rule_id ? -1 : 1),
      );
      expect(winner(rules, text, state)).toBe(best?.rule_id ?? null);
    }
  });
});
