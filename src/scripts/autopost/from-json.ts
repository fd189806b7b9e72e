import { z } from 'zod';

/** An option that is typed as JSON. */
export const fromJson = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((typed, context): unknown => {
      try {
        return JSON.parse(typed);
      } catch {
        context.addIssue({ code: 'custom', message: 'expected JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
