import { to } from '../kit/link.ts';
import { button, type Keyboard, type RichText, rich } from '../kit/screen.ts';

/** What would make the next text better, below the result of a publication. */
export type Hint = { publicationId: number; categoryId: number; about: 'description' | 'prices' };

export const hintText = ({ about }: Hint): RichText => words[about];

/** `isAlone`: no other offer on the page can be put off, which would put this one off as well. */
export const hintRows = ({ publicationId: n, categoryId: cid, about }: Hint, isAlone: boolean): Keyboard => [
  [
    about === 'description'
      ? button('Добавить описание', to('category:{cid}:description', { cid }))
      : button('Добавить цены', to('category:{cid}:prices', { cid })),
    ...(isAlone ? [button('Позже', to('hint:{n}:later', { n }))] : []),
  ],
];

export const hintNotice = rich`Хорошо. Описание и цены всегда можно добавить в категории.`;

const words: Readonly<Record<Hint['about'], RichText>> = {
  description: rich`<b>Подсказка.</b> У категории нет описания. С ним тексты точнее: бот знает, что вы делаете и для кого.`,
  prices: rich`<b>Подсказка.</b> У категории нет цен. С прайсом тексты называют настоящие суммы.`,
};
