import { head, type Run, type StyledText, tidy, visibleText } from './styled-text.ts';

/** A cut that leaves less than this is worse than the next kind of cut. */
const KEEP_AT_LEAST = 0.5;

/** A sentence ends where the next does not go on in small letters: «5 000 руб. за букет» is one. */
const SENTENCE_END = /[.!?…]+["'»”)\]]*(?=\s+[^\s\p{Ll}]|\s*$)/gu;
const LINE_END = /\S(?=\s*\n)/gu;
const WORD_END = /\S(?=\s)/gu;

/** The beginning that measures no more than `limit`, cut after a sentence, else a line, else a word. */
export function trimText(runs: StyledText, limit: number, measure: (runs: StyledText) => number): Run[] {
  const text = visibleText(runs);
  let trimmed = [...runs];
  let room = limit;
  for (let measured = measure(trimmed); measured > limit; measured = measure(trimmed)) {
    // Markup takes its share of the limit: guess how much from what was measured.
    room = Math.min(room - 1, Math.floor((visibleText(trimmed).length * limit) / measured));
    trimmed = tidy(head(runs, cutAt(text, room)));
  }
  return trimmed;
}

/** The last good place to stop within `room` characters. */
export function cutAt(text: string, room: number): number {
  if (room <= 0) return 0;
  if (text.length <= room) return text.length;
  for (const end of [SENTENCE_END, LINE_END, WORD_END]) {
    const last = lastEnd(text, end, room);
    if (last >= room * KEEP_AT_LEAST) return last;
  }
  return cutAtWord(text, room);
}

export const cutAtWord = (text: string, room: number): number =>
  text.length <= room ? text.length : lastEnd(text, WORD_END, room) || room;

function lastEnd(text: string, pattern: RegExp, room: number): number {
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > room) break;
    last = end;
  }
  return last;
}
