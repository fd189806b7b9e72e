import { tokensReturned } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, paragraphs, rich, type Screen, urlButton } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

/** What a person is told of their publications while they are elsewhere. */

/** What became of a publication that its owner is no longer looking at. */
export type PublicationNews =
  | {
      kind: 'published';
      keyword: string;
      publicationId: number | null;
      url: string | null;
      isDraft?: boolean;
    }
  | { kind: 'unknown'; keyword: string; draftId: number; site: string; asDraft?: boolean }
  | { kind: 'failed'; keyword: string; draftId: number; site: string; why: string }
  /** 72 hours without an answer. */
  | { kind: 'assumed'; keyword: string };

export const draftExpiredScreen = (keyword: string, returned: number): Screen => ({
  text: rich`Черновик статьи «${keyword}» пролежал сутки и удалён.${returned > 0 && ` ${tokensReturned(returned)}.`}`,
  keyboard: [[menuButton]],
});

export const abandonedScreen = (about: string, returned: number): Screen => ({
  text: rich`Работа ${about ? `«${about}» ` : ''}прервалась на середине. ${tokensReturned(returned)}.`,
  keyboard: [[menuButton]],
});

export function publicationNewsScreen(news: PublicationNews): Screen {
  const { keyword } = news;
  switch (news.kind) {
    case 'published': {
      const { publicationId: n, url, isDraft = false } = news;
      const done = isDraft ? 'сохранена черновиком' : 'опубликована';
      return {
        text: paragraphs(rich`<b>Статья «${keyword}» ${done}</b>`, url !== null && rich`${url}`),
        keyboard: [
          ...(url === null ? [] : [[urlButton(isDraft ? 'Открыть в редакторе' : 'Открыть на сайте', url)]]),
          ...(n === null ? [] : [[button('Подробнее', to('publication:{n}:result', { n }))]]),
          [menuButton],
        ],
      };
    }
    case 'unknown':
      return {
        text: paragraphs(
          news.asDraft
            ? rich`<b>Ответ потерялся: черновик мог сохраниться</b>`
            : rich`<b>Ответ потерялся: статья могла выйти</b>`,
          rich`Статья «${keyword}», сайт ${news.site}. Проверьте сайт и скажите, там ли она. Если не скажете ничего, через 72 часа будем считать, что она там.`,
        ),
        keyboard: [
          [button('Статья на сайте', to('draft:{n}:arrived', { n: news.draftId }), 'success')],
          [button('Её нет — открыть черновик', to('draft:{n}:open', { n: news.draftId }))],
          [menuButton],
        ],
      };
    case 'failed':
      return {
        text: paragraphs(
          rich`<b>Статья «${keyword}» не опубликована</b>`,
          rich`${news.why}`,
          rich`Черновик ждёт: можно попробовать ещё раз или вернуть токены.`,
        ),
        keyboard: [
          [button('Открыть черновик', to('draft:{n}:open', { n: news.draftId }), 'primary')],
          [menuButton],
        ],
      };
    case 'assumed':
      return {
        text: rich`Статья «${keyword}»: за 72 часа вы не написали, что её нет на сайте, поэтому считаем, что она там.`,
        keyboard: [[menuButton]],
      };
  }
}
