import type { Failure } from '../../../machines/failure.ts';
import type { ProjectSlice } from '../../../machines/fragments/project-questions.ts';
import type { Misfit } from '../../../machines/misfit.ts';
import { to } from '../kit/link.ts';
import { addressHint, nameHint } from '../kit/project-field-labels.ts';
import { triedBefore } from '../kit/save-step.ts';
import {
  type Button,
  button,
  type Keyboard,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';

/** Whether sites can be read here. Where it is not said, they can. */
export type Reading = { readsSites: boolean };
type Show = (slice: ProjectSlice, data?: object) => Screen;

/** The four questions about a new business. `ways`: the buttons that every one of them has below. */
export function projectQuestionScreens(ways: readonly Button[]): Record<ProjectQuestion, Show> {
  return {
    name: ({ misfit, failure, answers: { websiteUrl } }, data) =>
      websiteUrl === null
        ? question(1, {
            ...(readsSites(data) ? byNameOrSite : byName),
            complaint: misfit && complaints.name(misfit),
          })
        : question(1, {
            ask: rich`Как назовём проект? Адрес сайта запомнил, можно прислать и другой.`,
            example: rich`Цветы на Ленина`,
            complaint: (misfit && complaints.name(misfit)) ?? (failure && unreadComplaint(failure)),
            // Where no reader is connected, another try finds none either.
            more:
              failure && failure.code !== 'SITE_READING_OFF'
                ? [[button('Прочитать ещё раз', to('card:read'))]]
                : [],
          }),
    company: ({ misfit }) =>
      question(2, {
        ask: rich`Как называется компания? Это имя появится в статьях.`,
        example: rich`ООО «Ромашка»`,
        complaint: misfit && complaints.company(misfit),
      }),
    specialization: ({ misfit }) =>
      question(3, {
        ask: rich`Чем занимается компания? По этому описанию подбираются темы и тон.`,
        example: rich`Доставка букетов и оформление свадеб`,
        complaint: misfit && complaints.specialization(misfit),
      }),
    website: ({ misfit }) =>
      question(4, {
        ask: rich`Адрес сайта? Если сайта нет, шаг можно пропустить.`,
        example: rich`romashka.ru`,
        complaint: misfit && complaints.website(misfit),
        more: [[button('Пропустить', to('pc:skip'))]],
      }),
  };

  function question(step: number, { ask, example, complaint, more = [] }: Question): Screen {
    return {
      ...(complaint && { complaint }),
      text: paragraphs(rich`<b>Новый проект (${step}/4)</b>`, lines(ask, rich`<i>Например: ${example}</i>`)),
      keyboard: [...more, ways],
    };
  }
}

const readsSites = (data: object | undefined): boolean =>
  data === undefined || !('readsSites' in data) || data.readsSites === true;

const byNameOrSite = {
  ask: lines(
    rich`Есть сайт? Пришлите его адрес: название, город, телефон, цвета и темы прочитаю сам.`,
    rich`Сайта нет — напишите, как назовём проект. Проект — это один бизнес.`,
  ),
  example: rich`romashka.ru или Цветы на Ленина`,
};
const byName = {
  ask: rich`Как назовём проект? Проект — это один бизнес.`,
  example: rich`Цветы на Ленина`,
};

type ProjectQuestion = 'name' | 'company' | 'specialization' | 'website';

type Question = {
  ask: RichText;
  example: RichText;
  complaint: RichText | null;
  more?: Keyboard;
};

const unreadComplaint = (failure: Failure): RichText =>
  lines(
    rich`${failure.userMessage ?? 'Сайт прочитать не получилось.'}${triedBefore(failure)}`,
    rich`Ничего страшного: ответьте на вопросы. Если это было название, а не адрес, пришлите его ещё раз.`,
  );

/** The first line is the specification's, for the case it was written for; the true reason follows or stands alone. */
const complaints: Record<ProjectQuestion, (misfit: Misfit) => RichText> = {
  name: (misfit) =>
    lines(rich`Введите название от 2 до 100 символов`, misfit === 'wrong-format' && rich`${nameHint}`),
  company: (misfit) =>
    lines(
      rich`Введите название от 2 до 200 символов`,
      misfit === 'wrong-format' && rich`В названии должна быть хотя бы одна буква или цифра.`,
    ),
  specialization: (misfit) =>
    ({
      'too-short': rich`Опишите подробнее (мин. 5 символов)`,
      'too-long': rich`Слишком длинно: уложитесь в 500 символов, подробности можно добавить позже.`,
      'wrong-format': rich`Опишите словами, чем занимается компания.`,
    })[misfit],
  website: (misfit) =>
    misfit === 'too-long'
      ? rich`Адрес слишком длинный: пришлите главную страницу сайта.`
      : lines(rich`Введите корректный URL или нажмите Пропустить`, rich`${addressHint}`),
};
