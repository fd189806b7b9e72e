import type { Weekday } from '../../../machines/week.ts';
import { type Platform, platformTitle, takesArticles } from '../../platforms/platforms.ts';
import { capitalised, date, number, ofTokens, plural, tokens } from '../../russian.ts';
import { presets } from '../fragments/automation-offer.ts';
import { daysInWords, momentInWords, waitInWords } from '../kit/calendar.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { toProject, zoneLabel } from './projects.ts';

/** A category and a connection of its project, with what is planned there. */
export type PlannedPlace = {
  projectId: number;
  projectName: string;
  timeZone: string;
  categoryId: number;
  categoryName: string;
  connectionId: number;
  platform: Platform;
  place: string;
  connectionStatus: 'active' | 'error' | 'disconnected';
  /** Of one publication, at most. */
  price: number;
  phrases: number;
  /** Clusters that an article can be about. */
  articleTopics: number;
  schedule: PlannedSchedule | null;
};

export type PlannedSchedule = {
  id: number;
  days: Weekday[];
  times: string[];
  isOn: boolean;
  status: 'active' | 'error';
  asksFirst: boolean;
  pausedFor: 'tokens' | null;
  lastPostAt: Date | null;
  /** Unix ms; null while it is off. */
  next: number | null;
};

/** What every page is drawn from: the places, what is on the person's balance, and the time. */
export type Planning = { places: PlannedPlace[]; balance: number; isAdmin: boolean; now: number };

/** So few that texts begin to repeat themselves (E23). */
const ENOUGH_TOPICS = 3;

const weeklyCost = ({ price, schedule }: PlannedPlace): number =>
  schedule ? price * schedule.days.length * schedule.times.length : 0;

const isRunning = ({ schedule }: PlannedPlace): boolean => schedule?.isOn === true;

/** A month is 30 days. */
const costText = (weekly: number): RichText =>
  rich`Расход: до ${ofTokens(weekly)} в неделю, до ${number(Math.round((weekly * 30) / 7))} в месяц.`;

function nearest(places: readonly PlannedPlace[]): (PlannedPlace & { next: number }) | null {
  const coming = places.flatMap((place) =>
    place.schedule?.next == null ? [] : [{ ...place, next: place.schedule.next }],
  );
  return coming.toSorted((one, other) => one.next - other.next)[0] ?? null;
}

/** For the card of a project: what comes out next by itself. Null where nothing is planned. */
export function nextPublicationText(places: readonly PlannedPlace[], now: number): RichText | null {
  const place = nearest(places);
  return (
    place &&
    rich`Ближайшая публикация: ${momentInWords(place.next, now, place.timeZone)} — «${place.categoryName}» → ${placeInWords(place)}`
  );
}

/** For the card of a category: what is planned where, and what it costs. Null where there are no schedules. */
export function plansText(places: readonly PlannedPlace[], now: number): RichText | null {
  const planned = places.filter(({ schedule }) => schedule !== null && schedule.times.length > 0);
  if (planned.length === 0) return null;
  const weekly = weeklySum(planned);
  return lines(
    rich`Расписание:`,
    ...planned.map((place) => rich`• ${placeInWords(place)}: ${stateInWords(place, now)}`),
    weekly > 0 && costText(weekly),
  );
}

/** Only schedules that are on spend anything. */
const weeklySum = (places: readonly PlannedPlace[]): number =>
  places.filter(isRunning).reduce((sum, place) => sum + weeklyCost(place), 0);

/** SC1: all categories of a project. */
export function projectScheduleScreen(
  { projectId: pid, projectName }: { projectId: number; projectName: string },
  { places, balance, isAdmin, now }: Planning,
  categories: Page<{ id: number; name: string }>,
): Screen {
  const running = places.filter(isRunning);
  const next = nearest(running);
  const weekly = weeklySum(running);
  return {
    text: paragraphs(
      rich`<b>Расписание</b> · ${projectName}`,
      running.length === 0
        ? rich`Пока ничего не запланировано. Выберите категорию, и бот будет публиковать сам: в выбранные дни и часы.`
        : lines(
            next && rich`Ближайшая публикация: ${placeInWords(next)}, ${waitInWords(next.next, now)}.`,
            costText(weekly),
            !isAdmin && lastsText(balance, weekly, 'этому проекту'),
          ),
    ),
    keyboard: [
      ...(places.some(({ schedule }) => schedule?.pausedFor === 'tokens')
        ? [[button('Возобновить приостановленные', to('schedules:resume'), 'primary')]]
        : []),
      ...categories.items.map(({ id, name }) => [
        button(
          `${places.some((each) => each.categoryId === id && isRunning(each)) ? '✓ ' : ''}${name}`,
          to('sched:cat:{cid}', { cid: id }),
        ),
      ]),
      ...pagerRows(categories, (n) => to('page:sched:{pid}:{n}', { pid, n })),
      [toProject(pid)],
    ],
  };
}

/** SC2: where texts of a category can go. */
export function categoryScheduleScreen(
  { projectId: pid, categoryName }: { projectId: number; categoryName: string },
  { places, now }: Planning,
): Screen {
  return {
    text: paragraphs(
      rich`<b>Расписание</b> · ${categoryName}`,
      lines(...places.map((place) => rich`• ${placeInWords(place)}: ${stateInWords(place, now)}`)),
      rich`Куда публиковать по расписанию?`,
    ),
    keyboard: [
      ...places.map((place) => [
        button(
          `${isRunning(place) ? '✓ ' : ''}${placeInWords(place)}`,
          to('sched:{cid}:{nid}:open', { cid: place.categoryId, nid: place.connectionId }),
        ),
      ]),
      [button('К категориям', to('project:{pid}:scheduler', { pid }))],
    ],
  };
}

/** SC3: one schedule. */
export function scheduleScreen(place: PlannedPlace, planning: Omit<Planning, 'places'>): Screen {
  const { categoryId: cid, connectionId: nid, schedule } = place;
  return {
    text: paragraphs(
      rich`<b>Расписание</b> · ${place.categoryName} → ${placeInWords(place)}`,
      currentText(place, planning),
      schedule?.asksFirst
        ? rich`Черновик приходит сюда за час до срока и ждёт вашего «Опубликовать».`
        : rich`Публикации по расписанию выходят сразу, без предпросмотра.`,
      ...warnings(place, planning),
      rich`Одна публикация — до ${ofTokens(place.price)}. Часовой пояс: ${zoneLabel(place.timeZone)}.`,
    ),
    keyboard: [
      ...presets.map(({ code, label }) => [
        button(
          label,
          to('sched:{cid}:{nid}:preset:{code}', { cid, nid, code }),
          code === '3w' && !schedule?.isOn ? 'success' : undefined,
        ),
      ]),
      ...(schedule?.isOn
        ? [[button('План: о чём будут публикации', to('sched:{cid}:{nid}:plan', { cid, nid }))]]
        : []),
      [button('Выбрать дни и часы', to('sched:{cid}:{nid}:manual', { cid, nid }))],
      ...(schedule ? controls(schedule) : []),
      [button('Назад', to('sched:cat:{cid}', { cid }))],
    ],
  };
}

const controls = ({ id: sid, isOn, asksFirst }: PlannedSchedule) => [
  [
    asksFirst
      ? button('Публиковать сразу', to('schedule:{sid}:direct', { sid }))
      : button('Сначала показывать мне', to('schedule:{sid}:asks', { sid })),
  ],
  [
    isOn
      ? button('Выключить', to('schedule:{sid}:off', { sid }))
      : button('Включить', to('schedule:{sid}:on', { sid }), 'primary'),
    button('Удалить', to('schedule:{sid}:delete', { sid }), 'danger'),
  ],
];

/** SC7: it runs now. */
export function scheduleSavedScreen(
  place: PlannedPlace,
  { balance, isAdmin, now }: Omit<Planning, 'places'>,
): Screen {
  const { categoryId: cid, connectionId: nid, schedule, timeZone } = place;
  const weekly = weeklyCost(place);
  return {
    text: paragraphs(
      rich`<b>Расписание включено</b> · ${place.categoryName} → ${placeInWords(place)}`,
      lines(
        rich`${capitalised(slotsInWords(schedule!))}. Часовой пояс: ${zoneLabel(timeZone)}.`,
        schedule!.next !== null && rich`Первая публикация: ${momentInWords(schedule!.next, now, timeZone)}.`,
        costText(weekly),
        !isAdmin && lastsText(balance, weekly, 'этому расписанию'),
      ),
    ),
    keyboard: [
      [button('Изменить', to('sched:{cid}:{nid}:open', { cid, nid }))],
      [button('К расписанию', to('sched:cat:{cid}', { cid }))],
      [menuButton],
    ],
  };
}

export function deleteScheduleScreen(place: PlannedPlace & { schedule: PlannedSchedule }): Screen {
  const { categoryId: cid, connectionId: nid, schedule } = place;
  return deletionScreen({
    question: rich`Удалить расписание <b>${place.categoryName} → ${placeInWords(place)}</b>?`,
    head: rich`Больше не будут выходить:`,
    losses: [
      [
        schedule.days.length * schedule.times.length,
        'публикация в неделю',
        'публикации в неделю',
        'публикаций в неделю',
      ],
    ],
    draftTokens: 0,
    what: [schedule.id, schedule.days, schedule.times],
    confirm: (h) => to('schedule:{sid}:delete:yes:{h}', { sid: schedule.id, h }),
    back: to('sched:{cid}:{nid}:open', { cid, nid }),
  });
}

export const scheduleNotices = {
  off: rich`Расписание выключено. Дни и часы сохранены.`,
  on: rich`Расписание включено.`,
  deleted: rich`Расписание удалено.`,
  asksFirst: rich`Теперь черновики сначала приходят вам.`,
  direct: rich`Теперь публикации выходят сразу.`,
  resumed: ({ on, left }: { on: number; left: number }): RichText => {
    if (on + left === 0) return rich`Приостановленных расписаний нет.`;
    const done = plural(
      on,
      'расписание снова включено',
      'расписания снова включены',
      'расписаний снова включены',
    );
    return left === 0
      ? rich`${capitalised(done)}.`
      : rich`Планировщик сейчас не отвечает. Снова включены: ${on} из ${on + left}. Попробуйте ещё раз через пару минут.`;
  },
};

export const placeInWords = ({ platform, place }: Pick<PlannedPlace, 'platform' | 'place'>): string =>
  `${platformTitle(platform)} ${place}`;

const slotsInWords = ({ days, times }: Pick<PlannedSchedule, 'days' | 'times'>): string =>
  `${daysInWords(days)} в ${times.join(', ')}`;

function stateInWords({ schedule, timeZone }: PlannedPlace, now: number): string {
  if (!schedule || schedule.times.length === 0) return 'нет';
  if (schedule.status === 'error') return `остановлено из-за ошибок (${slotsInWords(schedule)})`;
  if (schedule.pausedFor === 'tokens') return `на паузе: не хватило токенов (${slotsInWords(schedule)})`;
  if (!schedule.isOn) return `выключено (${slotsInWords(schedule)})`;
  return schedule.next === null
    ? slotsInWords(schedule)
    : `${slotsInWords(schedule)}; следующая ${momentInWords(schedule.next, now, timeZone)}`;
}

function currentText(place: PlannedPlace, { now }: Pick<Planning, 'now'>): RichText {
  const { schedule, timeZone } = place;
  if (!schedule || schedule.times.length === 0)
    return rich`Расписания пока нет. Выберите готовое или назначьте дни и часы сами.`;
  return lines(
    rich`Сейчас: ${stateInWords(place, now)}.`,
    schedule.lastPostAt && rich`Последняя публикация: ${date(schedule.lastPostAt, timeZone)}.`,
    schedule.isOn && costText(weeklyCost(place)),
  );
}

function warnings(
  place: PlannedPlace,
  { balance, isAdmin }: Pick<Planning, 'balance' | 'isAdmin'>,
): RichText[] {
  const isArticle = takesArticles(place.platform);
  const weekly = weeklyCost(place);
  return [
    ...(place.connectionStatus === 'active'
      ? []
      : [rich`⚠️ Подключение сейчас не работает: проверьте его, иначе публикации не выйдут.`]),
    ...(place.phrases === 0
      ? [rich`⚠️ В категории нет ключевых фраз: публикации будут пропускаться, пока их не подобрать.`]
      : isArticle && place.articleTopics < ENOUGH_TOPICS
        ? [
            place.articleTopics === 0
              ? rich`⚠️ Фраз для статей нет: нужны информационные. Публикации будут пропускаться, пока их не подобрать.`
              : rich`⚠️ Фраз для статей мало (${place.articleTopics}): тексты начнут повторяться. Подберите ещё фразы.`,
          ]
        : []),
    ...(!isAdmin && weekly > balance
      ? [rich`⚠️ Токенов не хватит на неделю: нужно до ${ofTokens(weekly)}, на балансе ${tokens(balance)}.`]
      : []),
  ];
}

/** Of one balance live all projects of a person: it is said whose spending was counted. */
function lastsText(
  balance: number,
  weekly: number,
  whom: 'этому проекту' | 'этому расписанию',
): RichText | false {
  if (weekly === 0) return false;
  const weeks = Math.floor(balance / weekly);
  return weeks < 1
    ? rich`На балансе ${tokens(balance)}: ${whom} на неделю не хватит.`
    : rich`На балансе ${tokens(balance)}: ${whom} хватит примерно на ${plural(weeks, 'неделю', 'недели', 'недель')}.`;
}
