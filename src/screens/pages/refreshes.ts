import { date } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

export type RefreshCandidate = {
  id: number;
  keyword: string;
  at: Date;
  place: number | null;
  /** Of its project. */
  timezone: string;
};

export function refreshListScreen(pid: number, articles: readonly RefreshCandidate[]): Screen {
  const back = [button('К публикациям', to('project:{pid}:publications', { pid }))];
  if (articles.length === 0)
    return {
      text: rich`Обновлять пока нечего: здесь появятся статьи, которые вышли на сайте и не обновлялись последние 90 дней.`,
      keyboard: [back],
    };
  return {
    text: paragraphs(
      rich`<b>Какую статью обновить?</b>`,
      rich`Сначала те, что выпали из первой сотни, потом самые старые. Адрес страницы не изменится, новый вариант вы увидите до публикации.`,
    ),
    keyboard: [
      ...articles.map(({ id: n, keyword, at, place, timezone }) => [
        button(
          [keyword, date(at, timezone), place !== null && `${place}-е место`].filter(Boolean).join(' · '),
          to('publication:{n}:refresh', { n }),
        ),
      ]),
      back,
    ],
  };
}

export const restingNotice = (until: Date, timezone: string): RichText =>
  rich`Статью уже обновили. Поиску нужно время, чтобы это оценить: следующее обновление — с ${date(until, timezone)}. Прежний вариант можно вернуть.`;

export const undoing = rich`Возвращаю прежний вариант на сайт…`;

export const undoneNotice = (failure: string | null): RichText =>
  failure === null ? rich`Прежний вариант снова на сайте, адрес тот же.` : rich`⚠ ${failure}`;
