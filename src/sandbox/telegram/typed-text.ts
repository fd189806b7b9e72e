import type { MessageEntity } from './wire.ts';

/** What people type in Telegram's apps to format a text. */
const typed = [
  { sign: '**', type: 'bold' },
  { sign: '__', type: 'italic' },
  { sign: '~~', type: 'strikethrough' },
  { sign: '||', type: 'spoiler' },
  { sign: '`', type: 'code' },
] as const;

const link = /^\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/u;

/** The apps take the signs away and send entities instead. A sign without its pair stays a sign. */
export function typedText(raw: string): { text: string; entities: MessageEntity[] } {
  const entities: MessageEntity[] = [];
  const text = read(raw, 0);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };

  function read(source: string, at: number): string {
    let done = '';
    for (let i = 0; i < source.length; ) {
      const [whole, label, url] = link.exec(source.slice(i)) ?? [];
      if (whole && label && url) {
        entities.push({ type: 'text_link', offset: at + done.length, length: label.length, url });
        done += label;
        i += whole.length;
        continue;
      }
      const sign = typed.find((each) => source.startsWith(each.sign, i));
      const end = sign ? source.indexOf(sign.sign, i + sign.sign.length + 1) : -1;
      if (!sign || end === -1) {
        done += source[i];
        i += 1;
        continue;
      }
      const inner = source.slice(i + sign.sign.length, end);
      const offset = at + done.length;
      const words = sign.type === 'code' ? inner : read(inner, offset);
      entities.push({ type: sign.type, offset, length: words.length });
      done += words;
      i = end + sign.sign.length;
    }
    return done;
  }
}
