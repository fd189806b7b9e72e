/**
 * How wide a text is, without a browser: the proportions of Helvetica by groups of letters. Errs on the wide
 * side, because the font that finally draws the text is not known.
 */
export function textWidth(text: string, fontSize: number): number {
  let em = 0;
  for (const letter of text) em += widthInEm(letter);
  return em * fontSize * 1.06;
}

function widthInEm(letter: string): number {
  if ("ijl|'.,:;!".includes(letter)) return 0.26;
  if ('ftrI /()[]-'.includes(letter)) return 0.33;
  if ('mwMW'.includes(letter)) return 0.85;
  return letter >= 'A' && letter <= 'Z' ? 0.69 : 0.556;
}
