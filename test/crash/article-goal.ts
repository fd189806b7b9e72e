import { projectOf } from './article-authors.ts';
import type { Goal, Step } from './text-walker.ts';

const AS_DRAFT = 'Сохранить черновиком в WordPress';

/** The way to the offer through the card of the category, from wherever the person is. */
export const throughCategory = (id: number): readonly Step[] =>
  [
    'WordPress',
    'Кухни',
    'Категории',
    projectOf(id),
    'Проекты',
    // Last: the menu has one too, which leads into the pipeline.
    'Написать статью',
  ].map((presses) => ({ presses }));

/** An article on the person's site. */
export const anArticle = ({
  way,
  isOnSite,
  looksAtSite,
  savesDraft = false,
}: {
  way: readonly Step[];
  isOnSite: () => boolean;
  /** Told that the article may be there, looks; the others press once more. */
  looksAtSite: boolean;
  /** Wants it on the site as a draft. */
  savesDraft?: boolean;
}): Goal => ({
  way,
  decisions: [
    ...(savesDraft ? [{ presses: AS_DRAFT }] : []),
    { presses: 'Опубликовать ещё раз' },
    { presses: 'Опубликовать', beside: 'Отмена — вернуть токены' },
    { presses: 'Создать статью' },
  ],
  returns: ['Открыть'],
  costly: ['Создать статью', 'Опубликовать', AS_DRAFT],
  works: { writing: /Пишу статью/u, publishing: /Публикую|Сохраняю черновиком/u },
  doubt: /могла опубликоваться/u,
  ending(said) {
    if (said(/Статья опубликована|Черновик сохранён/u)) return 'published';
    if (said(/Статья не получилась/u) && said(/Вернулось/u)) return 'refunded';
    return said(this.doubt) && looksAtSite && isOnSite() ? 'unknown' : null;
  },
});
