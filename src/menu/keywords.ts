import type { KeywordOffer } from '../../machines/fragments/keyword-questions.ts';
import type { Visitor } from '../engine/menu.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { PAGE_SIZE } from '../screens/kit/pager.ts';
import type { Screen } from '../screens/kit/screen.ts';
import type { SeasonPlot } from '../screens/kit/season.ts';
import {
  allDeletedNotice,
  deleteAllScreen,
  deleteClusterScreen,
  deleteClustersScreen,
  deletePhrasesScreen,
} from '../screens/pages/keyword-deletion.ts';
import {
  type CategoryPhrases,
  clustersScreen,
  foundScreen,
  groupScreen,
  isFlatList,
  keywordsScreen,
  listChanged,
  noKeywordsScreen,
  type PhraseGroup,
  type PlaceDemand,
  placesScreen,
} from '../screens/pages/keywords.ts';
import {
  action,
  askedAgain,
  type DeedAnswer,
  missing,
  type Route,
  type RouteAnswer,
  route,
} from './create-menu.ts';

/** Null everywhere: there is no such category. */
export type KeywordsData = {
  phrases(userId: number, categoryId: number): Promise<CategoryPhrases | null>;
  csv(userId: number, categoryId: number): Promise<string | null>;
  /** Both give what is left. */
  removePhrase(userId: number, categoryId: number, phrase: string): Promise<PhraseGroup[] | null>;
  removeCluster(userId: number, categoryId: number, name: string): Promise<PhraseGroup[] | null>;
  removeAll(userId: number, categoryId: number): Promise<boolean>;
  /** When in the year people search for it; null: unknown, or not in time. */
  season(userId: number, group: PhraseGroup): Promise<SeasonPlot | null>;
  /** In which cities people search for it; null: unknown, or not in time. */
  places(userId: number, group: PhraseGroup): Promise<readonly PlaceDemand[] | null>;
  /** What a search for more phrases starts from. */
  offer(userId: number, categoryId: number): Promise<Omit<KeywordOffer, 'isAdmin'> | null>;
};

const projectList = to('nav:projects');
const keywordsOf = (cid: number): Link => to('category:{cid}:keywords', { cid });

export function keywordRoutes(data: KeywordsData): Route[] {
  return [
    route('category:{cid}:keywords', ({ cid }, visitor) =>
      page(cid, visitor, (category) => ({ show: keywordsScreen(category) })),
    ),
    route('kw:{cid}:found', ({ cid }, visitor) =>
      page(cid, visitor, (category) => ({ show: foundScreen(category) })),
    ),
    route('kw:{cid}:csv', async ({ cid }, visitor) => {
      const content = await data.csv(visitor.userId, cid);
      if (content === null) return missing(projectList);
      const file = { name: `keywords-${cid}.csv`, content };
      return page(cid, visitor, (category) => ({ show: { ...keywordsScreen(category), file } }));
    }),
    route('kw:{cid}:gen', async ({ cid }, { userId, isAdmin }) => {
      const offer = await data.offer(userId, cid);
      if (!offer) return missing(projectList);
      return { start: { flow: 'KeywordGeneration', input: { ...offer, isAdmin } }, origin: keywordsOf(cid) };
    }),

    route('kw:{cid}:upload', async ({ cid }, { userId }) => {
      const offer = await data.offer(userId, cid);
      if (!offer) return missing(projectList);
      const input = { categoryId: cid, categoryName: offer.categoryName };
      return { start: { flow: 'KeywordUpload', input }, origin: keywordsOf(cid) };
    }),

    route('kw:{cid}:clusters', ({ cid }, visitor) => clusters(cid, visitor, 1)),
    route('page:clusters:{cid}:{n}', ({ cid, n }, visitor) => clusters(cid, visitor, n)),
    route('kw:{cid}:cl:{i}:{h}', ({ cid, i, h }, visitor) =>
      page(cid, visitor, async (category) => {
        const group = category.groups[i];
        if (group?.mark !== h) return changed(to('kw:{cid}:clusters', { cid }));
        return { show: groupScreen(category, i, 1, await data.season(visitor.userId, group)) };
      }),
    ),
    route('kw:{cid}:where:{i}:{h}', ({ cid, i, h }, visitor) =>
      page(cid, visitor, async (category) => {
        const group = category.groups[i];
        if (group?.mark !== h) return changed(to('kw:{cid}:clusters', { cid }));
        return { show: placesScreen(category, i, await data.places(visitor.userId, group)) };
      }),
    ),
    route('page:phrases:{cid}:{i}:{n}', ({ cid, i, n }, visitor) =>
      inGroup(cid, i, visitor, (category) => groupScreen(category, i, n)),
    ),

    route('kw:{cid}:phdel:{i}', ({ cid, i }, visitor) =>
      inGroup(cid, i, visitor, (category) => deletePhrasesScreen(category, i, 1)),
    ),
    route('page:phdel:{cid}:{i}:{n}', ({ cid, i, n }, visitor) =>
      inGroup(cid, i, visitor, (category) => deletePhrasesScreen(category, i, n)),
    ),
    action('kw:{cid}:px:{i}:{k}:{h}', ({ cid, i, k, h }, visitor) =>
      change(cid, visitor, async ({ groups }) => {
        const group = groups[i];
        const line = group?.phrases[k];
        if (!group || line?.mark !== h) return changed(to('kw:{cid}:phdel:{i}', { cid, i }));
        const left = await data.removePhrase(visitor.userId, cid, line.phrase);
        if (!left) return missing(projectList);
        // Without one of its phrases a cluster may have another place among the others, or none.
        const place = left.findIndex(({ mark }) => mark === group.mark);
        if (place < 0) return { open: group.type ? to('kw:{cid}:clusters', { cid }) : keywordsOf(cid) };
        return { open: to('page:phdel:{cid}:{i}:{n}', { cid, i: place, n: pageWith(k) }) };
      }),
    ),

    route('kw:{cid}:del', ({ cid }, visitor) => deletion(cid, visitor, 1)),
    route('page:cxdel:{cid}:{n}', ({ cid, n }, visitor) => deletion(cid, visitor, n)),
    route('kw:{cid}:cx:{i}:{h}', ({ cid, i, h }, visitor) =>
      page(cid, visitor, (category) =>
        category.groups[i]?.mark === h
          ? { show: deleteClusterScreen(category, i, pageWith(i)) }
          : changed(to('kw:{cid}:del', { cid })),
      ),
    ),
    action('kw:{cid}:cx:{i}:yes:{h}', ({ cid, i, h }, visitor) =>
      change(cid, visitor, async (category) => {
        const group = category.groups[i];
        if (!group || !stillAsks(deleteClusterScreen(category, i, pageWith(i)), h))
          return changed(to('kw:{cid}:del', { cid }));
        const left = await data.removeCluster(visitor.userId, cid, group.name);
        return left ? { open: to('page:cxdel:{cid}:{n}', { cid, n: pageWith(i) }) } : missing(projectList);
      }),
    ),

    route('kw:{cid}:del_all', ({ cid }, visitor) =>
      page(cid, visitor, (category) => ({ show: deleteAllScreen(category) })),
    ),
    action('kw:{cid}:del_all:yes:{h}', ({ cid, h }, visitor) =>
      change(cid, visitor, async (category) => {
        if (!stillAsks(deleteAllScreen(category), h)) return askedAgain(to('kw:{cid}:del_all', { cid }));
        return (await data.removeAll(visitor.userId, cid))
          ? { open: keywordsOf(cid), notice: allDeletedNotice }
          : missing(projectList);
      }),
    ),
  ];

  /** A category without phrases has one page, whatever was asked for. */
  async function page(
    cid: number,
    { userId }: Visitor,
    answer: (category: CategoryPhrases) => RouteAnswer | Promise<RouteAnswer>,
  ): Promise<RouteAnswer> {
    const category = await data.phrases(userId, cid);
    if (!category) return missing(projectList);
    return category.groups.length === 0 ? { show: noKeywordsScreen(category) } : answer(category);
  }

  async function change(
    cid: number,
    { userId }: Visitor,
    act: (category: CategoryPhrases) => DeedAnswer | Promise<DeedAnswer>,
  ): Promise<DeedAnswer> {
    const category = await data.phrases(userId, cid);
    if (!category) return missing(projectList);
    return category.groups.length === 0 ? changed(keywordsOf(cid)) : act(category);
  }

  /** A list without clusters is looked through phrase by phrase. */
  function clusters(cid: number, visitor: Visitor, n: number): Promise<RouteAnswer> {
    return page(cid, visitor, (category) => ({
      show: isFlatList(category) ? groupScreen(category, 0, n) : clustersScreen(category, n),
    }));
  }

  function deletion(cid: number, visitor: Visitor, n: number): Promise<RouteAnswer> {
    return page(cid, visitor, (category) => ({
      show: isFlatList(category) ? deletePhrasesScreen(category, 0, n) : deleteClustersScreen(category, n),
    }));
  }

  function inGroup(
    cid: number,
    i: number,
    visitor: Visitor,
    show: (category: CategoryPhrases) => Screen,
  ): Promise<RouteAnswer> {
    return page(cid, visitor, (category) =>
      category.groups[i] ? { show: show(category) } : changed(to('kw:{cid}:clusters', { cid })),
    );
  }
}

/** The button was shown before the list changed. */
const changed = (now: Link): DeedAnswer => ({ open: now, toast: listChanged });

const pageWith = (index: number): number => Math.floor(index / PAGE_SIZE) + 1;
