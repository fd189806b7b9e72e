import type { ContextFrom } from 'xstate';
import { type aiChatMachine, replyLength } from '../../../machines/ai-chat.ts';
import type { Failure } from '../../../machines/failure.ts';
import { number, plural } from '../../russian.ts';
import { type Analysis, analysisText } from '../kit/analysis.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

type Context = ContextFrom<typeof aiChatMachine>;

/** Of the case that is played, and what was said last: read when a screen is drawn. */
export type AIChatView = {
  /** Null: its file is gone. */
  played: PlayedCase | null;
  lastReply: string | null;
  analysis: Analysis | null;
};
type PlayedCase = {
  title: string;
  method: string;
  counterpart: { name: string; role: string };
  situation: string;
  goal: string;
  turns: number;
  components: readonly { id: string; name: string; asks: string }[];
  theory: string;
};

export const flow = {
  title: 'тренировочный разговор',
  titleGenitive: 'тренировочного разговора',
  states: {
    intro: ({ failure }, view) => introScreen(view?.played ?? null, failure),
    theory: (_, view) => ({
      text: paragraphs(rich`<b>Теория</b>${ofCase(view)}`, rich`${view?.played?.theory ?? caseAway}`),
      keyboard: [
        [button('Начать диалог', to('chat:start'), 'success')],
        [button('К описанию', to('chat:intro')), mainMenu],
      ],
    }),
    starting: () => ({ text: rich`Зову собеседника…`, keyboard: [] }),
    waiting_user: (context, view) => ({
      text: paragraphs(
        context.failure && trouble(context.failure),
        refusalOf(context),
        spoken(context, view),
        reachedLine(context, view?.played ?? null),
      ),
      keyboard: [
        ...(context.turn_count > 0 ? [[button('Получить анализ', to('chat:review'))]] : []),
        [button('Начать заново', to('chat:restart')), mainMenu],
      ],
    }),
    answering: (_, view) => ({ text: rich`<i>${nameOf(view)} печатает…</i>`, keyboard: [] }),
    reviewing: (context, view) => ({
      text: paragraphs(
        lastWords(context, view),
        rich`<i>Читаю разговор и готовлю анализ. Обычно это до минуты.</i>`,
      ),
      keyboard: [],
    }),
    review_complete: (context, view) => ({
      text: paragraphs(
        lastWords(context, view),
        rich`<b>Анализ</b>${ofCase(view)}`,
        view?.analysis ? analysisText(view.analysis) : rich`Анализ этого разговора больше не хранится.`,
      ),
      keyboard: [
        [button('Продолжить', to('chat:continue'))],
        [button('Начать заново', to('chat:restart')), button('Другой случай', to('chat:other'))],
        [mainMenu],
      ],
    }),
    leaving: () => ({ text: rich`Завершаю разговор…`, keyboard: [] }),
    left: ({ turn_count }) => ({
      open: to('nav:dashboard'),
      ...(turn_count > 0 && { notice: rich`Разговор завершён. Он остался в «Мои тренировки».` }),
    }),
    other_case: () => ({ open: to('trainer:list') }),
    closed: ({ failure }) => ({
      open: to('trainer:list'),
      notice: rich`${failure?.userMessage ?? caseAway}`,
    }),
  },
  behind: {
    waiting_user: (context, view) =>
      context.failure
        ? outside(trouble(context.failure))
        : outside(paragraphs(rich`Пока вас не было, собеседник ответил.`, spoken(context, view))),
    review_complete: (_, view) =>
      outside(
        paragraphs(
          rich`<b>Анализ разговора готов</b>${ofCase(view)}`,
          view?.analysis ? analysisText(view.analysis) : null,
        ),
      ),
  },
  remains: {
    waiting_user: ({ turn_count }) =>
      turn_count > 0 ? rich`Разговор ждёт сутки: продолжить его можно в тренажёре.` : [],
  },
  lasting: ['waiting_user', 'review_complete'],
  yieldsTo: (pattern) => pattern.startsWith('trainer:'),
  presses: [
    press('chat:start', () => ({ type: 'dialogue.started' })),
    press('chat:theory', () => ({ type: 'theory.opened' })),
    press('chat:intro', () => ({ type: 'theory.closed' })),
    press('chat:review', () => ({ type: 'analysis.requested' })),
    press('chat:restart', () => ({ type: 'dialogue.restarted' })),
    press('chat:continue', () => ({ type: 'dialogue.continued' })),
    press('chat:other', () => ({ type: 'case.changed' })),
    press('chat:menu', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof aiChatMachine, AIChatView>;

const mainMenu = button('Главное меню', to('chat:menu'));
const caseAway = 'Этого случая в тренажёре больше нет.';

const ofCase = (view: AIChatView | undefined): string => (view?.played ? ` · ${view.played.title}` : '');
const nameOf = (view: AIChatView | undefined): string => view?.played?.counterpart.name ?? 'Собеседник';

function introScreen(played: PlayedCase | null, failure: Failure | null): Screen {
  return {
    text: paragraphs(
      failure && trouble(failure),
      ...(played
        ? [
            rich`<b>${played.title}</b>`,
            rich`<b>${played.counterpart.name}.</b> ${played.counterpart.role}`,
            rich`${played.situation}`,
            rich`<b>Ваша цель.</b> ${played.goal}`,
            lines(
              rich`<b>Что я услышу:</b>`,
              ...played.components.map(({ name, asks }) => rich`• ${name} — ${asks}`),
            ),
            rich`<i>${plural(played.turns, 'ход', 'хода', 'ходов')}, потом анализ. Пишите так, как сказали бы вслух.</i>`,
          ]
        : [rich`${caseAway}`]),
    ),
    keyboard: [
      [button('Начать диалог', to('chat:start'), 'success')],
      [button('Теория', to('chat:theory')), mainMenu],
    ],
  };
}

function spoken({ resumed }: Context, view: AIChatView | undefined): RichText {
  return lines(
    rich`<b>${nameOf(view)}</b>${resumed && ' · продолжаем с того же места'}`,
    rich`${view?.lastReply ?? '…'}`,
  );
}

/** At an end that the person did not ask for, the last answer was not shown yet. */
function lastWords(context: Context, view: AIChatView | undefined): RichText | null {
  const { turn_count, ends_at, continued, components, total_provd_achieved } = context;
  const isEverything = components.every((component) => total_provd_achieved.includes(component));
  const endedByItself = turn_count >= ends_at || (isEverything && !continued);
  return endedByItself && view?.lastReply ? spoken(context, view) : null;
}

/** Which of the five were reached: quiet, under the answer. */
function reachedLine(context: Context, played: PlayedCase | null): RichText {
  const { total_provd_achieved: reached, components, turn_count, ends_at } = context;
  const marks = components.map((id) => {
    const name = played?.components.find((component) => component.id === id)?.name ?? id;
    return `${reached.includes(id) ? '✓' : '○'} ${name}`;
  });
  const turns =
    turn_count < ends_at
      ? `Ход ${turn_count + 1} из ${ends_at}`
      : `Сделано ${plural(turn_count, 'ход', 'хода', 'ходов')}`;
  return lines(rich`<i>${marks.join(' · ')}</i>`, rich`<i>${turns}</i>`);
}

function refusalOf({ refused }: Context): RichText | null {
  if (refused === 'long') return rich`⚠ Слишком длинно: уложитесь в ${number(replyLength.max)} символов.`;
  if (refused === 'short') return rich`⚠ Напишите словами, хотя бы ${replyLength.min} символа.`;
  return null;
}

const trouble = ({ userMessage }: Failure): RichText =>
  rich`⚠ ${userMessage ?? 'Произошла ошибка. Попробуйте ещё раз.'}`;

/** For a person who is elsewhere by now. */
const outside = (text: RichText): Screen => ({
  text,
  keyboard: [[button('К тренажёру', to('trainer:list'))], [menuButton]],
});
