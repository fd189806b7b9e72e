import { markets, marketTitle } from '../../markets.ts';
import { number, plural } from '../../russian.ts';
import { type Link, to } from '../kit/link.ts';
import { type Page, pagerRows, paginate } from '../kit/pager.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { type SeasonPlot, seasonPlot } from '../kit/season.ts';
import { writeArticleButton } from './publishing.ts';

export type PhraseLine = {
  phrase: string;
  /** Tells whether a button still means what it meant when it was shown. */
  mark: string;
  volume: number | null;
  difficulty: number | null;
  /** Added by a model. */
  suggested: boolean;
  /** Where its searches were counted; absent: by Google, outside Russia. */
  market?: number;
};

export type PhraseGroup = {
  name: string;
  mark: string;
  /** Null for a list without clusters, which looks like one group without a name. */
  type: 'article' | 'product_page' | null;
  mainPhrase: string;
  volume: number | null;
  difficulty: number | null;
  phrases: readonly PhraseLine[];
};

/** Searches a month in a city. `affinity`: 100 is the country's average. */
export type PlaceDemand = { market: number; count: number; affinity: number };

export type CategoryPhrases = {
  categoryId: number;
  categoryName: string;
  activeSchedules: number;
  groups: readonly PhraseGroup[];
};

const TOP_CLUSTERS = 3;
const TOP_PHRASES = 10;
// Of 100: below it a young site has a chance.
const EASY_BELOW = 30;

// Of 100: from it on a city asks for a thing noticeably more often than the country does.
const KEEN_FROM = 120;
const MOST_PLACES = 10;

const typeNames = { article: 'для статей', product_page: 'для страниц товаров и услуг' } as const;

export const listChanged = 'Список изменился, вот он заново';

export function noKeywordsScreen({ categoryId: cid, categoryName }: CategoryPhrases): Screen {
  return {
    text: paragraphs(
      rich`<b>Ключевые фразы</b> · ${categoryName}`,
      rich`Фраз пока нет, а без них бот не напишет ни статью, ни пост: по фразам люди находят вас в поиске.`,
    ),
    keyboard: [
      [button('Подобрать', to('kw:{cid}:gen', { cid }), 'primary')],
      [button('Загрузить файл', to('kw:{cid}:upload', { cid }))],
      [toCategory(cid)],
    ],
  };
}

export function keywordsScreen(category: CategoryPhrases): Screen {
  const { categoryId: cid } = category;
  const isFlat = isFlatList(category);
  return {
    text: summary(category),
    keyboard: [
      [browse(category), button('CSV', to('kw:{cid}:csv', { cid }))],
      [button('Добавить', to('kw:{cid}:gen', { cid })), button('Загрузить', to('kw:{cid}:upload', { cid }))],
      [button(isFlat ? 'Удалить фразы' : 'Удалить кластеры', to('kw:{cid}:del', { cid }))],
      [button('Удалить все', to('kw:{cid}:del_all', { cid }), 'danger')],
      [toCategory(cid)],
    ],
  };
}

/** After a search for phrases: what the category has now. */
export function foundScreen(category: CategoryPhrases): Screen {
  const { categoryId: cid } = category;
  return {
    text: summary(category),
    keyboard: [[writeArticleButton(cid)], [browse(category)], [toCategory(cid)]],
  };
}

export function clustersScreen(category: CategoryPhrases, page: number): Screen {
  const { categoryId: cid } = category;
  const shown = numbered(category.groups, page);
  return {
    text: paragraphs(
      rich`<b>Кластеры</b> · ${category.categoryName}`,
      rich`Кластер — это фразы с одним смыслом: для них пишется один текст. Самые популярные — сверху.`,
      category.groups.some(isEasy) && easyNote,
    ),
    keyboard: [
      ...shown.items.map(({ item: group, index: i }) => [
        button(`${isEasy(group) ? '★ ' : ''}${group.name} · ${phrasesIn(group)}`, toGroup(cid, i, group)),
      ]),
      ...pagerRows(shown, (n) => to('page:clusters:{cid}:{n}', { cid, n })),
      [toKeywords(cid)],
    ],
  };
}

/** One cluster, or all of a list that has none. */
export function groupScreen(
  { categoryId: cid, categoryName, groups }: CategoryPhrases,
  i: number,
  page: number,
  season: SeasonPlot | null = null,
): Screen {
  const group = groups[i]!;
  const shown = paginate(group.phrases, page);
  return {
    text: paragraphs(
      group.type ? rich`<b>${group.name}</b> · ${categoryName}` : rich`<b>Фразы</b> · ${categoryName}`,
      lines(
        group.type && rich`Кластер ${typeNames[group.type]}`,
        rich`${phrasesIn(group)} · ${demand(group)}`,
        group.type && rich`Главная фраза: «${group.mainPhrase}»`,
      ),
      lines(...shown.items.map(phraseLine)),
      season && seasonPlot(season),
      marketNote([group]),
    ),
    keyboard: [
      // The supplier that counts by months counts by cities as well.
      ...(season ? [[button('Где ищут', to('kw:{cid}:where:{i}:{h}', { cid, i, h: group.mark }))]] : []),
      [button('Удалить фразы', to('kw:{cid}:phdel:{i}', { cid, i }))],
      ...pagerRows(shown, (n) => to('page:phrases:{cid}:{i}:{n}', { cid, i, n })),
      [group.type ? button('К кластерам', to('kw:{cid}:clusters', { cid })) : toKeywords(cid)],
    ],
  };
}

/** The cities in which people ask Yandex for what a cluster is about. */
export function placesScreen(
  { categoryId: cid, categoryName, groups }: CategoryPhrases,
  i: number,
  places: readonly PlaceDemand[] | null,
): Screen {
  const group = groups[i]!;
  const shown = places?.slice(0, MOST_PLACES) ?? [];
  return {
    text: paragraphs(
      rich`<b>Где ищут</b> · ${categoryName}`,
      rich`«${group.mainPhrase}», запросов за месяц:`,
      shown.length > 0
        ? lines(
            ...shown.map(
              ({ market, count, affinity }) =>
                rich`• ${markets[market]?.place ?? 'другой город'} — ${number(count)}${affinity >= KEEN_FROM && ` · интерес выше среднего, ${affinity} %`}`,
            ),
          )
        : rich`Вордстат сейчас не ответил или ничего не знает об этой фразе. Загляните позже.`,
      shown.length > 0 &&
        rich`<i>Данные Яндекс Вордстата. Интерес 100 % — как в среднем по стране: где он выше, тему стоит писать с названием города.</i>`,
    ),
    keyboard: [[button('К кластеру', toGroup(cid, i, group))], [toKeywords(cid)]],
  };
}

function summary(category: CategoryPhrases): RichText {
  const { categoryName, groups } = category;
  const head = rich`<b>Ключевые фразы</b> · ${categoryName}`;
  if (isFlatList(category)) {
    const [{ phrases }] = groups as [PhraseGroup];
    return paragraphs(
      head,
      rich`${plural(phrases.length, 'фраза', 'фразы', 'фраз')}, без кластеров`,
      lines(...phrases.slice(0, TOP_PHRASES).map(phraseLine)),
      phrases.length > TOP_PHRASES && rich`И ещё ${number(phrases.length - TOP_PHRASES)}.`,
      marketNote(groups),
    );
  }
  const top = groups.slice(0, TOP_CLUSTERS);
  const more = groups.length - top.length;
  return paragraphs(
    head,
    rich`${plural(groups.length, 'кластер', 'кластера', 'кластеров')} (${plural(countPhrases(groups), 'фраза', 'фразы', 'фраз')})`,
    ...top.map((group, i) =>
      lines(
        rich`${i + 1}. <b>${group.name}</b>${isEasy(group) && ' ★'}`,
        rich`${phrasesIn(group)} · ${demand(group)}`,
      ),
    ),
    more > 0 && rich`И ещё ${plural(more, 'кластер', 'кластера', 'кластеров')}.`,
    top.some(isEasy) && easyNote,
    marketNote(groups),
  );
}

export const isFlatList = ({ groups }: CategoryPhrases): boolean => groups[0]?.type === null;

const isEasy = ({ difficulty }: PhraseGroup): boolean => difficulty !== null && difficulty < EASY_BELOW;

const easyNote = rich`<i>★ — конкуренция небольшая, проще попасть в топ.</i>`;

/** Whose numbers they are. A list that grew over time may hold those of two suppliers. */
function marketNote(groups: readonly PhraseGroup[]): RichText | false {
  const counted = groups.flatMap(({ phrases }) => phrases).filter(({ volume }) => volume !== null);
  const places = new Set(counted.flatMap(({ market }) => (market === undefined ? [] : marketTitle(market))));
  const isAbroad = counted.some(({ market }) => market === undefined);
  if (counted.length === 0) return false;
  return lines(
    places.size > 0 && rich`<i>Объёмы: ${[...places].join('; ')}, запросов за месяц.</i>`,
    isAbroad &&
      rich`<i>${places.size > 0 ? 'Остальные объёмы' : 'Объёмы'}: запросы на русском в Google за пределами России, по самой России таких данных нет.</i>`,
  );
}

const phraseLine = ({ phrase, volume, difficulty, suggested }: PhraseLine): RichText =>
  rich`• ${phrase} — ${volume === null ? 'нет данных' : `${number(volume)}/мес`}${difficulty !== null && `, сложность ${difficulty}`}${suggested && ' · предложила нейросеть'}`;

const demand = ({ volume, difficulty }: PhraseGroup): string =>
  [
    volume === null ? 'нет данных об объёме' : `${plural(volume, 'запрос', 'запроса', 'запросов')} в месяц`,
    ...(difficulty === null ? [] : [`сложность ${difficulty}`]),
  ].join(' · ');

export const phrasesIn = ({ phrases }: PhraseGroup): string =>
  plural(phrases.length, 'фраза', 'фразы', 'фраз');

export const countPhrases = (groups: readonly PhraseGroup[]): number =>
  groups.reduce((count, { phrases }) => count + phrases.length, 0);

/** A page of a list whose items know their place in the whole. */
export const numbered = <Item>(all: readonly Item[], page: number): Page<{ item: Item; index: number }> =>
  paginate(
    all.map((item, index) => ({ item, index })),
    page,
  );

const browse = (category: CategoryPhrases): Button =>
  button(isFlatList(category) ? 'Фразы' : 'Кластеры', to('kw:{cid}:clusters', { cid: category.categoryId }));

export const toGroup = (cid: number, i: number, { mark }: PhraseGroup): Link =>
  to('kw:{cid}:cl:{i}:{h}', { cid, i, h: mark });

const toKeywords = (cid: number): Button => button('К фразам', to('category:{cid}:keywords', { cid }));

const toCategory = (cid: number): Button => button('К категории', to('category:{cid}:card', { cid }));
