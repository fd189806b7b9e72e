import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sentences, stems, words } from '../../src/services/quality/russian-text.ts';
import { tagsOf } from '../../src/services/quality/sentence-sense.ts';

/** Counts which kinds of words stand side by side in the recorded articles. `npx tsx test/corpus/learn-word-pairs.ts` */
export function learnWordPairs(texts: readonly string[]): Record<string, Record<string, number>> {
  const pairs = new Map<string, number>();
  const left = new Map<string, number>();
  const right = new Map<string, number>();
  let total = 0;
  for (const sentence of texts.flatMap((text) => sentences(text))) {
    const tags = tagsOf(words(sentence));
    for (let i = 1; i < tags.length; i += 1) {
      const [one, other] = [tags[i - 1]!, tags[i]!];
      add(pairs, `${one} ${other}`);
      add(left, one);
      add(right, other);
      total += 1;
    }
  }
  const learned: Record<string, Record<string, number>> = {};
  for (const [one, before] of left) {
    for (const [other, after] of right) {
      const seen = pairs.get(`${one} ${other}`) ?? 0;
      const expected = (before * after) / total;
      learned[one] ??= {};
      learned[one][other] = Math.round(100 * Math.log((seen + 1) / (expected + 1))) / 100;
    }
  }
  return learned;
}

const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

export const recordsFolder = new URL('../../src/sandbox/openrouter/author/articles/', import.meta.url);

export const recordedProse = (only: (file: string) => boolean = () => true): string[] =>
  readdirSync(recordsFolder)
    .filter(only)
    .map((file) =>
      readFileSync(new URL(file, recordsFolder), 'utf8')
        .replace(/^---[\s\S]*?\n---\n/u, '')
        .split('\n')
        .filter((line) => !/^(?:#|\||-)/u.test(line))
        .map((line) => line.replace(/^\[\[.*?\]\]\s*/u, '').replaceAll('{Фраза}: ', ''))
        .join('\n'),
    );

const COMMON_FROM = 4;

/** Stems that texts about several trades share: they say nothing about a topic. */
export function learnCommonStems(texts: readonly string[]): string[] {
  const used = new Map<string, number>();
  for (const text of texts) for (const each of new Set(stems(text))) add(used, each);
  return [...used].flatMap(([each, count]) => (count >= COMMON_FROM && each.length > 3 ? [each] : [])).sort();
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const file = new URL('../../src/services/quality/word-pairs.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(learnWordPairs(recordedProse()))}\n`);
  const common = new URL('../../src/services/quality/common-stems.json', import.meta.url);
  writeFileSync(common, `${JSON.stringify(learnCommonStems(recordedProse()))}\n`);
}
