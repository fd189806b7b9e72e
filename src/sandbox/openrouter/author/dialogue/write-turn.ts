import { makeChance } from '../chance.ts';
import { linesOf, type Tags } from '../read-tags.ts';
import { type Counterpart, counterpartOf } from './counterparts.ts';
import { hearComponents, isJudgement, isOrder } from './hear-components.ts';

/** One answer of the counterpart: to what was said now, with a fact that the dialogue has just earned. */
export function writeTurn(tags: Tags): unknown {
  const words = tags('last_words');
  const components = linesOf(tags('components')).map((line) => line.split(' — ', 1)[0]!.trim());
  const achieved = hearComponents(words, components);
  const heard = components.filter((id) => achieved[id]);
  const speaker = counterpartOf(tags('counterpart_name'));
  const { pick } = makeChance(`${tags('dialogue')} ${words}`);
  const own = ownLines(tags('dialogue'), tags('counterpart_name'));
  const fact = isOrder(words) || isJudgement(words) ? null : untold(linesOf(tags('known_facts')), own);
  const said = pick(fresh(reactions(speaker, words, heard), own));
  return { reply: fact === null ? said : `${said} ${fact}`, achieved };
}

function reactions(speaker: Counterpart, words: string, heard: readonly string[]): readonly string[] {
  if (isOrder(words)) return speaker.puzzled;
  if (isJudgement(words)) return speaker.defends;
  // The latest of the five weighs most: a person who ends with an agreement gets an answer to it.
  const answers = heard.toReversed().flatMap((id) => speaker.answers[id] ?? []);
  return answers.length > 0 ? answers.slice(0, 2) : speaker.evades;
}

/** What was said before is not said again, as long as there is something else. */
function fresh(lines: readonly string[], said: readonly string[]): readonly string[] {
  const others = lines.filter((line) => !said.some((own) => own.includes(line)));
  return others.length > 0 ? others : lines;
}

const ownLines = (dialogue: string, name: string): string[] =>
  dialogue.split('\n').filter((line) => line.startsWith(`${name}:`));

/** The first fact that was not told yet, as the counterpart would put it. */
function untold(facts: readonly string[], said: readonly string[]): string | null {
  const told = facts.map(inFirstPerson);
  return told.find((fact) => !said.some((line) => line.includes(fact))) ?? null;
}

const changes: readonly (readonly [RegExp, string])[] = [
  [/^Ты сам заметил/u, 'Я и сам заметил'],
  [/^Ты не заметила/u, 'Я не заметила'],
  [/^Ты /u, 'Я '],
  [/^Тебе самой /u, 'Мне самой '],
  [/^Тебе казалось/u, 'Мне казалось'],
  [/ тебе лично/u, ' мне лично'],
  [/ тебе /gu, ' мне '],
  [/ тебя /gu, ' меня '],
  [/ ты /gu, ' я '],
  [/([.,:;] )[Тт]ы /gu, '$1я '],
  [/ твою /gu, ' мою '],
  [/приходишь/gu, 'прихожу'],
  [/высыпаешься/gu, 'высыпаюсь'],
  [/собираешь/gu, 'собираю'],
  [/хочешь/gu, 'хочу'],
  [/боишься/gu, 'боюсь'],
  [/помогаешь/gu, 'помогаю'],
  [/подхватываешь/gu, 'подхватываю'],
];

function inFirstPerson(fact: string): string {
  const told = changes.reduce((text, [from, to]) => text.replace(from, to), fact);
  return told.replace(
    /([.!?] )(\p{Ll})/gu,
    (_, end: string, letter: string) => `${end}${letter.toUpperCase()}`,
  );
}
