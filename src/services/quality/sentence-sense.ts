import { createRequire } from 'node:module';
import type { Language } from './russian-text.ts';

/**
 * Whether words stand in an order that Russian allows. Each word gets a tag by its form (preposition, noun in -ой,
 * infinitive…), and a table learned from written articles (test/corpus/learn-word-pairs.ts) tells how much more often two tags stand side
 * by side than by chance. In prose the mean is well above zero; shuffled or random words have about none.
 */
export function senseOf(sentences: readonly string[], language: Pick<Language, 'words'>): number {
  let sum = 0;
  let pairs = 0;
  for (const sentence of sentences) {
    const tags = tagsOf(language.words(sentence));
    for (let i = 1; i < tags.length; i += 1) {
      sum += table[tags[i - 1]!]?.[tags[i]!] ?? UNSEEN;
      pairs += 1;
    }
  }
  return pairs === 0 ? 0 : sum / pairs;
}

const UNSEEN = -2;
const table = createRequire(import.meta.url)('./word-pairs.json') as Record<string, Record<string, number>>;

/** With the edges of the sentence: «и» at its end is as telling as two prepositions in a row. */
export const tagsOf = (words: readonly string[]): string[] => ['^', ...words.map(tagOf), '$'];

const closed: Readonly<Record<string, string>> = {
  prep: 'в во на с со по для из от до у к ко о об при без под над за через между про ради после перед около вместо',
  conj: 'и а но или да если что чтобы когда пока потому поэтому либо то тогда хотя зато иначе где куда сколько',
  than: 'как чем',
  part: 'не ни же ли бы даже только уже ещё еще лишь почти именно вот тоже',
  pron: 'я ты он она оно они мы вы это его её ее их вам вас нам нас ему ей им себя себе кто всё все',
  det: 'этот эта эти этого этой этому этом этих тот та те того той тех свой своя свои своего своей который которая которые которого которой которых какой какая какие каждый каждая каждого один одна одно два три ваш ваша ваши вашего',
  can: 'можно нужно надо нельзя стоит лучше есть нет был была было были будет',
};
const closedTags = new Map(
  Object.entries(closed).flatMap(([tag, list]) => list.split(' ').map((word) => [word, tag] as const)),
);

const endings: readonly (readonly [RegExp, string])[] = [
  [/^\d/u, 'num'],
  [/^[a-z]/u, 'latin'],
  [/(?:ть|ться|ти|тись|чь)$/u, 'inf'],
  [/(?:ет|ит|ут|ют|ат|ят|ется|ится|утся|ются|атся|ятся|ал|ил|ел|ла|ли|ло|лся|лась|лись)$/u, 'fin'],
  [/(?:йте|ите|ьте|айтесь|итесь)$/u, 'imp'],
  [/(?:ый|ий|ая|яя|ое|ее|ые|ие)$/u, 'adj'],
  [/(?:ого|его|ому|ему|ых|их|ыми|ими|ую|юю)$/u, 'adjo'],
  [/(?:ым|им)$/u, 'ym'],
  [/(?:ой|ей)$/u, 'oj'],
  [/(?:ами|ями)$/u, 'ami'],
  [/(?:ам|ям)$/u, 'am'],
  [/(?:ах|ях)$/u, 'ah'],
  [/(?:ов|ев)$/u, 'ov'],
  [/(?:ом|ем|ём)$/u, 'om'],
  [/о$/u, 'o'],
  [/[ая]$/u, 'a'],
  [/[ыи]$/u, 'y'],
  [/[ую]$/u, 'u'],
  [/е$/u, 'e'],
  [/ь$/u, 'soft'],
];

function tagOf(word: string): string {
  const lower = word.toLowerCase();
  return closedTags.get(lower) ?? endings.find(([ending]) => ending.test(lower))?.[1] ?? 'hard';
}
