/** As words are compared: one case, one spelling of «ё», single spaces. */
export const normalText = (text: string): string =>
  text.toLowerCase().replaceAll('ё', 'е').replace(/\s+/gu, ' ').trim();

/** A whole message that is one word, whatever signs stand around it. */
export const bareWord = (text: string): string =>
  normalText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
