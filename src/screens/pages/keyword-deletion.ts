import { plural } from '../../russian.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { pagerRows } from '../kit/pager.ts';
import { button, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { type CategoryPhrases, countPhrases, isFlatList, numbered, phrasesIn, toGroup } from './keywords.ts';

export function deletePhrasesScreen(category: CategoryPhrases, i: number, page: number): Screen {
  const { categoryId: cid } = category;
  const group = category.groups[i]!;
  const shown = numbered(group.phrases, page);
  return {
    text: paragraphs(
      rich`<b>Удаление фраз</b> · ${group.type ? group.name : category.categoryName}`,
      rich`Нажмите на лишнюю фразу, и она исчезнет сразу.${group.type && ' Кластер без фраз исчезнет сам.'}`,
    ),
    keyboard: [
      ...shown.items.map(({ item: { phrase, mark }, index: k }) => [
        button(`✕ ${phrase}`, to('kw:{cid}:px:{i}:{k}:{h}', { cid, i, k, h: mark })),
      ]),
      ...pagerRows(shown, (n) => to('page:phdel:{cid}:{i}:{n}', { cid, i, n })),
      [button('Готово', toGroup(cid, i, group))],
    ],
  };
}

export function deleteClustersScreen(category: CategoryPhrases, page: number): Screen {
  const { categoryId: cid } = category;
  const shown = numbered(category.groups, page);
  return {
    text: paragraphs(
      rich`<b>Удаление кластеров</b> · ${category.categoryName}`,
      rich`Нажмите на лишний кластер: он исчезнет со всеми фразами, но сначала я переспрошу.`,
    ),
    keyboard: [
      ...shown.items.map(({ item: group, index: i }) => [
        button(`✕ ${group.name} · ${phrasesIn(group)}`, to('kw:{cid}:cx:{i}:{h}', { cid, i, h: group.mark })),
      ]),
      ...pagerRows(shown, (n) => to('page:cxdel:{cid}:{n}', { cid, n })),
      [button('Готово', to('category:{cid}:keywords', { cid }))],
    ],
  };
}

/** Phrases were paid for: a slip of the finger must not cost a whole cluster. */
export function deleteClusterScreen(category: CategoryPhrases, i: number, page: number): Screen {
  const { categoryId: cid } = category;
  const group = category.groups[i]!;
  return deletionScreen({
    question: rich`Удалить кластер <b>${group.name}</b>?`,
    head: rich`Исчезнут:`,
    losses: [[group.phrases.length, 'фраза', 'фразы', 'фраз']],
    draftTokens: 0,
    what: group.mark,
    confirm: (h) => to('kw:{cid}:cx:{i}:yes:{h}', { cid, i, h }),
    back: to('page:cxdel:{cid}:{n}', { cid, n: page }),
  });
}

export function deleteAllScreen(category: CategoryPhrases): Screen {
  const { categoryId: cid, groups, activeSchedules } = category;
  const screen = deletionScreen({
    question: rich`Удалить все фразы категории <b>${category.categoryName}</b>?`,
    head: rich`Исчезнут:`,
    losses: [
      [isFlatList(category) ? 0 : groups.length, 'кластер', 'кластера', 'кластеров'],
      [countPhrases(groups), 'фраза', 'фразы', 'фраз'],
    ],
    draftTokens: 0,
    what: groups.map(({ mark, phrases }) => [mark, phrases.map((line) => line.mark)]),
    confirm: (h) => to('kw:{cid}:del_all:yes:{h}', { cid, h }),
    back: to('category:{cid}:keywords', { cid }),
  });
  const warning =
    activeSchedules > 0 &&
    rich`Без фраз ${plural(activeSchedules, 'расписание будет', 'расписания будут', 'расписаний будут')} пропускать публикации.`;
  return { ...screen, text: paragraphs(screen.text, warning) };
}

export const allDeletedNotice: RichText = rich`Все фразы удалены.`;
