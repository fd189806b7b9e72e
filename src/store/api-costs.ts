import type { NoteCost } from '../services/ai/ask.ts';
import type { Sql } from './database.ts';

const MODEL_LENGTH = 100;

/**
 * What suppliers took from us, kept in the same ledger as what people paid and worth nothing in it: with amount 0
 * the balance still equals the bonus and the ledger.
 */
export const makeApiCosts =
  (sql: Sql): NoteCost =>
  async ({ userId, operation, costUsd, description, model, inputTokens, outputTokens }) => {
    await sql`
      insert into token_expenses (user_id, amount, operation_type, description, ai_model, input_tokens, output_tokens,
        cost_usd)
      values (${userId}, 0, ${operation}, ${description}, ${model?.slice(0, MODEL_LENGTH) ?? null},
        ${inputTokens ?? null}, ${outputTokens ?? null}, ${costUsd})`;
  };
