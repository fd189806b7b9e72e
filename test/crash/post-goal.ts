import type { PostPlace } from './post-places.ts';
import type { Goal, Step } from './text-walker.ts';

const LOST = /Ответ потерялся: пост мог выйти/u;

/** A post in one place, and then in the project's other places as well. */
export const aPost = ({
  way,
  places,
  decidesLater,
}: {
  way: readonly Step[];
  places: readonly PostPlace[];
  /** Told that the post may be there, finds it and leaves it at that; the others tell the bot that it is. */
  decidesLater: boolean;
}): Goal => {
  const named = (words: string) => places.find(({ title }) => words.includes(`«${title}»`));
  const isThere = (words: string) => LOST.test(words) && (named(words)?.arrivals() ?? 0) > 0;
  const isMissing = (words: string) => LOST.test(words) && !isThere(words);
  return {
    way,
    decisions: [
      { presses: 'Опубликовать ещё раз' },
      { presses: 'Опубликовать', beside: 'Отмена — вернуть токены' },
      { presses: 'Создать пост' },
      { presses: 'Его нет — отправить ещё раз', when: isMissing },
      { presses: 'Он там', when: isThere },
      // The result of a post that was finished in its owner's absence stands behind this.
      { presses: 'Подробнее' },
      { presses: /^Кросс-пост \(/u },
      { presses: /^Адаптировать: /u },
      { presses: /^Опубликовать в /u },
      { presses: /^Повторить \(/u },
    ],
    returns: ['Открыть', 'Продолжить', /^Продолжить: пост/u, /^Адаптировать: /u, /^Опубликовать в /u],
    costly: ['Создать пост', 'Опубликовать'],
    works: { writing: /Пишу пост|Адаптирую пост/u, publishing: /Публикую/u },
    doubt: LOST,
    ending(said, newest) {
      if (said(/Пост не получился/u) && said(/Вернулось/u)) return 'refunded';
      if (said(places.length > 1 ? /: вышел/u : /Пост («.+» )?опубликован/u)) return 'published';
      return decidesLater && isThere(newest) ? 'unknown' : null;
    },
  };
};
