/** The value of a variable of the prompt, or an empty string when the prompt does not carry it. */
export type Tags = (name: string) => string;

/**
 * Prompts put each value between `<name>` and `</name>`. The first opening tag counts, and of the text around
 * the tags nothing is read: what a page says inside its tag stays data.
 */
export function readTags(prompt: string): Tags {
  return (name) => {
    const opening = `<${name}>`;
    const start = prompt.indexOf(opening);
    if (start < 0) return '';
    const end = prompt.indexOf(`</${name}>`, start);
    return end < 0 ? '' : prompt.slice(start + opening.length, end).trim();
  };
}

export const linesOf = (value: string): string[] =>
  value
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, '').trim())
    .filter(Boolean);

export function numberOf(value: string, usual: number): number {
  const number = Number.parseInt(value.replace(/\s/gu, ''), 10);
  return Number.isFinite(number) ? number : usual;
}

/** Lists reach a prompt as JSON or line by line. */
export function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null; // plain lines, then
  }
}
