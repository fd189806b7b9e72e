/** `#tag` as every platform reads it: letters, digits, underscores, at least one letter. */
const TAG = /(?<![\p{L}\p{N}_/&#])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_]+/gu;
const TAGS_AT_END = /(?:^|\n)(?:[\s,]*(?<![\p{L}\p{N}_/&#])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_]+)+[\s,]*$/u;

/** A longer one is a phrase: people do not search for it as a tag. */
const LONGEST = 40;

/** From what a model or a person calls a tag: «свадебный букет», "#букет, #розы". */
export function toHashtags(names: readonly string[]): string[] {
  const words = names
    .flatMap((name) => name.toWellFormed().normalize('NFC').split(/[#,;]/u))
    .map((name) => name.replace(/[^\p{L}\p{N}_]/gu, ''));
  return usable(words.filter((word) => /\p{L}/u.test(word)).map((word) => `#${word}`));
}

export const hashtagsIn = (text: string): string[] => usable(text.match(TAG) ?? []);

/** Where the closing row of tags begins, or the end of the text. */
export const tagsBeginAt = (text: string): number => TAGS_AT_END.exec(text)?.index ?? text.length;

/** The tags that are not kept become words. */
export function withoutOtherTags(text: string, kept: readonly string[]): string {
  const known = new Set(kept.map(key));
  return text.replace(TAG, (tag) => (known.has(key(tag)) ? tag : tag.slice(1)));
}

export function missingTags(text: string, tags: readonly string[]): string[] {
  const present = new Set(hashtagsIn(text).map(key));
  return tags.filter((tag) => !present.has(key(tag)));
}

/** Letter case makes no other tag; the first spelling stays. */
export function distinct(tags: readonly string[]): string[] {
  const seen = new Set<string>();
  return tags.filter((tag) => {
    const isNew = !seen.has(key(tag));
    seen.add(key(tag));
    return isNew;
  });
}

const usable = (tags: readonly string[]): string[] => distinct(tags.filter((tag) => tag.length <= LONGEST));

const key = (tag: string): string => tag.toLowerCase();
