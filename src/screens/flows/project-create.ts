import type { projectCreateMachine } from '../../../machines/project-create.ts';
import { projectQuestionScreens } from '../fragments/project-questions.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { button, rich } from '../kit/screen.ts';
import { projectCreatedScreen } from '../pages/projects.ts';

const ways = [button('Прервать', to('pc:pause')), button('Отмена', to('fsm:cancel'))];
const questions = projectQuestionScreens(ways);

export const flow = {
  title: 'создание проекта',
  titleOf: 'создания проекта',
  states: {
    name: questions.name,
    company_name: questions.company,
    specialization: questions.specialization,
    website_url: questions.website,
    saving: ({ answers }) => workingOnIt(rich`Создаю проект «${answers.name}»…`),
    save_failed: ({ failure }) =>
      savingFailed(rich`Проект пока не создан, ответы сохранены в диалоге.`, failure, ways),
    pausing: () => workingOnIt(rich`Сохраняю ответы…`),
    created: ({ projectId, answers }) => ({
      open: to('project:{pid}:created', { pid: projectId! }),
      screen: projectCreatedScreen(projectId!, answers.name!),
    }),
    paused: ({ answers }) => ({
      open: to('nav:projects'),
      notice:
        answers.name === null
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
