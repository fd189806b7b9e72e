import type { ContextFrom } from 'xstate';
import type { scheduleSetupMachine } from '../../../machines/schedule-setup.ts';
import { MOST_POSTS_A_DAY, slotTimes, weekdays } from '../../../machines/week.ts';
import { plural } from '../../russian.ts';
import { dayLabels, daysInWords } from '../kit/calendar.ts';
import { type FlowScreens, press, tick } from '../kit/flow-screens.ts';
import { type Link, to, unpackLink } from '../kit/link.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { type Button, button, lines, paragraphs, type RichText, rich } from '../kit/screen.ts';
import { zoneLabel } from '../pages/projects.ts';

type Context = ContextFrom<typeof scheduleSetupMachine>;

export const flow = {
  title: 'составление расписания',
  titleGenitive: 'составления расписания',
  states: {
    select_days: ({ misfit, days, ...context }) => ({
      ...(misfit && { complaint: rich`Выберите хотя бы один день` }),
      text: paragraphs(head(context, 1), rich`По каким дням публиковать? Можно выбрать несколько.`),
      keyboard: [
        ...inRows(
          weekdays.map((day) =>
            box(dayLabels[day], days.includes(day), (v) => to('sched:day:{day}:{v}', { day, v })),
          ),
          4,
        ),
        [button('Готово', to('sched:days:done'), 'primary')],
        [cancel],
      ],
    }),
    select_count: ({ days, ...context }) => ({
      text: paragraphs(
        head(context, 2),
        lines(rich`Дни: ${daysInWords(days)}.`, rich`Сколько публикаций в день?`),
      ),
      keyboard: [
        Array.from({ length: MOST_POSTS_A_DAY }, (_, index) =>
          button(String(index + 1), to('sched:count:{n}', { n: index + 1 })),
        ),
        [back, cancel],
      ],
    }),
    select_times: ({ misfit, days, times, count, timeZone, ...context }) => ({
      ...(misfit && { complaint: rich`Выберите ровно ${count!} ${slots(count!)}` }),
      text: paragraphs(
        head(context, 3),
        lines(
          rich`Дни: ${daysInWords(days)}. Публикаций в день: ${count!}.`,
          rich`Во сколько? Отметьте ${count === 1 ? 'час' : plural(count!, 'час', 'часа', 'часов')}.`,
          rich`Часовой пояс: ${zoneLabel(timeZone)}.`,
        ),
      ),
      keyboard: [
        ...inRows(
          slotTimes.map((time) =>
            box(time, times.includes(time), (v) => to('sched:time:{hh}:{v}', { hh: time.slice(0, 2), v })),
          ),
          6,
        ),
        [button(`Готово (${times.length}/${count})`, to('sched:times:done'), 'success')],
        [back, cancel],
      ],
    }),
    saving: () => workingOnIt(rich`Сохраняю расписание…`),
    save_failed: ({ failure }) => savingFailed(rich`Расписание осталось прежним.`, failure, [cancel]),
    saved: ({ categoryId: cid, connectionId: nid }) => ({
      open: to('sched:{cid}:{nid}:saved', { cid, nid }),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Расписание осталось прежним.` }),
  },
  presses: [
    tick('sched:day:{day}:{v}', ({ day, v }) => ({ type: 'day.ticked', day, isOn: v === 'on' })),
    // With whatever is ticked by then: nothing is saved yet.
    tick('sched:days:done', () => ({ type: 'days.chosen' })),
    press('sched:count:{n}', ({ n }) => ({ type: 'count.chosen', count: n })),
    tick('sched:time:{hh}:{v}', ({ hh, v }) => ({ type: 'time.ticked', time: `${hh}:00`, isOn: v === 'on' })),
    press('sched:times:done', () => ({ type: 'times.chosen' })),
    press('fsm:back', () => ({ type: 'returned' })),
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof scheduleSetupMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const back = button('Назад', to('fsm:back'));

/** Leads to the other state of the box, and says so. */
const box = (label: string, isOn: boolean, linkTo: (v: 'on' | 'off') => Link): Button =>
  button(isOn ? `✓ ${label}` : label, linkTo(isOn ? 'off' : 'on'));

const head = ({ categoryName, place }: Pick<Context, 'categoryName' | 'place'>, step: number): RichText =>
  rich`<b>Расписание (${step}/3)</b> · ${categoryName} → ${place}`;

/** The seed fixes the sentence for several; one has a form of its own. */
const slots = (count: number): string =>
  plural(count, 'временной слот', 'временных слота', 'временных слотов').replace(/^\S+ /u, '');

const inRows = (buttons: readonly Button[], size: number): Button[][] =>
  Array.from({ length: Math.ceil(buttons.length / size) }, (_, row) =>
    buttons.slice(row * size, (row + 1) * size),
  );
