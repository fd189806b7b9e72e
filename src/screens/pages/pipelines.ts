import { tokensReturned } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

/** An article came to nothing: what its person can do now. The reason stands above. */
export function articleAgainScreen(
  { categoryId, categoryName, projectId, projectName }: Place,
  connectionId: number | null,
): Screen {
  return {
    text: paragraphs(
      rich`<b>${categoryName}</b> · ${projectName}`,
      rich`Можно попробовать ещё раз или взять другую категорию.`,
    ),
    keyboard: [
      [
        button(
          'Ещё раз',
          to('pipeline:article:at:{cid}:{nid}', { cid: categoryId, nid: connectionId ?? 0 }),
          'primary',
        ),
      ],
      [button('Другая категория', to('pipeline:article:project:{pid}', { pid: projectId }))],
      [menuButton],
    ],
  };
}

type Place = { categoryId: number; categoryName: string; projectId: number; projectName: string };

/** A text that was begun and left: what its checkpoint tells of it. */
type Unfinished = { state: string; context: Readonly<Record<string, unknown>> };

const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Also a checkpoint of another version can be told of: only words are taken from it. */
function partsOf({ state, context }: Unfinished) {
  const preview = context.preview as { title?: unknown; draftId?: unknown } | null | undefined;
  return {
    about: wordOf(preview?.title) ?? wordOf(context.categoryName) ?? wordOf(context.projectName),
    place: [wordOf(context.projectName), wordOf(context.siteName)].filter(Boolean).join(' → '),
    step: steps.find(([states]) => states.test(state))?.[1] ?? 'начало',
    draftId: typeof preview?.draftId === 'number' ? preview.draftId : 0,
  };
}

const steps: readonly (readonly [RegExp, string])[] = [
  [/^(select_project|create_project|project_|stock_)/u, 'проект'],
  [/^(select_wp|connect_wp)/u, 'сайт'],
  [/^(select_category|create_category|category_)/u, 'категория'],
  [/^(readiness_|configure_)/u, 'подготовка'],
  [/^(confirm_cost|choose_phrase)/u, 'стоимость'],
  [/^(preview|confirm_version)/u, 'готовая статья'],
];

/** Of the main menu: go on, begin anew, give up. */
export function unfinishedKeys(unfinished: Unfinished): Keyboard {
  const { about, draftId } = partsOf(unfinished);
  return [
    [button(`Продолжить: статья${about ? ` «${about}»` : ''}`, to('pipeline:resume'))],
    [
      button('Начать заново', to('pipeline:restart')),
      button(
        draftId > 0 ? 'Отменить и вернуть токены' : 'Отменить',
        to('pipeline:cancel:{n}', { n: draftId }),
      ),
    ],
  ];
}

/** Before another one begins in its place (E49). */
export function unfinishedScreen(unfinished: Unfinished): Screen {
  const { about, place, step, draftId } = partsOf(unfinished);
  return {
    text: paragraphs(
      rich`<b>Незаконченная статья</b>`,
      lines(place !== '' && rich`${place}`, about !== null && rich`${about}`, rich`Шаг: ${step}`),
      rich`Прогресс хранится 24 часа. Продолжим?`,
    ),
    keyboard: [
      [button('Продолжить', to('pipeline:resume'), 'success')],
      [
        button('Начать заново', to('pipeline:restart')),
        button('Отменить', to('pipeline:cancel:{n}', { n: draftId }), 'danger'),
      ],
      [menuButton],
    ],
  };
}

export const forgottenNotice = (returned: number | null): RichText =>
  returned ? rich`Статья отменена. ${tokensReturned(returned)}.` : rich`Незаконченная статья отменена.`;
