import type { CategorySlice } from '../../../machines/fragments/category-question.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { type Button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { nameMisfitNotice } from '../pages/categories.ts';

/** What a new category is about. `ways`: the buttons below. */
export const categoryScreens = <Slice extends CategorySlice>(
  ways: Button[],
  head: (slice: Slice) => RichText = ({ projectName }) => rich`<b>Новая категория</b> · ${projectName}`,
): Record<'name' | 'saving' | 'saveFailed', (slice: Slice) => Screen> => ({
  name: (slice) => ({
    ...(slice.misfit && { complaint: nameMisfitNotice(slice.misfit) }),
    text: paragraphs(
      head(slice),
      lines(
        rich`О чём будем писать? Категория — это одна тема: услуга, группа товаров или рубрика.`,
        rich`<i>Например: Свадебные букеты</i>`,
      ),
    ),
    keyboard: [ways],
  }),
  saving: ({ name }) => workingOnIt(rich`Создаю категорию «${name}»…`),
  saveFailed: ({ failure }) => savingFailed(rich`Категория пока не создана.`, failure, ways),
});
