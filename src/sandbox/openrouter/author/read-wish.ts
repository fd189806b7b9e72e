/** One part of what a person wants changed. `about` keeps its preposition, and so its case: «про доставку». */
export type Wish =
  | { kind: 'shorter'; only: 'opening' | null }
  | { kind: 'fact'; fact: string }
  | { kind: 'about'; topic: string }
  | { kind: 'other'; words: string };

const order = '(?:добавь|добавить|дополни|расскажи|напиши|упомяни|укажи|скажи)(?:те)?';
/** A comma before «что» belongs to the sentence. */
const between = new RegExp(
  String.raw`[;.!\n]+|,(?!\s*что\s)|\s+и\s+(?=(?:${order}|сократи|сделай|убери))`,
  'iu',
);
const fact = new RegExp(String.raw`^(?:и\s+)?${order},?\s+что\s+(.+)$`, 'iu');
const about = new RegExp(
  String.raw`^(?:и\s+)?${order}(?:\s+(?:ещё|немного|больше|абзац|раздел))*\s+((?:про|об?)\s+.+)$`,
  'iu',
);

/** What people ask for most: shorter, with something told, about something. */
export const readWishes = (text: string): Wish[] =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(readWish);

function readWish(words: string): Wish {
  if (/короче|сократи|меньше/iu.test(words))
    return { kind: 'shorter', only: /вступлени|начал|введени/iu.test(words) ? 'opening' : null };
  const told = fact.exec(words)?.[1];
  if (told !== undefined) return { kind: 'fact', fact: told };
  const topic = about.exec(words)?.[1];
  return topic === undefined ? { kind: 'other', words } : { kind: 'about', topic };
}
