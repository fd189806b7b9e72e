/** Long enough for any heading, and what file systems and WordPress still take with an extension. */
const SLUG_MAX_LENGTH = 180;

const latin: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'yo', ж: 'zh', з: 'z', и: 'i', й: 'j' },
  ...{ к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f' },
  ...{ х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
};

/** Russian or Latin text as a-z, 0-9 and single hyphens; empty when nothing of it can be written so. */
export function slug(text: string): string {
  const whole = text
    .normalize('NFC') // "й" may come as "и" and a breve
    .toLowerCase()
    .replace(/[а-яё]/gu, (letter) => latin[letter]!)
    .normalize('NFD') // é is e with a mark, and the mark goes
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  return cutAtWord(whole);
}

function cutAtWord(whole: string): string {
  if (whole.length <= SLUG_MAX_LENGTH) return whole;
  const end = whole.lastIndexOf('-', SLUG_MAX_LENGTH);
  return whole.slice(0, end > 0 ? end : SLUG_MAX_LENGTH);
}
