import type { z } from 'zod';
import type { Json } from '../../engine/json.ts';
import { AnswerUnreadable } from './api-refused.ts';

/** Null when it is no JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function readAs<Result>(what: string, answer: unknown, shape: z.ZodType<Result>): Result {
  const parsed = shape.safeParse(answer);
  if (!parsed.success) throw new AnswerUnreadable(what, String(JSON.stringify(answer)), parsed.error);
  return parsed.data;
}
