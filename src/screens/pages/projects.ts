import type { ProjectAnswers } from '../../../machines/fragments/project-questions.ts';
import { type ProjectField, projectFields } from '../../../machines/project-fields.ts';
import { platformTitle } from '../../platforms/platforms.ts';
import { number, plural, tokens } from '../../russian.ts';
import { statusIcon } from '../kit/connection-status.ts';
import { deletionScreen, returnedText } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
import { projectFieldTexts } from '../kit/project-field-labels.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

export type ProjectItem = { id: number; name: string };
export type ProjectValues = Record<ProjectField, string | null>;
export type Connection = { id: number; platform: string; identifier: string; status: string };

export type ProjectCard = {
  id: number;
  values: ProjectValues;
  connections: Connection[];
  categories: number;
  publications: number;
};

export type ProjectStats = {
  id: number;
  name: string;
  publications: number;
  publicationsLast30Days: number;
  tokensSpent: number;
  activeSchedules: number;
};

export type DeletionCounts = {
  name: string;
  categories: number;
  phrases: number;
  connections: number;
  schedules: number;
  drafts: number;
  draftTokens: number;
};

const createProject = button('Создать проект', to('project:create'), 'success');
const backToProjects = button('К проектам', to('nav:projects'));
export const toProject = (pid: number): Button => button('К проекту', to('project:{pid}:card', { pid }));

export function noProjectsScreen(): Screen {
  return {
    text: paragraphs(
      rich`<b>Проекты</b>`,
      rich`Проект — это один бизнес: его сайт, каналы и категории. Создать первый — около 30 секунд.`,
    ),
    keyboard: [[createProject], [button('Помощь', to('help:{topic}', { topic: 'project' }))], [menuButton]],
  };
}

export function projectListScreen(page: Page<ProjectItem>): Screen {
  return {
    text: paragraphs(
      rich`<b>Проекты</b>`,
      rich`У вас ${plural(page.count, 'проект', 'проекта', 'проектов')}.`,
    ),
    keyboard: [
      ...page.items.map(({ id, name }) => [button(name, to('project:{pid}:card', { pid: id }))]),
      ...pagerRows(page, (n) => to('page:projects:{n}', { n })),
      [createProject],
      [button('Статистика', to('projects:stats'))],
      [menuButton],
    ],
  };
}

// More than fit on a screen go into a file.
const MOST_STATS = 8;

export function projectStatsScreen(stats: ProjectStats[]): Screen {
  const shown = stats
    .slice(0, MOST_STATS)
    .map((project) =>
      lines(
        rich`<b>${project.name}</b>`,
        rich`Публикаций: ${number(project.publications)}, за 30 дней: ${number(project.publicationsLast30Days)}`,
        rich`Потрачено на публикации: ${tokens(project.tokensSpent)} · Расписаний: ${number(project.activeSchedules)}`,
      ),
    );
  const hidden = stats.length - shown.length;
  return {
    text: paragraphs(
      rich`<b>Статистика</b>`,
      ...shown,
      hidden > 0 && rich`Ещё ${plural(hidden, 'проект', 'проекта', 'проектов')} — в файле.`,
    ),
    keyboard: [[backToProjects]],
    ...(hidden > 0 && { file: { name: 'statistika.csv', content: statsTable(stats) } }),
  };
}

/** Excel opens a comma-separated file in Russian only with semicolons and a byte-order mark. */
function statsTable(stats: ProjectStats[]): string {
  const head = ['Проект', 'Публикаций', 'За 30 дней', 'Токенов на публикации', 'Активных расписаний'];
  const rows = stats.map(({ name, publications, publicationsLast30Days, tokensSpent, activeSchedules }) => [
    quoted(name),
    publications,
    publicationsLast30Days,
    tokensSpent,
    activeSchedules,
  ]);
  return `\uFEFF${[head, ...rows].map((row) => row.join(';')).join('\r\n')}\r\n`;
}

/** A leading = + - @ would be run as a formula, also behind a blank or a tab. */
const quoted = (text: string): string => `"${text.replace(/^\s*[=+\-@]/u, "'$&").replaceAll('"', '""')}"`;

/** What a wizard that was put aside knows of its project. */
export const nameOfUnfinished = ({ context }: { context: Readonly<Record<string, unknown>> }): string =>
  String((context.answers as Partial<ProjectAnswers> | undefined)?.name ?? '');

export function unfinishedProjectScreen(wizard: { context: Readonly<Record<string, unknown>> }): Screen {
  return {
    text: rich`Вы начали проект «${nameOfUnfinished(wizard)}» и не закончили. Ответы хранятся сутки.`,
    keyboard: [
      [button('Продолжить', to('pc:resume'), 'primary')],
      [button('Заново', to('pc:new'))],
      [backToProjects],
    ],
  };
}

/** `hasTopics`: they were read from the site, with phrases, so an article can begin at once. */
export function projectCreatedScreen(pid: number, name: string, hasTopics = false): Screen {
  if (hasTopics)
    return {
      text: paragraphs(
        rich`Проект <b>${name}</b> создан.`,
        rich`Темы с фразами и цвета сайта уже внутри: можно сразу писать статью.`,
      ),
      keyboard: [
        [button('Написать статью', to('pipeline:article:project:{pid}', { pid }), 'success')],
        [button('Подключить площадку', to('project:{pid}:connections', { pid }))],
        [toProject(pid)],
        [menuButton],
      ],
    };
  return {
    text: paragraphs(
      rich`Проект <b>${name}</b> создан.`,
      rich`Дальше — категория, о которой писать, и площадка для публикаций. Ещё 11 полей о компании сделают тексты точнее: их можно заполнить позже в разделе «Данные».`,
    ),
    keyboard: [
      [button('Создать категорию', to('project:{pid}:cat_new', { pid }), 'success')],
      [button('Подключить площадку', to('project:{pid}:connections', { pid }))],
      [toProject(pid)],
      [menuButton],
    ],
  };
}

/** `upcoming`: what comes out next by itself, if anything does. */
export function projectCardScreen(
  { id: pid, values, connections, categories, publications }: ProjectCard,
  upcoming: RichText | null = null,
): Screen {
  return {
    text: paragraphs(
      rich`<b>${values.name}</b>`,
      lines(
        rich`Компания: ${values.company_name}`,
        rich`Сайт: ${values.website_url ?? '—'}`,
        rich`Заполнено полей: ${filled(values)}/${projectFields.length}`,
      ),
      lines(
        rich`Категории: ${number(categories)}`,
        rich`Публикации: ${number(publications)}`,
        connections.length === 0
          ? rich`Площадки: пока не подключены`
          : rich`Площадки: ${connections.map(({ platform, identifier, status }) => rich`\n${statusIcon(status)} ${platformTitle(platform)} ${identifier}`)}`,
      ),
      upcoming,
    ),
    keyboard: [
      [
        button('Написать статью', to('pipeline:article:project:{pid}', { pid }), 'primary'),
        button('Опубликовать пост', to('pipeline:social:project:{pid}', { pid })),
      ],
      [
        button('Данные', to('project:{pid}:edit', { pid })),
        button('Категории', to('project:{pid}:categories', { pid })),
      ],
      [
        button('Подключения', to('project:{pid}:connections', { pid })),
        button('Расписание', to('project:{pid}:scheduler', { pid })),
      ],
      [
        button('Публикации', to('project:{pid}:publications', { pid })),
        button('Позиции', to('project:{pid}:ranks', { pid })),
      ],
      [
        button('Анализ сайта', to('project:{pid}:audit', { pid })),
        button('Голос компании', to('project:{pid}:voice', { pid })),
      ],
      [button('Удалить', to('project:{pid}:delete', { pid }), 'danger')],
      [backToProjects],
    ],
  };
}

const filled = (values: ProjectValues): number =>
  projectFields.filter((field) => values[field] !== null).length;

export function projectFieldsScreen(pid: number, values: ProjectValues, timezone: string): Screen {
  const buttons = projectFields.map((field) =>
    button(
      `${values[field] === null ? '' : '✓ '}${projectFieldTexts[field].label}`,
      to('project:{pid}:edit:{field}', { pid, field }),
    ),
  );
  return {
    text: paragraphs(
      rich`<b>Данные проекта</b>`,
      lines(...projectFields.map((field) => fieldLine(field, values[field]))),
      rich`Чтобы изменить поле, нажмите на него.`,
    ),
    keyboard: [
      ...inPairs(buttons),
      [button(`Пояс: ${zoneLabel(timezone)}`, to('project:{pid}:tz', { pid }))],
      [toProject(pid)],
    ],
  };
}

// Fifteen full values would not fit into one message.
const MOST_VALUE = 160;

function fieldLine(field: ProjectField, value: string | null): RichText {
  const characters = [...(value ?? '—')];
  const short =
    characters.length > MOST_VALUE ? `${characters.slice(0, MOST_VALUE).join('')}…` : characters.join('');
  return rich`${projectFieldTexts[field].label}: <b>${short}</b>`;
}

function inPairs(buttons: Button[]): Button[][] {
  const rows = Array.from({ length: Math.ceil(buttons.length / 2) }, (_, row) => row * 2);
  return rows.map((start) => buttons.slice(start, start + 2));
}

/** The eleven zones of Russia, from west to east. */
export const timezones = [
  { zone: 'Europe/Kaliningrad', label: 'Калининград (МСК−1)' },
  { zone: 'Europe/Moscow', label: 'Москва (МСК)' },
  { zone: 'Europe/Samara', label: 'Самара (МСК+1)' },
  { zone: 'Asia/Yekaterinburg', label: 'Екатеринбург (МСК+2)' },
  { zone: 'Asia/Omsk', label: 'Омск (МСК+3)' },
  { zone: 'Asia/Krasnoyarsk', label: 'Красноярск (МСК+4)' },
  { zone: 'Asia/Irkutsk', label: 'Иркутск (МСК+5)' },
  { zone: 'Asia/Yakutsk', label: 'Якутск (МСК+6)' },
  { zone: 'Asia/Vladivostok', label: 'Владивосток (МСК+7)' },
  { zone: 'Asia/Magadan', label: 'Магадан (МСК+8)' },
  { zone: 'Asia/Kamchatka', label: 'Камчатка (МСК+9)' },
] as const;

export const zoneLabel = (timezone: string): string =>
  timezones.find(({ zone }) => zone === timezone)?.label ?? timezone;

export function timezoneScreen(pid: number, current: string): Screen {
  return {
    text: paragraphs(
      rich`<b>Часовой пояс</b>`,
      rich`Сейчас: ${zoneLabel(current)}. По нему выходят публикации; настроенные расписания сдвинутся вместе с поясом.`,
    ),
    keyboard: [
      ...timezones.map(({ zone, label }, i) => [
        button(zone === current ? `✓ ${label}` : label, to('project:{pid}:tz:{i}', { pid, i })),
      ]),
      [button('Назад', to('project:{pid}:edit', { pid }))],
    ],
  };
}

export const timezoneNotice = (label: string): RichText => rich`Часовой пояс: ${label}.`;

export function deleteProjectScreen(pid: number, counts: DeletionCounts): Screen {
  return deletionScreen({
    question: rich`Удалить проект <b>${counts.name}</b>?`,
    head: rich`Вместе с ним исчезнут:`,
    losses: [
      [counts.categories, 'категория', 'категории', 'категорий'],
      [counts.phrases, 'ключевая фраза', 'ключевые фразы', 'ключевых фраз'],
      [counts.connections, 'подключение', 'подключения', 'подключений'],
      [counts.schedules, 'расписание', 'расписания', 'расписаний'],
      [counts.drafts, 'черновик', 'черновика', 'черновиков'],
    ],
    draftTokens: counts.draftTokens,
    confirm: (h) => to('project:{pid}:delete:confirm:{h}', { pid, h }),
    back: to('project:{pid}:card', { pid }),
  });
}

export const projectDeletedNotice = (name: string, refunded: number): RichText =>
  rich`Проект «${name}» удалён.${returnedText(refunded)}`;
