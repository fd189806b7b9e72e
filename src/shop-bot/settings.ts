import { z } from 'zod';
import { defaultTexts, type TextName, textNames } from './texts.ts';

const MOST_TOPICS = 10;

/** `workspace_endpoints.meta` of a bot: who it is, how long it remembers, and what it says where no rule speaks. */
const settingsSchema = z.object({
  /** Under which the bot's token is kept. */
  auth_ref: z.string().min(1),
  /** The chat in which the shop's staff read what the bot hands over. Null: there is none. */
  operator_chat: z
    .string()
    .regex(/^-?\d{1,19}$/u)
    .nullable()
    .default(null),
  state_timeout_minutes: z.number().positive().max(10_080).default(30),
  /** Values for templates. */
  vars: z.record(z.string(), z.string()).default({}),
  topics: z
    .array(z.object({ text: z.string().min(1).max(128), rule: z.string() }))
    .max(MOST_TOPICS)
    .default([]),
  texts: z.partialRecord(z.enum(textNames), z.string().min(1)).default({}),
});

export type ShopSettings = Omit<z.infer<typeof settingsSchema>, 'texts'> & {
  texts: Record<TextName, string>;
};

class UnusableSettings extends Error {
  override readonly name = 'UnusableSettings';
}

export function readSettings(meta: unknown): ShopSettings {
  const read = settingsSchema.safeParse(meta);
  if (!read.success) throw new UnusableSettings(`settings of the bot: ${z.prettifyError(read.error)}`);
  return { ...read.data, texts: { ...defaultTexts(read.data), ...read.data.texts } };
}

/** What is wrong with settings that an operator typed. A misspelt name, too: it would be left out in silence. */
export function settingsFaults(meta: { readonly [name: string]: unknown }): string[] {
  const { webhook: _, ...typed } = meta; // noted by `subscribe`
  const read = settingsSchema.strict().safeParse(typed);
  return read.success ? [] : read.error.issues.map(({ path, message }) => [...path, message].join(': '));
}
