import type { Gone as ArticleGone } from '../../../machines/fragments/article-stock.ts';
import type { PostGone } from '../../../machines/fragments/post-stock.ts';
import { press } from '../kit/flow-screens.ts';
import { type Link, to } from '../kit/link.ts';
import { pagerRows, paginate } from '../kit/pager.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

/** What a person chooses from, the last used first. Read for the screen, never stored with the flow. */
export type Choices = readonly Choice[];
export type Choice = { id: number; name: string; isBroken?: boolean };

type Chosen = { projectName: string | null; siteName?: string | null; categoryName?: string | null };
/** Chosen before, and no longer there. */
export type Gone = ArticleGone | PostGone;
type Listing = { page: number; gone: Gone | null };

const STEPS = 5;
const cancel = button('Отмена', to('fsm:cancel'));

/** Which step it is, and what is chosen so far. */
export const pipelineHead =
  (what: string) =>
  (step: number, title: string, { projectName, siteName, categoryName }: Chosen): RichText =>
    lines(
      rich`<b>${what} (${step}/${STEPS}) — ${title}</b>`,
      projectName !== null &&
        rich`${projectName}${siteName ? ` → ${siteName}` : ''}${categoryName ? ` · ${categoryName}` : ''}`,
    );

export function projectChoiceScreen(head: RichText, listing: Listing, data: Choices): Screen {
  return choice(listing, data, {
    text: paragraphs(head, rich`Для какого проекта пишем?`),
    item: ({ id, name }) => button(name, to('pipe:project:{pid}', { pid: id })),
    more: [[button('+ Проект', to('pipe:project_new'))], [cancel]],
  });
}

/** `back`: to the step before, which every pipeline has its own of. */
export function topicChoiceScreen(head: RichText, listing: Listing, data: Choices, back: Link): Screen {
  return choice(listing, data, {
    text: paragraphs(head, rich`О чём пишем?`),
    item: ({ id, name }) => button(name, to('pipe:topic:{cid}', { cid: id })),
    more: [
      [button('+ Категория', to('pipe:topic_new'))],
      [button('Другой проект', to('pipe:project_change')), button('Назад', back)],
      [cancel],
    ],
  });
}

function choice(
  { page, gone }: Listing,
  data: Choices,
  { text, item, more }: { text: RichText; item: (choice: Choice) => Button; more: Button[][] },
): Screen {
  const shown = paginate(data, page);
  return {
    text: paragraphs(gone && goneNotices[gone], text),
    keyboard: [
      ...shown.items.map((each) => [item(each)]),
      ...pagerRows(shown, (n) => to('pipe:page:{n}', { n })),
      ...more,
    ],
  };
}

/** E49: steps 4 and 5 are not left by a stray press. */
export const exitScreen = (step: string): Screen => ({
  text: lines(rich`Вы уверены? Прогресс сохранится.`, rich`Шаг «${step}» подождёт вас 24 часа.`),
  keyboard: [
    [button('Продолжить', to('pipe:stay'), 'primary')],
    [button('Выйти', to('nav:dashboard'), 'danger')],
  ],
});

export const goneNotices: Record<Gone, RichText> = {
  project: rich`Этого проекта больше нет: выберите другой.`,
  site: rich`Этот сайт отключён: выберите другой.`,
  channel: rich`Этот канал отключён: выберите другой.`,
  category: rich`Этой категории больше нет: выберите другую.`,
  draft: rich`Этого черновика больше нет.`,
};

export const leftNotice = rich`Хорошо, вернёмся к этому позже.`;

export const pipelinePresses = [
  press('pipe:project:{pid}', ({ pid }) => ({ type: 'project.chosen', projectId: pid }) as const),
  press('pipe:project_new', () => ({ type: 'project.added' }) as const),
  press('pipe:project_change', () => ({ type: 'project.reopened' }) as const),
  press('pipe:topic:{cid}', ({ cid }) => ({ type: 'topic.chosen', categoryId: cid }) as const),
  press('pipe:topic_new', () => ({ type: 'topic.added' }) as const),
  press('pipe:topic_change', () => ({ type: 'topic.reopened' }) as const),
  press('pipe:page:{n}', ({ n }) => ({ type: 'page.turned', page: n }) as const),
  press('pipe:phrases:auto', () => ({ type: 'phrases.automatic' }) as const),
  press('pipe:phrases:own', () => ({ type: 'phrases.described' }) as const),
  press('pipe:phrases:again', () => ({ type: 'phrases.retried' }) as const),
  press('pipe:checklist', () => ({ type: 'checklist.opened' }) as const),
  press('pipe:ready', () => ({ type: 'checklist.passed' }) as const),
  press('pipe:stay', () => ({ type: 'exit.declined' }) as const),
] as const;
