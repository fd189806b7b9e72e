import { z } from 'zod';

const name = z.string().regex(/^[\w.-]{1,64}$/u, 'expected letters, digits, - _ and .');

/** One row of `bot_rules`, in the columns' own names: as it is imported, stored and shown. */
export const ruleSchema = z.strictObject({
  rule_id: name,
  intent: z.string().trim().min(1).max(64),
  pattern: z
    .strictObject({
      keywords: z.array(z.string().trim().min(1).max(100)).max(100),
      mode: z.literal('contains').default('contains'),
    })
    .default({ keywords: [], mode: 'contains' }),
  priority: z.number().int().min(-32_768).max(32_767).default(0),
  max_turns: z.number().int().min(1).max(100).default(5),
  response_template: z.string().trim().min(1).max(4_000),
  next_state: name.nullable().default(null),
  state: name.nullable().default(null),
  capture: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,31}$/u, 'expected a name of small Latin letters')
    .nullable()
    .default(null),
  expects: z.enum(['order_number', 'photo']).nullable().default(null),
  buttons: z
    .array(z.strictObject({ text: z.string().trim().min(1).max(128), rule: z.string().min(1).max(64) }))
    .max(30)
    .default([]),
  media: z
    .strictObject({ type: z.literal('image'), url: z.url({ protocol: /^https?$/u }).max(2_048) })
    .nullable()
    .default(null),
  operator_template: z.string().trim().min(1).max(2_000).nullable().default(null),
});

export type NewRule = z.infer<typeof ruleSchema>;
export type Rule = NewRule & { version: number };
