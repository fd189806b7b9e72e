import { countPhrase, stems } from '../../../../services/quality/russian-text.ts';
import type { Chance } from '../chance.ts';
import { fill, suits } from '../fill.ts';
import { carriers, linkCarriers, secondaryCarriers } from '../material/carriers.ts';
import type { Phrase } from '../phrase.ts';
import { type Block, type Draft, mentions, readableText, toMarkdown } from './draft.ts';

/** Adds sentences to paragraphs: secondary phrases, links, and the main phrase until it is dense enough. */

const DENSE_ENOUGH = 1.7;
const TOO_DENSE = 2.35;
/** In the first round only paragraphs without the phrase are taken. */
const ROUNDS = 3;

export function spreadSecondary(
  draft: Draft,
  secondary: readonly string[],
  phrase: Phrase,
  chance: Chance,
): void {
  const sentences = {
    price: chance.shuffled(secondaryCarriers.price),
    how: chance.shuffled(secondaryCarriers.how),
    other: chance.shuffled(secondaryCarriers.other),
  };
  const homes = inTurns(draft);
  const count = countOf(draft, phrase);
  const written = toMarkdown(draft);
  const missing = secondary.filter((wanted) => !mentions(written, wanted));
  missing.forEach((wanted, i) => {
    if (mentions(wanted, phrase.text) && count.density() > TOO_DENSE) return;
    const template = sentences[intentOf(wanted)].shift() ?? sentences.other.shift() ?? sentences.how.shift();
    const home = homes[i % homes.length];
    if (template === undefined || home === undefined) return;
    const sentence = fill(template, { phrase, chance, values: { s: wanted } });
    count.add(sentence);
    append(home, sentence);
  });
}

export function spreadLinks(
  draft: Draft,
  links: readonly { url: string; hint: string }[],
  chance: Chance,
): void {
  const homes = inTurns(draft).reverse();
  const sentences = chance.shuffled(linkCarriers);
  links.slice(0, Math.min(sentences.length, homes.length)).forEach(({ url, hint }, i) => {
    append(homes[i]!, sentences[i]!.replace('{link}', `[«${hint}»](${url})`));
  });
}

/** Sentences of the paragraph's own kind first; no sentence serves twice. */
export function spreadPhrase(draft: Draft, phrase: Phrase, chance: Chance): void {
  const left = unusedCarriers(toMarkdown(draft), phrase, chance);
  const count = countOf(draft, phrase);

  for (let round = 0; round < ROUNDS; round++) {
    for (const home of inTurns(draft)) {
      if (count.density() >= DENSE_ENOUGH) return;
      if (round === 0 && mentions(home.text, phrase.text)) continue;
      const sentence = left[home.kind].shift() ?? left.anywhere.shift();
      if (sentence === undefined) continue;
      count.add(sentence);
      home.text = chance.fraction() < 0.5 ? `${sentence} ${home.text}` : `${home.text} ${sentence}`;
    }
  }
}

type Carried = Record<keyof typeof carriers, string[]>;

function unusedCarriers(written: string, phrase: Phrase, chance: Chance): Carried {
  const usable = (templates: readonly string[]) =>
    chance
      .shuffled(templates.filter((template) => suits(template, phrase)))
      .map((template) => fill(template, { phrase, chance }))
      .filter((sentence) => !written.includes(sentence));
  return Object.fromEntries(
    Object.entries(carriers).map(([kind, templates]) => [kind, usable(templates)]),
  ) as Carried;
}

/** Counting the whole article after every sentence would take seconds. */
function countOf(draft: Draft, phrase: Phrase) {
  const wanted = stems(phrase.text);
  let words = 0;
  let hits = 0;
  const add = (text: string) => {
    const read = stems(readableText(text));
    words += read.length;
    hits += countPhrase(read, wanted);
  };
  add(`${draft.title}\n${toMarkdown(draft)}`);
  return { add, density: () => (words === 0 ? 0 : (100 * hits * wanted.length) / words) };
}

function intentOf(phrase: string): keyof typeof secondaryCarriers {
  if (/цен|стоим|стоит|недорог|дешев|купить|заказать|прайс/u.test(phrase)) return 'price';
  return /^(?:как|какой|какая|какие|где|что|чем|почему|зачем|можно|когда)\s/u.test(phrase) ? 'how' : 'other';
}

/** The first paragraph of every section, then every other one, then those between: additions lie evenly. */
function inTurns(draft: Draft): Block[] {
  const columns = draft.sections.map(({ blocks }) => blocks.filter(({ type }) => type === 'paragraph'));
  const longest = Math.max(0, ...columns.map(({ length }) => length));
  const rows = Array.from({ length: longest }, (_, row) => row);
  const inOrder = [...rows.filter((row) => row % 2 === 0), ...rows.filter((row) => row % 2 === 1)];
  return inOrder.flatMap((row) => columns.flatMap((column) => column[row] ?? []));
}

const append = (block: Block, sentence: string): void => {
  block.text = `${block.text} ${sentence}`;
};
