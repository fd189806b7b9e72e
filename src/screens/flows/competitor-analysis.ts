import type { ContextFrom } from 'xstate';
import type { CompetitorReport, competitorAnalysisMachine } from '../../../machines/competitor-analysis.ts';
import type { Failure } from '../../../machines/failure.ts';
import { plural, tokensCharged, tokensReturned } from '../../russian.ts';
import { hostOf, reportText } from '../kit/competitor-report.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { lackingOf, priceLines, refusal, topUpIfShort } from '../kit/money.ts';
import { progressScreen, type Stages } from '../kit/progress.ts';
import { triedBefore } from '../kit/save-step.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

type Context = ContextFrom<typeof competitorAnalysisMachine>;

const stages: Stages = [
  ['reading', 'Читаю сайт конкурента'],
  ['comparing', 'Сравниваю с вашим проектом'],
];

/** One press each: more than these would hide the other buttons. */
const MOST_CATEGORIES = 5;

export const flow = {
  title: 'анализ конкурента',
  titleGenitive: 'анализа конкурента',
  states: {
    url: ({ isWrong, failure, projectName }) => ({
      ...((isWrong || failure) && { complaint: complaint(failure) }),
      text: paragraphs(
        rich`<b>Анализ конкурента</b> · ${projectName}`,
        lines(
          rich`Пришлите адрес сайта или страницы, которую хотите разобрать.`,
          rich`<i>Например: https://konkurent.ru</i>`,
        ),
      ),
      keyboard: [[cancel]],
    }),
    url_checking: ({ url }) => ({ text: rich`Проверяю, открывается ли ${hostOf(url!)}…`, keyboard: [] }),
    confirm: (context) => confirmScreen(context),
    analyzing: ({ url, stage, late }) =>
      progressScreen(rich`<b>Разбираю</b> ${hostOf(url!)}. Обычно это около полминуты.`, stages, {
        stage,
        late,
      }),
    results: (context) => resultsScreen(context),
    results_adding: () => ({ text: rich`Добавляю темы во фразы…`, keyboard: [] }),
    kept: ({ report }) => ({ open: to('rival:{n}:file', { n: report!.analysisId }) }),
    left: ({ projectId: pid }) => ({ open: to('project:{pid}:card', { pid }) }),
    failed: (context) => ({ open: auditPage(context), screen: failedScreen(context) }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Анализ конкурента отменён.` }),
  },
  behind: {
    confirm: (context) => failedScreen(context),
    results: ({ report, projectId: pid }) => ({
      text: paragraphs(rich`<b>Анализ ${hostOf(report!.url)} готов</b> и сохранён в проекте.`),
      keyboard: [
        [button('Посмотреть', to('rival:{n}:card', { n: report!.analysisId }), 'primary')],
        [button('К проекту', to('project:{pid}:card', { pid }))],
      ],
    }),
    failed: (context) => failedScreen(context),
  },
  remains: {
    analyzing: ({ url, price }) =>
      rich`Анализ ${hostOf(url!)} продолжается: ${tokensCharged(price).toLowerCase()}. Результат сохранится в проекте, и я напишу сюда; если прочитать сайт не получится, токены вернутся сами.`,
    results: ({ report }) =>
      rich`Анализ ${hostOf(report!.url)} сохранён: проект, «Анализ сайта», «Прошлые анализы».`,
  },
  presses: [
    press('comp:confirm', () => ({ type: 'cost.accepted' })),
    press('comp:change', () => ({ type: 'address.reopened' })),
    press('comp:gaps:{cid}', ({ cid }) => ({ type: 'gaps.wanted', categoryId: cid })),
    press('comp:save', () => ({ type: 'report.kept' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof competitorAnalysisMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const auditPage = ({ projectId: pid }: Context) => to('project:{pid}:audit', { pid });

const complaint = (failure: Failure | null): RichText =>
  lines(
    rich`Введите корректный URL сайта конкурента`,
    failure && rich`${failure.userMessage ?? 'Сайт не отвечает.'}`,
  );

function confirmScreen(context: Context): Screen {
  const { url, failure } = context;
  return {
    text: paragraphs(
      failure && refusal(failure),
      rich`<b>Анализ конкурента</b> · ${context.projectName}`,
      rich`Адрес: ${url}`,
      priceLines(context),
      rich`Расскажу, как он себя подаёт, в чём силён, о чём молчит и что сделать вам. Если сайт не прочитается, токены вернутся.`,
    ),
    keyboard: [
      ...topUpIfShort(lackingOf(context), failure),
      [button('Анализировать', to('comp:confirm'), 'success')],
      [button('Другой адрес', to('comp:change'))],
      [cancel],
    ],
  };
}

function resultsScreen({ report, categories, added, failure, projectId: pid, isAdmin }: Context): Screen {
  const found = report!;
  const hasGaps = found.gaps.length > 0;
  return {
    ...(failure && {
      complaint: rich`${failure.userMessage ?? 'Темы не добавились. Попробуйте ещё раз.'}${triedBefore(failure)}`,
    }),
    text: paragraphs(
      added && rich`✓ ${addedText(added)}`,
      reportText(found),
      !isAdmin && found.spent > 0 && rich`${tokensCharged(found.spent)}. Анализ сохранён в проекте.`,
    ),
    keyboard: [
      ...(hasGaps ? categories.slice(0, MOST_CATEGORIES) : [])
        .filter(({ id }) => id !== added?.categoryId)
        .map(({ id, name }) => [button(gapsLabel(found, name), to('comp:gaps:{cid}', { cid: id }))]),
      [button('Сохранить файлом', to('comp:save'), 'success')],
      [button('Создать категорию', to('project:{pid}:cat_new', { pid }))],
      [button('К проекту', to('fsm:cancel'))],
    ],
  };
}

/** Also on the page of a past analysis. */
export const gapsLabel = ({ gaps }: Pick<CompetitorReport, 'gaps'>, category: string): string => {
  const label = `+ ${plural(gaps.length, 'тема', 'темы', 'тем')} во фразы «${category}»`;
  const characters = [...label];
  return characters.length > 60 ? `${characters.slice(0, 58).join('')}…»` : label;
};

export const addedText = ({ added, categoryName }: { added: number; categoryName: string }): string =>
  added > 0
    ? `Во фразы категории «${categoryName}» добавлено: ${plural(added, 'тема', 'темы', 'тем')}.`
    : `В категории «${categoryName}» эти темы уже есть.`;

function failedScreen({ failure, url, projectId: pid }: Context): Screen {
  const returned = failure?.refunded ?? 0;
  return {
    text: paragraphs(
      rich`${failure?.userMessage ?? 'Анализ конкурентов недоступен. Попробуйте позже.'}`,
      url !== null &&
        rich`Адрес: ${url}.${returned > 0 ? ` ${tokensReturned(returned)}.` : ' Ничего не списано.'}`,
    ),
    keyboard: [
      [button('Повторить', to('project:{pid}:competitor', { pid }), 'primary')],
      [button('К проекту', to('project:{pid}:card', { pid }))],
    ],
  };
}
