import { type FormattedText, parseHtml, UnparsableHtml } from './html.ts';
import { badRequest, type MessageEntity } from './wire.ts';

/** Counted in UTF-16 units after parsing, the stricter reading of "characters". */
export const MAX_TEXT = 4096;
export const MAX_CAPTION = 1024;

/** The text of a message as Telegram keeps it: parsed, trimmed, with the links and commands it finds by itself. */
export function formatText(raw: unknown, parseMode: unknown, given: unknown): FormattedText {
  if (typeof raw !== 'string') return { text: '', entities: [] };
  const normal = raw.replaceAll('\r\n', '\n');
  const parsed = parse(normal, parseMode, given);
  const { text, entities } = trim(parsed);
  return { text, entities: withFound(text, entities) };
}

export const commandsAndLinks = (text: string): MessageEntity[] => withFound(text, []);

function parse(text: string, parseMode: unknown, given: unknown): FormattedText {
  if (parseMode === undefined || parseMode === '' || parseMode === null) {
    return { text, entities: Array.isArray(given) ? (given as MessageEntity[]) : [] };
  }
  switch (String(parseMode).toLowerCase()) {
    case 'html':
      try {
        return parseHtml(text);
      } catch (error) {
        if (error instanceof UnparsableHtml) throw badRequest(`can't parse entities: ${error.message}`);
        throw error;
      }
    case 'markdown':
    case 'markdownv2':
      // Real in Telegram, absent here: saying so beats showing asterisks.
      throw badRequest('the stand-in reads parse_mode HTML alone');
    default:
      throw badRequest('unsupported parse_mode');
  }
}

function trim({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const kept = entities.flatMap((entity) => {
    const from = Math.max(entity.offset - start, 0);
    const to = Math.min(entity.offset + entity.length - start, trimmed.length);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: trimmed, entities: kept };
}

const FINDERS: readonly [type: string, pattern: RegExp][] = [
  ['url', /(?<![\w@/.])https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'»]/g],
  ['email', /(?<![\w@/.])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ['mention', /(?<![\w@/.])@[a-zA-Z]\w{3,31}\b/g],
  ['bot_command', /(?<![\p{L}\p{N}_@/.<])\/[a-zA-Z0-9_]{1,32}(?:@\w+)?(?![\p{L}\p{N}_/])/gu],
];

// What the author marked as a link or as code stays as it is.
const OPAQUE = new Set(['text_link', 'code', 'pre', 'text_mention']);

function withFound(text: string, marked: MessageEntity[]): MessageEntity[] {
  const taken = marked.filter(({ type }) => OPAQUE.has(type));
  const found: MessageEntity[] = [];
  for (const [type, pattern] of FINDERS) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (![...taken, ...found].some((other) => overlap(entity, other))) found.push(entity);
    }
  }
  return [...marked, ...found].toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

const overlap = (a: MessageEntity, b: MessageEntity) =>
  a.offset < b.offset + b.length && b.offset < a.offset + a.length;
