/** Whether a quotation is what the person wrote, whatever a model did to its case, quotes and spaces. */
export function isOwnWords(quote: string, said: readonly string[]): boolean {
  const wanted = plain(quote);
  return wanted.length >= LEAST && said.some((text) => plain(text).includes(wanted));
}

const LEAST = 3;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
