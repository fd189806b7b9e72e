import { z } from 'zod';
import { canBeSeen } from '../../platforms/can-be-seen.ts';

/** What a source may say of a post. Whatever else stands in it, a workspace among it, counts for nothing. */
const address = z.string().max(2_048).refine(isWebAddress, {
  error: 'нужен полный адрес, который начинается с http:// или https://, без логина и пароля',
});

/** A name by which things are found again: kept exactly, so nothing in it may be unreadable. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: 'есть непечатные символы' });

const media = z.object({
  type: z.enum(['image', 'video', 'audio', 'file']),
  url: address,
  caption: z.string().max(4_096).nullish(),
});

const postBody = z
  .object({
    text: z.string().max(10_000).nullish(),
    media: z.array(media).max(20).nullish(),
    links: z.array(address).max(20).nullish(),
    tags: z.array(z.string().max(100)).max(50).nullish(),
    source_ref: z.union([name, z.int().transform(String)]).nullish(),
    /** Without it, as each channel reads its posts. */
    parse_mode: z.enum(['HTML', 'Markdown', 'None']).nullish(),
  })
  .refine(({ text, media, links }) => Boolean(canBeSeen(text ?? '') || media?.length || links?.length), {
    error: 'нечего публиковать: нет ни текста, ни вложений, ни ссылок',
  });

export type PostBody = z.infer<typeof postBody>;

/** `field` as `media.0.url`; empty for the whole. */
export type Problem = { field: string; problem: string };
export type ReadBody = { ok: true; body: PostBody } | { ok: false; problems: Problem[] };

export function readPostBody(value: unknown): ReadBody {
  const parsed = postBody.safeParse(value, { error: inWords });
  if (parsed.success) return { ok: true, body: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    problem: message,
  }));
  return { ok: false, problems };
}

const kinds: Readonly<Record<string, string>> = {
  array: 'нужен список: [ … ]',
  object: 'нужен объект: { … }',
  string: 'нужен текст в кавычках',
};

/** Messages for the developer of the sender. */
function inWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? 'не тот вид значения';
    case 'invalid_value':
      return `нужно одно из: ${issue.values.join(', ')}`;
    case 'too_big':
      return `можно до ${issue.maximum} ${issue.origin === 'array' ? 'элементов' : 'символов'}`;
    case 'too_small':
      return 'не должно быть пустым';
    case 'invalid_union':
      return 'нужен текст или целое число';
    default:
      return 'такое значение не подходит';
  }
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
