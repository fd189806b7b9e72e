import type { Chance } from '../chance.ts';
import type { RecordedArticle, SectionKind } from '../recorded-articles.ts';
import type { ArticleBrief } from './brief.ts';
import { type Draft, isProse, mentions, type Section, toMarkdown } from './draft.ts';

/** What the request brought along, each in the section it belongs to: table, list, prices, facts, the company, phrases, links. */
export function insertExtras(
  draft: Draft,
  brief: ArticleBrief,
  record: RecordedArticle,
  chance: Chance,
): void {
  const { prices, facts, description, review, company, advantages, knows } = brief;
  if (record.table) put(sectionFor(draft, 'compare', 'choose'), 2, record.table);
  if (prices.length > 0)
    put(
      sectionFor(draft, 'price', 'choose', 'compare', 'order'),
      1,
      'Строки из действующего прайс-листа:',
      priceTable(prices),
    );
  for (const fact of facts.slice(0, brief.citesSources ? 2 : 1))
    put(sectionFor(draft, 'contract', 'price', 'choose'), 1, `${fact.claim} ${citation(fact)}`);
  if (description) put(sectionFor(draft, 'choose', 'compare'), 1, `${description}.`);
  if (knows) put(draft.sections[0], 1, `Из нашей практики: ${knows.replace(/[.\s]+$/u, '')}.`);
  if (review) put(sectionFor(draft, 'order', 'choose'), 2, `Клиенты говорят об этом просто: «${review}».`);
  if (company && advantages)
    put(sectionFor(draft, 'order', 'choose', 'price'), 1, aboutCompany(company, advantages));
  put(draft.sections.at(-1), Number.POSITIVE_INFINITY, ...checklist(record));
  nameSecondary(draft, brief);
  spreadLinks(draft, brief.links, chance);
}

export const checklist = ({ checklist: items }: RecordedArticle): string[] => [
  'Перед решением пройдите по списку:',
  items.map((item) => `- ${item}`).join('\n'),
];

/** After so many blocks of the section's own matter, never between a sentence and the list or table it announces. */
function put(section: Section | undefined, after: number, ...blocks: string[]): void {
  if (section === undefined) return;
  const own = section.blocks.findIndex((block) => block.startsWith('### '));
  let at = Math.min(after, own < 0 ? section.blocks.length : own);
  while (at > 0 && at < section.blocks.length && section.blocks[at - 1]!.endsWith(':')) at += 1;
  section.blocks.splice(at, 0, ...blocks);
}

const sectionFor = ({ sections }: Draft, ...kinds: SectionKind[]): Section | undefined =>
  kinds.flatMap((kind) => sections.find((section) => section.kind === kind) ?? [])[0] ?? sections.at(-1);

const priceTable = (prices: ArticleBrief['prices']): string =>
  ['| Позиция | Цена |', '|---|---|', ...prices.map(({ item, price }) => `| ${item} | ${price} |`)].join(
    '\n',
  );

function citation({ source, url, year }: ArticleBrief['facts'][number]): string {
  return /^https?:\/\/\S+$/iu.test(url)
    ? `Основание: [${source}](${url}), ${year} год.`
    : `Основание: ${source}, ${year} год.`;
}

function aboutCompany(company: string, advantages: string): string {
  const told = advantages.replace(/\s+/gu, ' ').replace(/[.\s]+$/u, '');
  const named = company.replace(/[«»"]/gu, '');
  return `В компании «${named}» на эти вопросы отвечают так: ${told.charAt(0).toLowerCase()}${told.slice(1)}. Слова легко сверить с делом — попросите показать договор и последние работы.`;
}

const pointers: readonly (readonly [mark: RegExp, pointer: string])[] = [
  [/цен|стоим|стоит|недорог|дешев|прайс/iu, 'сравнивайте сметы с одинаковым составом, а не итоговые суммы'],
  [/купить|заказать|магазин/iu, 'до оплаты проверьте договор, срок и условия возврата'],
  [/отзыв|форум|рейтинг/iu, 'читайте последние полгода и ищите подробности, а не оценки'],
  [
    /фото|пример|до и после|портфолио|дизайн/iu,
    'просите снимки похожего случая, сделанные при дневном свете',
  ],
  [/рядом|дом|район|адрес|метро/iu, 'узнайте, кто приедет, за сколько времени и сколько стоит выезд'],
  [/своими руками|сам/iu, 'беритесь за то, что можно исправить за один вечер'],
  [/срок|быстро|срочно|сегодня/iu, 'просите даты этапов: срочность всегда оплачивают отдельно'],
  [
    /^(?:как|какой|какая|какие|что|где|чем|почему|зачем|когда)\s/iu,
    'ответ зависит от условий, поэтому начните с описания своей задачи',
  ],
];
const plainPointers: readonly string[] = [
  'порядок тот же: описание задачи, три предложения, договор',
  'уточните, что входит в состав и кто отвечает за итог',
  'спросите о похожем случае и о том, что в нём пошло не так',
  'решите, чем вы будете пользоваться каждый день, остальное отложите',
];

const MOST_SECONDARY = 5;

/** Phrases that the text does not hold yet, as people search for them, each with what matters about it. */
export function nameSecondary(draft: Draft, { secondary }: ArticleBrief): void {
  const written = toMarkdown(draft);
  const missing = secondary.filter((phrase) => !mentions(written, phrase));
  if (missing.length === 0) return;
  // A page that repeats its phrase in every line is stuffed; a piece of advice is given once.
  const given = new Set<string>();
  const items = missing.flatMap((phrase, i) => {
    const pointer =
      pointers.find(([mark]) => mark.test(phrase))?.[1] ?? plainPointers[i % plainPointers.length]!;
    if (given.has(pointer) || given.size >= MOST_SECONDARY) return [];
    given.add(pointer);
    return [`- **${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}** — ${pointer}.`];
  });
  put(
    sectionFor(draft, 'choose', 'compare'),
    Number.POSITIVE_INFINITY,
    'О чём ещё спрашивают вместе с этим:',
    items.join('\n'),
  );
}

const linkSentences: readonly string[] = [
  'Подробнее об этом — на странице {link}.',
  'Полезно держать рядом страницу {link}.',
  'К этому вопросу относится и {link}.',
  'Примеры собраны на странице {link}.',
  'Если нужны подробности, откройте {link}.',
];
const MOST_LINKS = 5;

function spreadLinks(draft: Draft, links: ArticleBrief['links'], chance: Chance): void {
  const sentences = chance.shuffled(linkSentences);
  const homes = draft.sections.flatMap((section) =>
    section.blocks.flatMap((block, i) => (isProse(block) && !block.endsWith(':') ? [{ section, i }] : [])),
  );
  links.slice(0, Math.min(MOST_LINKS, homes.length)).forEach(({ url, hint }, n) => {
    const { section, i } = homes[Math.floor((homes.length * n) / Math.min(MOST_LINKS, links.length))]!;
    section.blocks[i] += ` ${sentences[n]!.replace('{link}', `[«${hint}»](${url})`)}`;
  });
}
