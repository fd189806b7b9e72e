/** As words are compared: one case, one spelling of «ё», single spaces. */
export const normalText = (text: string): string =>
  text.toLowerCase().replaceAll('ё', 'е').replace(/\s+/gu, ' ').trim();

/** A whole message without the signs around it. */
export const bareWords = (text: string): string =>
  normalText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
