import type { ContextFrom } from 'xstate';
import type { siteAuditMachine } from '../../../machines/site-audit.ts';
import { tokensCharged, tokensReturned } from '../../russian.ts';
import { hostOf } from '../kit/competitor-report.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { lackingOf, priceLines, refusal, topUpIfShort } from '../kit/money.ts';
import { button, paragraphs, rich, type Screen } from '../kit/screen.ts';

type Context = ContextFrom<typeof siteAuditMachine>;

export const flow = {
  title: 'аудит сайта',
  titleGenitive: 'аудита сайта',
  states: {
    confirm: (context) => ({
      text: paragraphs(
        context.failure && refusal(context.failure),
        rich`<b>Аудит сайта</b> · ${context.projectName}`,
        rich`Проверю ${context.url} так, как его видит телефон: скорость, SEO, доступность, качество кода. Займёт до минуты.`,
        priceLines(context),
      ),
      keyboard: [
        ...topUpIfShort(lackingOf(context), context.failure),
        [button('Проверить', to('audit:confirm'), 'success')],
        [button('Отмена', to('fsm:cancel'))],
      ],
    }),
    auditing: ({ url, late }) => ({
      text: paragraphs(
        rich`<b>Проверяю</b> ${hostOf(url)}`,
        late
          ? rich`Дольше обычного: Google измеряет медленно. Ждать в чате не обязательно.`
          : rich`Google открывает сайт с телефона и измеряет. Обычно это полминуты. <i>Можно уйти: результат придёт сюда.</i>`,
      ),
      keyboard: [],
    }),
    results: ({ projectId: pid, done, isAdmin }) => ({
      open: to('project:{pid}:audit', { pid }),
      ...(!isAdmin && { notice: rich`Готово. ${tokensCharged(done!.spent)}.` }),
    }),
    failed: (context) => ({
      open: to('project:{pid}:audit', { pid: context.projectId }),
      screen: failedScreen(context),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Аудит отменён.` }),
  },
  behind: {
    confirm: (context) => failedScreen(context),
    results: ({ projectId: pid, url }) => ({
      text: rich`<b>Аудит ${hostOf(url)} готов.</b>`,
      keyboard: [[button('Посмотреть', to('project:{pid}:audit', { pid }), 'primary')]],
    }),
    failed: (context) => failedScreen(context),
  },
  remains: {
    auditing: ({ url, price }) =>
      rich`Аудит ${hostOf(url)} продолжается: ${tokensCharged(price).toLowerCase()}. Я напишу, когда он будет готов; если не получится, токены вернутся сами.`,
  },
  presses: [
    press('audit:confirm', () => ({ type: 'cost.accepted' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof siteAuditMachine>;

function failedScreen({ failure, url, projectId: pid }: Context): Screen {
  const returned = failure?.refunded ?? 0;
  return {
    text: paragraphs(
      rich`<b>Проверить ${hostOf(url)} не получилось.</b>`,
      rich`${failure?.userMessage ?? 'Произошла ошибка. Попробуйте позже.'}${returned > 0 ? ` ${tokensReturned(returned)}.` : ' Ничего не списано.'}`,
    ),
    keyboard: [
      [button('Повторить', to('project:{pid}:audit:run', { pid }), 'primary')],
      [button('К проекту', to('project:{pid}:card', { pid }))],
    ],
  };
}
