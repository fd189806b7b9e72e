/**
 * Words of other people's pages on their way into a prompt, where they are data: no longer than we can use, on one
 * line, without invisible characters and without marks that could end the tag they are put in.
 */
export function outsideText(text: string, most: number): string {
  const clean = text
    .slice(0, most * 4) // enough to fill the room after the cleaning, and not a megabyte to clean
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .replace(/[<>]+/gu, ' ')
    .replace(/ {2,}/gu, ' ')
    .trim();
  return clean.length <= most ? clean : `${cutAtWord(clean, most - 1)}…`;
}

function cutAtWord(text: string, most: number): string {
  const head = text.slice(0, most);
  const end = head.lastIndexOf(' ');
  return (end > most / 2 ? head.slice(0, end) : head).replace(/[\s\uD800-\uDBFF]+$/u, '');
}
