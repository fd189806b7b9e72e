import type { ArticlePreview } from '../../../machines/fragments/article-ports.ts';
import { tokensReturned } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

/** A text came to nothing: what its person can do now. The reason stands above. */
export function againScreen(
  kind: PipelineKind,
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
          to(`pipeline:${kind}:at:{cid}:{nid}`, { cid: categoryId, nid: connectionId ?? 0 }),
          'primary',
        ),
      ],
      [button('Другая категория', to(`pipeline:${kind}:project:{pid}`, { pid: projectId }))],
      [menuButton],
    ],
  };
}

type Place = { categoryId: number; categoryName: string; projectId: number; projectName: string };

/** What a pipeline leads to, as its links begin. */
export type PipelineKind = 'article' | 'social';

/** A text that was begun and left: what its checkpoint tells of it. */
type Unfinished = { flow?: string; state: string; context: Readonly<Record<string, unknown>> };

const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export const kindOf = ({ flow }: Pick<Unfinished, 'flow'>): PipelineKind =>
  flow === 'SocialPipeline' ? 'social' : 'article';

/** Also a checkpoint of another version can be told of: only words are taken from it. */
function partsOf({ flow, state, context }: Unfinished) {
  const preview = context.preview as Partial<Record<keyof ArticlePreview, unknown>> | null | undefined;
  const post = context.post as Work;
  const cross = context.cross as Work;
  const draftId = preview?.draftId ?? post?.draft?.draftId ?? cross?.draft?.draftId;
  const kind = kindOf(flow === undefined ? {} : { flow });
  return {
    kind,
    about: wordOf(preview?.title) ?? wordOf(context.categoryName) ?? wordOf(context.projectName),
    place: [wordOf(context.projectName), wordOf(context.siteName) ?? wordOf(context.channelName)]
      .filter(Boolean)
      .join(' → '),
    step: steps.find(([states]) => states.test(state))?.[1] ?? 'начало',
    draftId: typeof draftId === 'number' ? draftId : 0,
    // The HTML was taken, and with it the charge has become final.
    isPaidOut: Number(preview?.final ?? 0) > 0 && Number(preview?.final) >= Number(preview?.spent),
    words: words[kind],
    cancel: to(`pipeline:${kind === 'social' ? 'cancel_post' : 'cancel'}:{n}`, {
      n: typeof draftId === 'number' ? draftId : 0,
    }),
  };
}

type Work = { draft?: { draftId?: unknown } | null } | null | undefined;

const words = {
  article: { short: 'статья', unfinished: 'Незаконченная статья' },
  social: { short: 'пост', unfinished: 'Незаконченный пост' },
} as const satisfies Record<PipelineKind, { short: string; unfinished: string }>;

const steps: readonly (readonly [RegExp, string])[] = [
  [/^(select_project|create_project|project_|stock_)/u, 'проект'],
  [/^(select_wp|connect_wp)/u, 'сайт'],
  [/^(select_connection|connect_)/u, 'канал'],
  [/^(select_category|create_category|category_)/u, 'категория'],
  [/^(readiness_|configure_)/u, 'подготовка'],
  [/^(confirm_cost|choose_phrase|own_)/u, 'стоимость'],
  [/^(preview|confirm_version|confirm_html|html_taken|reading_text)/u, 'готовая статья'],
  [/^(review|regenerate_cost)/u, 'готовый пост'],
  [/^publish_unknown/u, 'вышел ли пост'],
  [/^cross_post/u, 'кросс-пост'],
];

/** Of the main menu: go on, begin anew, give up. */
export function unfinishedKeys(unfinished: Unfinished): Keyboard {
  const { kind, about, draftId, isPaidOut, words, cancel } = partsOf(unfinished);
  const back = isPaidOut ? 'Удалить черновик' : 'Отменить и вернуть токены';
  return [
    [button(`Продолжить: ${words.short}${about ? ` «${about}»` : ''}`, to('pipeline:resume'))],
    [
      button('Начать заново', to(`pipeline:${kind}:restart`)),
      button(draftId > 0 ? back : 'Отменить', cancel),
    ],
  ];
}

/** Before another one begins in its place (E49). `wanted`: what that would be. */
export function unfinishedScreen(unfinished: Unfinished, wanted: PipelineKind): Screen {
  const { about, place, step, words, cancel } = partsOf(unfinished);
  return {
    text: paragraphs(
      rich`<b>${words.unfinished}</b>`,
      lines(place !== '' && rich`${place}`, about !== null && rich`${about}`, rich`Шаг: ${step}`),
      rich`Прогресс хранится 24 часа. Продолжим?`,
    ),
    keyboard: [
      [button('Продолжить', to('pipeline:resume'), 'success')],
      [button('Начать заново', to(`pipeline:${wanted}:restart`)), button('Отменить', cancel, 'danger')],
      [menuButton],
    ],
  };
}

export const forgottenNotices: Readonly<Record<PipelineKind, (returned: number | null) => RichText>> = {
  article: (returned) =>
    returned ? rich`Статья отменена. ${tokensReturned(returned)}.` : rich`Незаконченная статья отменена.`,
  social: (returned) =>
    returned ? rich`Пост отменён. ${tokensReturned(returned)}.` : rich`Незаконченный пост отменён.`,
};
