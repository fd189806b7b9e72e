import { capitalised } from '../../russian.ts';
import { draw } from '../dataforseo/demand.ts';
import { findNiche } from '../openrouter/author/find-niche.ts';
import { paragraphsAbout, recordOf, sectionKinds } from '../openrouter/author/recorded-articles.ts';
import { angles, cities, injection } from './material.ts';
import { topicOf } from './topic-of.ts';

export type WrittenPage = { title: string; description: string; summary: string; markdown: string };

const FEWEST_SECTIONS = 5;
const FEWEST_WORDS = 1_200;
const MOST_WORDS = 2_200;

/** A plausible page about what its address names: a cut of the trade's recorded article. The same address, the same page. */
export function writePage(url: string, { hostile = false, withFoot = false } = {}): WrittenPage {
  const topic = topicOf(url);
  const title = `${capitalised(topic)}: ${angles[draw(`${url} angle`) % angles.length]}`;
  const chosen = sectionsFor(url, topic);
  const names = chosen.map(({ heading }) => heading.toLowerCase()).join(', ');
  return {
    title,
    description: `${capitalised(topic)}: рассказываем просто и по делу. Внутри: ${names}.`,
    summary: `Статья на тему «${topic}». Автор последовательно разбирает: ${names}. Упор сделан на практические советы без сложных терминов.`,
    markdown: [
      `# ${title}`,
      opening(topic),
      ...chosen.map(({ heading, paragraphs }) => `## ${heading}\n\n${paragraphs.join('\n\n')}`),
      ...(hostile ? [injection] : []),
      ...(withFoot ? [footOf(url, topic)] : []),
    ].join('\n\n'),
  };
}

/** Below every page of a site: who it belongs to, and how to reach them. */
function footOf(url: string, topic: string): string {
  const number = String(2_000_000 + (draw(`${url} phone`) % 999_999));
  const phone = `+7 843 ${number.slice(0, 3)}-${number.slice(3, 5)}-${number.slice(5)}`;
  return `---\n\n© Компания «${capitalised(topic)}», ${cities[draw(`${url} city`) % cities.length]}. Телефон ${phone}`;
}

type Section = { heading: string; paragraphs: string[] };

/** Sections of the trade until the page is long enough; what the trade lacks, the general record has. */
function sectionsFor(url: string, topic: string): Section[] {
  const own = findNiche('', topic);
  const wanted = between(FEWEST_WORDS, MOST_WORDS, `${url} words`);
  const chosen: Section[] = [];
  for (const niche of new Set([own, 'general'] as const)) {
    const record = recordOf(niche);
    for (const kind of shuffled(sectionKinds, `${url} ${niche}`)) {
      if (chosen.length >= FEWEST_SECTIONS && wordsIn(chosen) >= wanted) return chosen;
      const headings = record.sections[kind]?.headings ?? [];
      const paragraphs = shuffled(paragraphsAbout(record, kind, topic), `${url} ${kind}`);
      const heading = headings[draw(`${url} ${kind} heading`) % headings.length];
      if (heading && paragraphs.length > 0) chosen.push({ heading, paragraphs });
    }
  }
  return chosen;
}

const opening = (topic: string): string =>
  `Тема «${topic}» кажется простой, пока не дойдёт до дела. Мы собрали то, о чём чаще всего спрашивают, и расположили по порядку.`;

const wordsIn = (sections: readonly Section[]): number =>
  sections.flatMap(({ paragraphs }) => paragraphs.join(' ').split(/\s+/u)).length;

const between = (least: number, most: number, seed: string): number =>
  least + (draw(seed) % (most - least + 1));

const shuffled = <Item>(items: readonly Item[], seed: string): Item[] =>
  items
    .map((item, i) => ({ item, lot: draw(`${seed} ${i}`) }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ item }) => item);
