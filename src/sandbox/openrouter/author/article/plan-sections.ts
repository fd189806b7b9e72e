import type { Chance } from '../chance.ts';
import type { Phrase } from '../phrase.ts';
import { type RecordedArticle, recordOf, type SectionKind, sectionKinds } from '../recorded-articles.ts';
import { isConclusionHeading, isFaqHeading, type Outline } from './read-outline.ts';

type PlannedSection = { kind: SectionKind; heading: string; subheadings: readonly string[] };

/** With the questions and the conclusion it makes six headings, the most a reader should be given. */
const MOST_SECTIONS = 4;
const LONG_PHRASE = 5;

/** How an article may go: understand, choose, pay, avoid. */
const stories: readonly (readonly SectionKind[])[] = [
  ['choose', 'compare', 'price', 'mistakes'],
  ['choose', 'price', 'order', 'care'],
  ['compare', 'choose', 'price', 'order'],
  ['choose', 'order', 'price', 'mistakes'],
  ['compare', 'price', 'order', 'care'],
  ['choose', 'compare', 'order', 'mistakes'],
];

export function planSections(
  phrase: Phrase,
  record: RecordedArticle,
  outline: Outline | null,
  chance: Chance,
): PlannedSection[] {
  return outline === null ? ownPlan(phrase, record, chance) : givenPlan(outline, phrase.text, record);
}

/** The phrase stands in the first heading; a reader needs it in no other. */
function ownPlan(phrase: Phrase, record: RecordedArticle, chance: Chance): PlannedSection[] {
  const isShort = phrase.text.split(' ').length < LONG_PHRASE;
  return chance.pick(stories).map((kind, i) => {
    const heading = headingOf(record, kind, chance);
    return {
      kind,
      heading:
        i === 0 && isShort ? `${phrase.capital}: ${uncapitalised(heading.replace(': ', ' — '))}` : heading,
      subheadings: [],
    };
  });
}

export const headingOf = (record: RecordedArticle, kind: SectionKind, chance: Chance): string =>
  chance.pick((record.sections[kind] ?? recordOf('general').sections[kind])!.headings);

function givenPlan({ sections }: Outline, phrase: string, record: RecordedArticle): PlannedSection[] {
  const taken = new Set<SectionKind>();
  return sections
    .filter(({ h2 }) => !isFaqHeading(h2) && !isConclusionHeading(h2))
    .slice(0, MOST_SECTIONS)
    .map(({ h2, h3 }) => {
      const recorded = recordedKind(h2, phrase, record);
      const kind = recorded && !taken.has(recorded) ? recorded : kindOf(h2, phrase, taken);
      taken.add(kind);
      return { kind, heading: h2, subheadings: h3 };
    });
}

/** A heading of the record's own says what it is about better than its words: «пакет, сам или с гидом» compares. */
function recordedKind(
  heading: string,
  phrase: string,
  { sections }: RecordedArticle,
): SectionKind | undefined {
  const bare = (text: string) => text.toLowerCase().replace(`${phrase}: `, '').replace(': ', ' — ');
  return sectionKinds.find((kind) => sections[kind]?.headings.some((known) => bare(known) === bare(heading)));
}

/** By which words a heading betrays its kind; the first that fits wins. */
export const kindMarks: Readonly<Record<SectionKind, RegExp>> = {
  mistakes: /ошиб|промах|риск|обман|подвох|чего не|почему .*бросают/iu,
  price: /цен|стоимост|стоит|бюджет|деньг|тариф|смет|плат|расход|счёт|берут/iu,
  compare: /сравн|вид|тип|вариант|отлич|материал|какие|что лучше|разниц|формат|лдсп|дилер|конструктор/iu,
  contract: /договор|гаранти|документ|закон|бумаг/iu,
  timing: /срок|когда|сезон|врем|долго/iu,
  care: /уход|служ|после|храни|сохран|эксплуат|польз|беречь|закреп|продлить|состарит/iu,
  order: /этап|поряд|шаг|проход|происход|процесс|как работа|как идёт|от .* до |план на|день визита/iu,
  choose: /выб|подбор|с чего нач|критери|на что смотр|как найти|совет|признаки|что решить/iu,
};

/** The words of the phrase say nothing about the section: «кухни на заказ» is no order of work. */
export function kindOf(heading: string, phrase: string, taken: ReadonlySet<SectionKind>): SectionKind {
  const said = heading.toLowerCase().replace(phrase, '');
  const free = sectionKinds.filter((kind) => !taken.has(kind));
  const marked = (Object.keys(kindMarks) as SectionKind[]).find(
    (kind) => free.includes(kind) && kindMarks[kind].test(said),
  );
  return marked ?? free[0] ?? 'choose';
}

export const uncapitalised = (text: string): string =>
  /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
