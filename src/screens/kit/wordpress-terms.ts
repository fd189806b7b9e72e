import { tidy } from '../../../machines/project-fields.ts';
import { type Link, to } from './link.ts';
import { type Page, pagerRows } from './pager.ts';
import {
  type Button,
  button,
  type Keyboard,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from './screen.ts';

/** Rubrics or tags, as WordPress calls them. */
export type TermKind = 'categories' | 'tags';

export type Term = { id: number; name: string };
/** What there is to choose from on the site, or why that cannot be said now. */
export type TermChoice = { identifier: string } & (
  | {
      terms: Page<Term & { chosen: boolean }>;
      /** Chosen, and no longer on the site. */
      lost: readonly Term[];
    }
  | { failure: string }
);
export type Marked = 'done' | 'gone' | 'full' | 'unanswered';

/** So that a list of them can still be read. */
export const MOST_TERMS = 10;

const words = {
  categories: {
    link: 'cats',
    title: 'Рубрики',
    ask: rich`Отметьте, куда складывать статьи. Если не отметить ничего, бот возьмёт рубрику по названию категории или создаст её.`,
    none: rich`На сайте пока нет рубрик. Бот создаст рубрику по названию категории.`,
    gone: rich`Этой рубрики на сайте больше нет, список обновлён.`,
    full: rich`Отметить можно не больше ${MOST_TERMS} рубрик. Снимите отметку с лишней.`,
  },
  tags: {
    link: 'tags',
    title: 'Метки',
    ask: rich`Отметьте, под какими метками выходить статьям. Если не отметить ничего, статьи выйдут без меток: так они не спорят за место в поиске со страницами меток.`,
    none: rich`На сайте пока нет меток, статьи выходят без них.`,
    gone: rich`Этой метки на сайте больше нет, список обновлён.`,
    full: rich`Отметить можно не больше ${MOST_TERMS} меток. Снимите отметку с лишней.`,
  },
} as const;

export const termLinks = (kind: TermKind) => {
  const { link } = words[kind];
  return {
    all: `conn:{nid}:wp:${link}`,
    page: `page:wp${link}:{nid}:{n}`,
    /** The term, and the page it stands on. What a press leads to is said: a press may come twice. */
    mark: `conn:{nid}:wp:${link}:{n}:{k}:on`,
    unmark: `conn:{nid}:wp:${link}:{n}:{k}:off`,
    /** Stands in old chats, and does not say it. */
    flip: `conn:{nid}:wp:${link}:{n}:{k}`,
  } as const;
};

export const pageOfTerms = (kind: TermKind, nid: number, n: number): Link =>
  to(termLinks(kind).page, { nid, n });

/** What is said of a press that changed nothing; the rest shows by itself. */
export function termNotice(kind: TermKind, marked: Marked): RichText | null {
  return marked === 'gone' || marked === 'full' ? words[kind][marked] : null;
}

export function termsScreen(kind: TermKind, nid: number, wanted: number, choice: TermChoice): Screen {
  const { title } = words[kind];
  const back = [button('Назад', to('conn:{nid}:wp', { nid }))];
  const head = rich`<b>${title}</b> · ${choice.identifier}`;
  if ('failure' in choice)
    return {
      text: paragraphs(
        head,
        rich`${title} не загрузились. ${choice.failure}`,
        rich`Что было отмечено раньше, остаётся в силе.`,
      ),
      keyboard: [
        [button('Ещё раз', pageOfTerms(kind, nid, Math.max(1, wanted)), 'primary')],
        [button('Проверить подключение', to('conn:{nid}:check', { nid }))],
        back,
      ],
    };
  const { terms, lost } = choice;
  const { mark, unmark } = termLinks(kind);
  return {
    text: paragraphs(head, terms.count === 0 ? words[kind].none : words[kind].ask, aboutLost(lost)),
    keyboard: [
      ...lost.map((term) => row('✕ ', term, unmark)),
      ...terms.items.map((term) => (term.chosen ? row('✓ ', term, unmark) : row('', term, mark))),
      ...pagerRows(terms, (n) => pageOfTerms(kind, nid, n)),
      back,
    ] satisfies Keyboard,
  };

  function row(sign: string, { id, name }: Term, pattern: typeof mark | typeof unmark): Button[] {
    const link = to(pattern, { nid, n: id, k: terms.page });
    return [button(`${sign}${tidy(name) || 'Без названия'}`, link)];
  }
}

function aboutLost(lost: readonly Term[]): RichText | false {
  return (
    lost.length > 0 &&
    rich`Отмечено, но на сайте этого больше нет: ${listed(lost.map(({ name }) => name))}. При публикации бот создаст это заново; чтобы убрать, нажмите ✕.`
  );
}

const MOST_NAME = 60;

/** Of names that strangers have made up, as much as can be read. */
export const listed = (names: readonly string[]): string =>
  names
    .map((name) => {
      const characters = [...name];
      return characters.length > MOST_NAME ? `${characters.slice(0, MOST_NAME - 1).join('')}…` : name;
    })
    .join(', ');
