import type { Misfit } from '../../../machines/misfit.ts';
import type { projectEditMachine } from '../../../machines/project-edit.ts';
import { projectFieldRules } from '../../../machines/project-fields.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { projectFieldTexts } from '../kit/project-field-labels.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { button, lines, paragraphs, type RichText, rich } from '../kit/screen.ts';

export const flow = {
  title: 'изменение данных проекта',
  titleGenitive: 'изменения данных проекта',
  states: {
    field_value: ({ projectId, field, current, misfit }) => {
      const { label, hint, example } = projectFieldTexts[field];
      const clearable = projectFieldRules[field].optional && current !== null;
      const { min, max } = projectFieldRules[field];
      return {
        ...(misfit && { complaint: complaint(misfit, label, min, max) }),
        text: paragraphs(
          rich`<b>${label}</b>`,
          rich`Сейчас: ${current ?? '—'}`,
          lines(rich`Отправьте новое значение. ${hint}`, rich`<i>Например: ${example}</i>`),
        ),
        keyboard: [
          ...(clearable
            ? [
                [
                  button(
                    'Очистить',
                    to('project:{pid}:edit_clear:{field}', { pid: projectId, field }),
                    'danger',
                  ),
                ],
              ]
            : []),
          [cancel],
        ],
      };
    },
    saving: ({ field }) => workingOnIt(rich`Сохраняю поле «${projectFieldTexts[field].label}»…`),
    save_failed: ({ failure }) =>
      savingFailed(rich`Прежнее значение осталось без изменений.`, failure, [cancel]),
    saved: ({ projectId, field, value }) => ({
      open: to('project:{pid}:edit', { pid: projectId }),
      notice: rich`Поле «${projectFieldTexts[field].label}» ${value === null ? 'очищено' : 'сохранено'}.`,
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Изменение отменено.` }),
  },
  presses: [
    press('project:{pid}:edit_clear:{field}', ({ pid, field }) => ({
      type: 'value.cleared',
      projectId: pid,
      field,
    })),
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof projectEditMachine>;

const cancel = button('Отмена', to('fsm:cancel'));

/** The specification's sentence, and the reason where it is the length. */
const complaint = (misfit: Misfit, label: string, min: number, max: number): RichText =>
  lines(
    rich`Некорректный формат для поля ${label}`,
    misfit === 'too-short' && rich`Слишком коротко: нужно не меньше ${min} символов.`,
    misfit === 'too-long' && rich`Слишком длинно: уложитесь в ${max} символов.`,
  );
