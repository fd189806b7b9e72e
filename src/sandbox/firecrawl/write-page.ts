import { draw } from '../dataforseo/demand.ts';
import { angles, aspectSentences, injection, type Section, sections, themes } from './material.ts';
import { topicOf } from './topic-of.ts';

export type WrittenPage = { title: string; description: string; summary: string; markdown: string };

const FEWEST_SECTIONS = 5;
const MOST_SECTIONS = 8;
const FEWEST_WORDS = 800;
const MOST_WORDS = 2_200;
const SENTENCES_IN_PARAGRAPH = 4;

/** A plausible page about what its address names. The same address always holds the same page. */
export function writePage(url: string, { hostile = false } = {}): WrittenPage {
  const topic = topicOf(url);
  const title = `${capitalised(topic)}: ${angles[draw(`${url} angle`) % angles.length]}`;
  const chosen = shuffled(sections, `${url} sections`).slice(
    0,
    between(FEWEST_SECTIONS, MOST_SECTIONS, `${url} n`),
  );
  const wordsEach = between(FEWEST_WORDS, MOST_WORDS, `${url} words`) / chosen.length;
  const spare = shuffled([...sentencesAbout(topic), ...sentencesOutside(chosen)], `${url} spare`);
  const body = chosen.map(({ heading, sentences }) => {
    const text = [...shuffled(sentences, `${url} ${heading}`)];
    while (wordsIn(text) < wordsEach && spare.length > 0) text.push(spare.pop()!);
    return `## ${heading}\n\n${paragraphs(text)}`;
  });
  const names = chosen.map(({ heading }) => heading.toLowerCase()).join(', ');
  return {
    title,
    description: `${capitalised(topic)}: рассказываем просто и по делу. Внутри: ${names}.`,
    summary: `Статья на тему «${topic}». Автор последовательно разбирает: ${names}. Упор сделан на практические советы без сложных терминов.`,
    markdown: [`# ${title}`, opening(topic), ...body, ...(hostile ? [injection] : [])].join('\n\n'),
  };
}

const opening = (topic: string): string =>
  `Тема «${topic}» кажется простой, пока не дойдёт до дела. Мы собрали то, о чём чаще всего спрашивают, и расположили по порядку.`;

function sentencesAbout(topic: string): string[] {
  const theme = themes.find(({ marks }) => marks.some((mark) => topic.includes(mark))) ?? themes.at(-1)!;
  return aspectSentences.flatMap((sentence) =>
    theme.aspects.map((aspect) => sentence.replace('{aspect}', aspect).replace('{topic}', () => topic)),
  );
}

const sentencesOutside = (chosen: readonly Section[]): string[] =>
  sections.filter((section) => !chosen.includes(section)).flatMap(({ sentences }) => sentences);

function paragraphs(sentences: readonly string[]): string {
  const groups: string[] = [];
  for (let at = 0; at < sentences.length; at += SENTENCES_IN_PARAGRAPH)
    groups.push(sentences.slice(at, at + SENTENCES_IN_PARAGRAPH).join(' '));
  return groups.join('\n\n');
}

const wordsIn = (sentences: readonly string[]): number => sentences.join(' ').split(/\s+/u).length;

const between = (least: number, most: number, seed: string): number =>
  least + (draw(seed) % (most - least + 1));

const shuffled = <Item>(items: readonly Item[], seed: string): Item[] =>
  items
    .map((item, i) => ({ item, lot: draw(`${seed} ${i}`) }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ item }) => item);

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
