import { expect, it } from 'vitest';
import { makeApiCosts } from '../../src/store/api-costs.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { aUser, balanceOf, unbalanced } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  const rowsOf = (userId: number) => sql()`
    select amount, operation_type, description, ai_model, input_tokens, output_tokens, cost_usd::float as cost_usd
    from token_expenses where user_id = ${userId} order by id`;

  it('notes what a call to a model cost us', async () => {
    const userId = await aUser(sql());
    await makeApiCosts(sql())({
      userId,
      operation: 'api_openrouter',
      costUsd: 0.123456,
      description: 'article',
      model: 'anthropic/claude-sonnet-4.5',
      inputTokens: 8_000,
      outputTokens: 5_200,
    });
    expect(await rowsOf(userId)).toEqual([
      {
        amount: 0,
        operation_type: 'api_openrouter',
        description: 'article',
        ai_model: 'anthropic/claude-sonnet-4.5',
        input_tokens: 8_000,
        output_tokens: 5_200,
        cost_usd: 0.123456,
      },
    ]);
  });

  it('notes a call that knows neither model nor tokens, as often as it is made', async () => {
    const userId = await aUser(sql());
    const call = {
      userId,
      operation: 'api_dataforseo',
      costUsd: 0.01,
      description: 'search_volume',
    } as const;
    await makeApiCosts(sql())(call);
    await makeApiCosts(sql())(call);
    const row = { amount: 0, operation_type: 'api_dataforseo', description: 'search_volume', cost_usd: 0.01 };
    const unknown = { ai_model: null, input_tokens: null, output_tokens: null };
    expect(await rowsOf(userId)).toEqual([
      { ...row, ...unknown },
      { ...row, ...unknown },
    ]);
  });

  it('keeps a model whose name is longer than its column', async () => {
    const userId = await aUser(sql());
    const cost = { userId, operation: 'api_openrouter', costUsd: 0, description: 'article' } as const;
    await makeApiCosts(sql())({ ...cost, model: 'm'.repeat(300) });
    expect(await rowsOf(userId)).toMatchObject([{ ai_model: 'm'.repeat(100) }]);
  });

  it('takes nothing from the person, whose balance stays the bonus and the ledger', async () => {
    const userId = await aUser(sql());
    const charge = { userId, key: `${userId}:article`, amount: 320, type: 'text_generation' } as const;
    await Promise.all([
      makeLedger(sql()).charge(charge),
      makeApiCosts(sql())({ userId, operation: 'api_firecrawl', costUsd: 0.005, description: 'scrape' }),
    ]);
    expect(await balanceOf(sql(), userId)).toBe(1_180);
    expect(await unbalanced(sql())).toEqual([]);
  });
});
