import type { ProjectSlice } from '../../../machines/fragments/project-questions.ts';
import type { projectCreateMachine } from '../../../machines/project-create.ts';
import { sitePresses, siteScreens } from '../fragments/project-from-site.ts';
import { projectQuestionScreens, type Reading } from '../fragments/project-questions.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { button, type RichText, rich } from '../kit/screen.ts';
import { projectCreatedScreen } from '../pages/projects.ts';

const ways = [button('Прервать', to('pc:pause')), button('Отмена', to('fsm:cancel'))];
const questions = projectQuestionScreens(ways);
const site = siteScreens(ways);

const kept = ({ answers }: ProjectSlice): RichText =>
  rich`Ответы о проекте «${answers.name}» сохранены на сутки: продолжить можно из главного меню или в разделе «Проекты».`;

export const flow = {
  title: 'создание проекта',
  titleGenitive: 'создания проекта',
  states: {
    name: questions.name,
    company_name: questions.company,
    specialization: questions.specialization,
    website_url: questions.website,
    reading_site: site.reading,
    site_card: site.card,
    card_field: site.field,
    saving: ({ answers }) => workingOnIt(rich`Создаю проект «${answers.name}»…`),
    save_failed: ({ failure }) =>
      savingFailed(rich`Проект пока не создан, ответы сохранены в диалоге.`, failure, ways),
    created: ({ projectId, answers, siteCard }) => ({
      open: to('project:{pid}:created', { pid: projectId! }),
      screen: projectCreatedScreen(
        projectId!,
        answers.name!,
        siteCard?.topics.some(({ kept }) => kept) ?? false,
      ),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Создание проекта отменено.` }),
  },
  kept,
  presses: [
    ...sitePresses,
    press('pc:skip', () => ({ type: 'website.skipped' })),
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof projectCreateMachine, Reading>;
