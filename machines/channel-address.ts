/** Messengers whose channels people connect. */
export type MessengerName = 'telegram' | 'max';

/**
 * As people name a channel of Telegram: `@name`, a link to it or to one of its posts, or its number. Null: it cannot
 * be reached by what was given, as by a link of invitation.
 */
export function readTelegramTarget(given: string): string | null {
  const text = given.trim();
  if (/^-100\d{5,}$/u.test(text)) return text;
  const link = /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me)\/(?:s\/)?(?<path>[^?#]+)/iu.exec(text);
  const path = link?.groups?.path ?? text.replace(/^@/u, '');
  const number = link && /^c\/(?<id>\d{5,})(?:\/|$)/u.exec(path)?.groups?.id;
  if (number) return `-100${number}`;
  const name = /^(?<name>[a-z]\w{3,31})(?:\/\d*)?\/?$/iu.exec(path)?.groups?.name;
  const isAddress = link !== null || text.startsWith('@') || !text.includes('/');
  return name !== undefined && isAddress && name.toLowerCase() !== 'joinchat' ? `@${name}` : null;
}

/** As people give a chat of MAX: its number, or an address of MAX in which the number stands. */
export function readMaxTarget(given: string): string | null {
  const text = given.trim();
  if (/^-?\d{1,19}$/u.test(text)) return text;
  return (
    /^(?:https?:\/\/)?(?:[\w-]+\.)?max\.ru\/(?:c\/)?(?<id>-?\d{5,19})(?:[/?#]|$)/iu.exec(text)?.groups?.id ??
    null
  );
}

/** A public name or an invitation in MAX: it leads people to a chat, and tells a bot nothing of its number. */
export const isMaxLink = (given: string): boolean =>
  /^(?:https?:\/\/)?(?:[\w-]+\.)?max\.ru\/\S+$/iu.test(given.trim());
