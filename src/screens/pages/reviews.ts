import { plural } from '../../russian.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { shortened } from '../kit/review-text.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { toCategory } from './description.ts';

type ReviewLine = { author: string; text: string };
export type CategoryReviews = {
  categoryId: number;
  categoryName: string;
  /** What customers have said, and what a model has written. */
  real: readonly ReviewLine[];
  samples: readonly ReviewLine[];
};

const SHOWN = 3;
const SHOWN_LENGTH = 160;

/** `generates`: samples can be ordered. */
export function reviewsScreen(category: CategoryReviews, generates: boolean): Screen {
  const { categoryId: cid, categoryName, real, samples } = category;
  const none = real.length + samples.length === 0;
  return {
    text: paragraphs(
      rich`<b>Отзывы</b> · ${categoryName}`,
      none &&
        rich`Пока пусто. Вставьте настоящие отзывы клиентов: статьи и посты будут опираться на то, за что вас хвалят.`,
      real.length > 0 &&
        listed(rich`<b>Настоящие: ${real.length}</b> — из них берут слова статьи и посты`, real),
      samples.length > 0 &&
        listed(
          rich`<b>Образцы: ${samples.length}</b> — их написала нейросеть, это не слова клиентов, в тексты они не попадают`,
          samples,
        ),
    ),
    keyboard: [
      [button('Добавить настоящие', to('review:{cid}:add', { cid }))],
      ...(generates ? [[button('Сгенерировать образцы', to('review:{cid}:new', { cid }))]] : []),
      ...(none ? [] : [[button('Удалить все', to('review:{cid}:delete', { cid }), 'danger')]]),
      [toCategory(cid)],
    ],
  };
}

const listed = (head: RichText, reviews: readonly ReviewLine[]): RichText =>
  lines(
    head,
    ...reviews
      .slice(0, SHOWN)
      .map(
        ({ author, text }) =>
          rich`• ${author !== '' && rich`<b>${author}:</b> `}${shortened(text, SHOWN_LENGTH)}`,
      ),
    reviews.length > SHOWN && rich`… и ещё ${reviews.length - SHOWN}`,
  );

export const addReviewsScreen = ({ categoryName }: CategoryReviews): Screen => ({
  text: paragraphs(
    rich`<b>Настоящие отзывы</b> · ${categoryName}`,
    rich`Вставьте отзывы клиентов одним сообщением: каждый отдельным абзацем, между ними пустая строка. Имя можно написать строкой выше отзыва.`,
    lines(rich`<i>Анна К.</i>`, rich`<i>Букет привезли за час, цветы стояли две недели.</i>`),
  ),
  keyboard: [],
});

export const reviewsAddedNotice = (count: number): RichText =>
  count === 0
    ? rich`Такие отзывы уже есть.`
    : rich`Добавлено: ${plural(count, 'отзыв', 'отзыва', 'отзывов')}. Следующие тексты учтут и ${count === 1 ? 'его' : 'их'}.`;

export const reviewsSavedNotice = (count: number): RichText =>
  rich`Сохранено: ${plural(count, 'образец', 'образца', 'образцов')}.`;

export const deleteReviewsScreen = ({
  categoryId: cid,
  categoryName,
  real,
  samples,
}: CategoryReviews): Screen =>
  deletionScreen({
    question: rich`Удалить отзывы категории <b>${categoryName}</b>?`,
    head: rich`Исчезнут:`,
    losses: [
      [real.length, 'настоящий отзыв', 'настоящих отзыва', 'настоящих отзывов'],
      [samples.length, 'образец', 'образца', 'образцов'],
    ],
    draftTokens: 0,
    what: [real, samples],
    confirm: (h) => to('review:{cid}:delete:yes:{h}', { cid, h }),
    back: to('category:{cid}:reviews', { cid }),
  });

export const reviewsDeletedNotice: RichText = rich`Отзывы удалены.`;
