import {
  type CrossOutcome,
  type CrossSlice,
  type CrossTarget,
  type CrossWork,
  servedOf,
} from '../../../machines/fragments/cross-post.ts';
import { platformTitle } from '../../platforms/platforms.ts';
import { number, plural, tokens } from '../../russian.ts';
import { press, tick } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { passingTrouble } from '../kit/money.ts';
import { workingOnIt } from '../kit/save-step.ts';
import { button, lines, paragraphs, type Redirect, type RichText, rich, type Screen } from '../kit/screen.ts';
import { lostAnswerText, openPlace, type PostData, postAsShown } from './post-work.ts';
import { endedBehind } from './readiness.ts';

type Show = (slice: CrossSlice, data?: PostData) => Screen;

const stop = button('Закончить', to('fsm:cancel'));
const skip = button('Пропустить', to('pipe:cross:skip'));
const topUp = button('Пополнить', to('nav:tariffs'));

/** A published post on its way to the project's other channels (E52). */
export const crossPostScreens = {
  cross_post_planning: () => workingOnIt(rich`Смотрю, куда ещё может выйти этот пост…`),
  cross_post_targets: (slice) => targetsScreen(slice),
  cross_post_adapting: ({ cross, late }) => ({
    text: paragraphs(
      rich`<b>Адаптирую пост</b> · ${titled(servedOf(cross)!)}${counted(cross)}`,
      late
        ? rich`Дольше обычного: внешние сервисы отвечают медленно. Ждать в чате не обязательно.`
        : rich`Обычно это до полуминуты.${servedOf(cross)!.picture ? ' Картинка останется та же.' : ''}`,
    ),
    keyboard: [],
  }),
  cross_post_review: ({ cross, failure }, data) => {
    const target = servedOf(cross)!;
    const about = rich`<i>Так пост выйдет: ${titled(target)}${counted(cross)}. Чтобы поправить его, пришлите свой текст целиком.</i>`;
    return {
      ...postAsShown(target, cross.draft!, failure, data, { about, short: null }),
      keyboard: [
        [button(`Опубликовать в ${platformTitle(target.platform)}`, to('pipe:cross:publish'), 'success')],
        [skip],
        [button('Закончить — вернуть токены', to('fsm:cancel'), 'danger')],
      ],
    };
  },
  cross_post_saving: () => workingOnIt(rich`Сохраняю текст…`),
  cross_post_publishing: ({ cross, late }) => ({
    text: paragraphs(
      rich`<b>Публикую</b> · ${titled(servedOf(cross)!)}`,
      late
        ? rich`Дольше обычного: площадка отвечает медленно. Ждать в чате не обязательно.`
        : rich`Обычно это несколько секунд.`,
    ),
    keyboard: [],
  }),
  cross_post_refunding: () => workingOnIt(rich`Возвращаю токены…`),
  cross_post_failed: ({ cross, failure }) => ({
    text: paragraphs(
      rich`<b>Не вышло:</b> ${titled(servedOf(cross)!)}`,
      failure && passingTrouble(failure),
      rich`Исходный пост на месте. Повторить?`,
    ),
    keyboard: [
      ...(failure?.code === 'OUT_OF_TOKENS' ? [[topUp]] : []),
      [button(`Повторить (${cross.price})`, to('fsm:retry'), 'primary')],
      [skip, stop],
    ],
  }),
  cross_post_unknown: ({ cross, failure }) => {
    const { place, placeUrl } = servedOf(cross)!;
    return {
      text: paragraphs(failure && rich`⚠ ${passingTrouble(failure)}`, lostAnswerText(place, cross.doubt)),
      keyboard: [
        ...openPlace(placeUrl),
        [button('Он там', to('pipe:cross:arrived'), 'success')],
        [button('Его нет — отправить ещё раз', to('pipe:cross:publish'))],
        [button('Его нет — вернуть токены', to('pipe:cross:missed'), 'danger')],
        [button('Решу позже', to('pipe:cross:skip'))],
      ],
    };
  },
  cross_post_confirming: () => workingOnIt(rich`Отмечаю пост опубликованным…`),
  cross_post_returning: () => workingOnIt(rich`Возвращаю токены…`),
} satisfies Record<string, Show>;

export const crossPresses = [
  tick('pipe:cross:{nid}:{k}', ({ nid, k }) => ({
    ...({ type: 'target.marked' } as const),
    ...{ connectionId: nid, wanted: k === 1 },
  })),
  press('pipe:cross:go', () => ({ type: 'targets.accepted' }) as const),
  press('pipe:cross:publish', () => ({ type: 'draft.approved' }) as const),
  press('pipe:cross:skip', () => ({ type: 'target.skipped' }) as const),
  press('pipe:cross:arrived', () => ({ type: 'post.seen' }) as const),
  press('pipe:cross:missed', () => ({ type: 'post.missed' }) as const),
];

/** For a person who has left meanwhile. */
export const crossBehind = {
  cross_post_review: ({ cross }: CrossSlice) =>
    endedBehind(
      rich`<b>Пост готов</b> · ${titled(servedOf(cross)!)}`,
      rich`Посмотрите и решите, публиковать ли его.`,
    ),
  cross_post_failed: ({ cross, failure }: CrossSlice) =>
    endedBehind(rich`Не вышло: ${titled(servedOf(cross)!)}.`, failure && passingTrouble(failure)),
  cross_post_unknown: ({ cross }: CrossSlice) =>
    endedBehind(
      rich`Ответ потерялся: пост мог выйти · ${titled(servedOf(cross)!)}`,
      cross.doubt === null ? null : rich`${cross.doubt}`,
    ),
};

export const crossRemains = {
  cross_post_adapting: ({ cross }: CrossSlice) =>
    rich`Пост для ${titled(servedOf(cross)!)} готовится дальше и придёт сюда. Если не получится, токены вернутся сами.`,
  cross_post_publishing: ({ cross }: CrossSlice) =>
    rich`Пост публикуется: ${titled(servedOf(cross)!)}. Результат придёт сюда, остановить это уже нельзя.`,
};

/** Back to the post it began with, and what became of each channel. */
export function crossPostedEnd({ publicationId, targets, chosen, outcomes }: CrossWork): Redirect {
  const open = to('publication:{n}:result', { n: publicationId! });
  const told = outcomes.map((outcome) => outcomeLine(outcome, targets));
  const untouched = chosen.length - outcomes.length;
  return {
    open,
    notice:
      told.length === 0
        ? rich`Хорошо, пост остаётся там, где вышел.`
        : lines(
            ...told,
            untouched > 0 && rich`Остальные (${untouched}) не тронуты, за них ничего не списано.`,
          ),
  };
}

function outcomeLine(
  { connectionId, outcome, url }: CrossOutcome,
  targets: readonly CrossTarget[],
): RichText {
  const target = targets.find((each) => each.connectionId === connectionId)!;
  const words = {
    sent: rich`вышел${url !== null && ` — ${url}`}`,
    skipped: rich`пропущен, токены вернулись`,
    failed: rich`не вышел, токены вернулись`,
    unknown: rich`ответ потерялся, пост ждёт вашего решения 72 часа`,
  };
  return rich`${titled(target)}: ${words[outcome]}`;
}

function targetsScreen({ cross, balance = 0, failure }: CrossSlice): Screen {
  const { targets, chosen, price } = cross;
  const sum = chosen.length * price;
  const isShort = balance < sum;
  return {
    text: paragraphs(
      failure && rich`⚠ ${passingTrouble(failure)}`,
      rich`<b>Кросс-пост</b>`,
      rich`Куда ещё отправить этот пост? Текст будет переписан под каждую площадку${keepsPicture(targets)}. Перед публикацией вы увидите каждый.`,
      lines(
        rich`Цена: ${tokens(price)} за канал${chosen.length > 0 && `, всего ${tokens(sum)}`}. Списывается по одному, когда очередь дойдёт до канала.`,
        rich`На балансе: ${tokens(balance)}.${isShort && ` Не хватает ${number(sum - balance)}.`}`,
      ),
    ),
    keyboard: [
      ...targets.map((target) => {
        const isOn = chosen.includes(target.connectionId);
        const label = `${isOn ? '☑' : '☐'} ${platformTitle(target.platform)}: ${target.place}`;
        return [
          button(shortened(label), to('pipe:cross:{nid}:{k}', { nid: target.connectionId, k: isOn ? 0 : 1 })),
        ];
      }),
      ...(chosen.length > 0
        ? [
            [
              button(
                `Адаптировать: ${plural(chosen.length, 'канал', 'канала', 'каналов')} (${sum})`,
                to('pipe:cross:go'),
                'success',
              ),
            ],
          ]
        : []),
      ...(isShort ? [[topUp]] : []),
      [button('Отмена', to('fsm:cancel'))],
    ],
  };
}

function keepsPicture(targets: readonly CrossTarget[]): string {
  const bare = targets.filter(({ picture }) => !picture);
  if (bare.length === targets.length) return '';
  return bare.length === 0
    ? ', картинка останется'
    : `, картинка останется везде, кроме ${bare.map(({ place }) => `«${place}»`).join(', ')}: там ключ доступа их не пускает`;
}

const MOST_LABEL = 60;
const shortened = (label: string): string =>
  [...label].length <= MOST_LABEL ? label : `${[...label].slice(0, MOST_LABEL - 1).join('')}…`;

const titled = ({ platform, place }: CrossTarget): RichText => rich`${platformTitle(platform)} · ${place}`;

const counted = ({ chosen, outcomes }: CrossWork): string =>
  chosen.length > 1 ? ` (${outcomes.length + 1}/${chosen.length})` : '';
