import type { KeywordSearch, KeywordsFound } from '../../../machines/fragments/keyword-questions.ts';
import { marketTitle } from '../../markets.ts';
import { number, ofTokens, plural, tokensCharged, tokensReturned } from '../../russian.ts';
import { progressScreen, type Stages } from '../kit/progress.ts';
import { lines, type RichText, rich, type Screen } from '../kit/screen.ts';

const stages: Stages = [
  ['fetching', 'Получаю реальные поисковые фразы из Google... (3 сек)'],
  ['clustering', 'Группирую фразы по поисковому интенту... (10 сек)'],
  ['enriching', 'Обогащаю данные: объём, сложность, CPC... (2 сек)'],
];

type Searching = { keywords: KeywordSearch; late: boolean };

/** `stage`: of a host whose states are the stages; otherwise the one that the search has reported. */
export const searchingScreen = ({ keywords, late }: Searching, stage = keywords.stage): Screen =>
  progressScreen(
    rich`<b>Подбираю фразы</b> для категории «${keywords.offer!.categoryName}»: ${phraseCount(keywords.quantity!)}. Обычно это до полутора минут.`,
    stages,
    { stage, late },
  );

export const searchGoesOn = ({ keywords: { offer, quantity } }: Searching): RichText =>
  rich`Подбор фраз для категории «${offer!.categoryName}» продолжается: списано не больше ${ofTokens(quantity! * offer!.pricePerPhrase)}. Готовые фразы сохранятся в категории, и я напишу сюда; за ненайденные токены вернутся сами.`;

/** What came of a search. */
export const foundNotice = (found: KeywordsFound, isAdmin: boolean): RichText =>
  lines(
    countsNotice(found),
    !isAdmin &&
      rich`${tokensCharged(found.spent)}${found.returned > 0 && ` (${tokensReturned(found.returned).toLowerCase()})`}.`,
    found.source === 'ai' &&
      rich`⚠ Данные без реальных объёмов поиска: сервис статистики не ответил, и фразы предложила нейросеть.`,
    found.grouping === 'words' &&
      rich`Нейросеть не ответила, поэтому фразы собраны в кластеры по общим словам.`,
    marketNotice(found),
  );

export const countsNotice = ({ clusters, phrases, added }: KeywordsFound): RichText =>
  lines(
    phrases === 0
      ? rich`<b>Новых фраз не нашлось:</b> всё, что ищут люди, в категории уже есть.`
      : clusters > 0
        ? rich`<b>Готово: ${plural(clusters, 'кластер', 'кластера', 'кластеров')} (${phraseCount(phrases)}).</b>`
        : rich`<b>Готово: ${phraseCount(phrases)}.</b>`,
    added < phrases && rich`Новых среди них: ${number(added)}, остальные в категории уже были.`,
  );

export const marketNotice = ({ market }: KeywordsFound): RichText | false =>
  market !== null && rich`Объёмы поиска: ${marketTitle(market)}.`;

const phraseCount = (n: number): string => plural(n, 'фраза', 'фразы', 'фраз');
