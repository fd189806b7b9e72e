import type { WebPage } from '../../clients/http/web-page.ts';
import { outsideText } from '../ai/outside-text.ts';
import { stems } from '../quality/russian-text.ts';

export type Competitor = { url: string; words: number; summary: string; sections: string[] };

const SUMMARY_LENGTH = 400;
const MOST_SECTIONS = 12;
const SECTION_LENGTH = 120;
const URL_LENGTH = 300;
const MOST_GAPS = 12;
/** From here on two headings speak of the same thing: of all their words, every second one is in both. */
const SAME_TOPIC = 0.5;

/** Headings of the page around a text, not of the text. */
const furniture =
  /^(?:содержание|оглавление|комментари|оставить|читайте|похожие|поделиться|контакты|рубрики|подписка|меню|навигация|отзывы)/iu;

export function toCompetitor({ url, words, summary, description, text, headings }: WebPage): Competitor {
  return {
    url: outsideText(url, URL_LENGTH),
    words,
    summary: outsideText(summary || description || text, SUMMARY_LENGTH),
    sections: headings
      .filter(({ level }) => level === 2)
      .map((heading) => outsideText(heading.text, SECTION_LENGTH))
      .filter((heading) => heading !== '' && !furniture.test(heading))
      .slice(0, MOST_SECTIONS),
  };
}

/** What the prompts are told about the pages an article competes with. */
export const competitorAnalysis = (competitors: readonly Competitor[]): string =>
  competitors
    .map(({ url, words, summary, sections }, i) =>
      [
        `${i + 1}. ${url} (слов: ${words})`,
        `Коротко: ${summary}`,
        sections.length > 0 ? `Разделы: ${sections.join('; ')}` : 'Разделы: без подзаголовков',
      ].join('\n'),
    )
    .join('\n\n');

/** Topics that most of the competitors leave out. One page alone says nothing about what the others lack. */
export function competitorGaps(competitors: readonly Competitor[]): string[] {
  if (competitors.length < 2) return [];
  const topics: { heading: string; stems: Set<string>; pages: Set<string> }[] = [];
  for (const { url, sections } of competitors) {
    for (const heading of sections) {
      const own = topicOf(heading);
      if (own.size === 0) continue;
      const known = topics.find((topic) => likeness(topic.stems, own) >= SAME_TOPIC);
      if (known) known.pages.add(url);
      else topics.push({ heading, stems: own, pages: new Set([url]) });
    }
  }
  return topics
    .filter(({ pages }) => pages.size < 2)
    .map(({ heading }) => heading)
    .slice(0, MOST_GAPS);
}

/** Words that are in every heading and tell no topic. */
const empty = new Set(
  'как для что при или где без это чем под над про все его ваш наш какой какие'.split(' '),
);

const topicOf = (heading: string): Set<string> =>
  new Set(stems(heading).filter((part) => part.length > 2 && !empty.has(part)));

function likeness(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((part) => other.has(part)).length;
  return shared / (one.size + other.size - shared);
}
