/** One block of text that stays, is new, or goes. */
export type Difference = { kind: 'same' | 'added' | 'removed'; text: string };

/** Block by block, by the longest run that both versions share. What was reworded is removed and added. */
export function textDifferences(before: readonly string[], after: readonly string[]): Difference[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i]![j] =
        before[i] === after[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const found: Difference[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      found.push({ kind: 'same', text: before[i]! });
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      found.push({ kind: 'removed', text: before[i]! });
      i += 1;
    } else {
      found.push({ kind: 'added', text: after[j]! });
      j += 1;
    }
  }
  return found;
}

/** For the page with all differences: new blocks in bold marks, those that go struck out. */
export const differencesHtml = (title: string, differences: readonly Difference[]): string =>
  [
    `<h1>${escaped(title)}</h1>`,
    ...differences.map(({ kind, text }) => {
      const words = escaped(text);
      if (kind === 'added') return `<p><strong>＋</strong> ${words}</p>`;
      return kind === 'removed' ? `<p><s>${words}</s></p>` : `<p>${words}</p>`;
    }),
  ].join('\n');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
