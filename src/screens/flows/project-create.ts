import type { Failure } from '../../../machines/failure.ts';
import type { projectCreateMachine } from '../../../machines/project-create.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { addressHint, nameHint } from '../kit/project-field-labels.ts';
import { savingFailed, triedBefore, workingOnIt } from '../kit/save-step.ts';
import { button, type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { projectCreatedScreen } from '../pages/projects.ts';

export const flow = {
  title: 'создание проекта',
  titleOf: 'создания проекта',
  states: {
    name: ({ invalid, failure }) =>
      question(1, {
        ask: rich`Как назовём проект? Проект — это один бизнес: сайт, магазин или канал.`,
        example: rich`Цветы на Ленина`,
        complaint: invalid && lines(rich`Введите название от 2 до 100 символов`, rich`${nameHint}`),
        failure,
      }),
    company_name: ({ invalid, failure }) =>
      question(2, {
        ask: rich`Как называется компания? Это имя появится в статьях.`,
        example: rich`ООО «Ромашка»`,
        complaint: invalid && rich`Введите название от 2 до 200 символов`,
        failure,
      }),
    specialization: ({ invalid, failure }) =>
      question(3, {
        ask: rich`Чем занимается компания? По этому описанию подбираются темы и тон.`,
        example: rich`Доставка букетов и оформление свадеб`,
        complaint:
          invalid && lines(rich`Опишите подробнее (мин. 5 символов)`, rich`Не длиннее 500 символов.`),
        failure,
      }),
    website_url: ({ invalid, failure }) =>
      question(4, {
        ask: rich`Адрес сайта? Если сайта нет, шаг можно пропустить.`,
        example: rich`https://romashka.ru`,
        complaint:
          invalid && lines(rich`Введите корректный URL или нажмите Пропустить`, rich`${addressHint}`),
        failure,
        more: [[button('Пропустить', to('pc:skip'))]],
      }),
    saving: ({ name }) => workingOnIt(rich`Создаю проект «${name}»…`),
    save_failed: ({ failure }) =>
      savingFailed(rich`Проект пока не создан, ответы сохранены в диалоге.`, failure, ways),
    pausing: () => workingOnIt(rich`Сохраняю ответы…`),
    created: ({ projectId, name }) => ({
      open: to('project:{pid}:created', { pid: projectId! }),
      screen: projectCreatedScreen(projectId!, name!),
    }),
    paused: ({ name }) => ({
      open: to('nav:projects'),
      notice:
        name === null
          ? rich`Создание проекта прервано.`
          : rich`Ответы сохранены. Чтобы продолжить, нажмите «Создать проект».`,
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Создание проекта отменено.` }),
  },
  presses: [
    press('pc:pause', () => ({ type: 'paused' })),
    press('pc:skip', () => ({ type: 'website.skipped' })),
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof projectCreateMachine>;

const ways = [button('Прервать', to('pc:pause')), button('Отмена', to('fsm:cancel'))];

type Question = {
  ask: RichText;
  example: RichText;
  complaint: RichText | false;
  failure: Failure | null;
  more?: Keyboard;
};

function question(step: number, { ask, example, complaint, failure, more = [] }: Question): Screen {
  return {
    text: paragraphs(
      complaint,
      failure &&
        rich`Не получилось сохранить ответы. Попробуйте прервать ещё раз чуть позже.${triedBefore(failure)}`,
      rich`<b>Новый проект (${step}/4)</b>`,
      lines(ask, rich`<i>Например: ${example}</i>`),
    ),
    keyboard: [...more, ways],
  };
}
