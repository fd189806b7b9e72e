import { momentInWords } from '../kit/calendar.ts';
import { to } from '../kit/link.ts';
import { button, lines, type Picture, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { type PlannedPlace, placeInWords } from './schedules.ts';

export type PlanTopic = { at: number; phrase: string | null; isChosen: boolean };

type Where = Pick<
  PlannedPlace,
  'categoryId' | 'categoryName' | 'connectionId' | 'platform' | 'place' | 'timeZone'
> & { scheduleId: number };

const MOST_OTHERS = 8;
const MINUTE = 60_000;

/** A slot on a button: minutes since 1970, which fit where milliseconds would not. */
const slotNumber = (at: number): number => Math.round(at / MINUTE);
export const slotMoment = (n: number): number => n * MINUTE;

/** The slots to come, with what each will be about. */
export function contentPlanScreen(
  where: Where,
  topics: readonly PlanTopic[],
  now: number,
  week: Picture | null,
): Screen {
  const { categoryId: cid, connectionId: nid, scheduleId: sid } = where;
  const hasTopics = topics.some(({ phrase }) => phrase !== null);
  return {
    ...(week && { photo: week }),
    text: paragraphs(
      rich`<b>План</b> · ${where.categoryName} → ${placeInWords(where)}`,
      hasTopics
        ? rich`Нажмите на публикацию, чтобы сменить фразу или перенести её.`
        : rich`Писать пока не о чем: подберите фразы.`,
    ),
    keyboard: [
      ...topics.map((topic) => [
        button(
          `${topic.isChosen ? '✓ ' : ''}${momentInWords(topic.at, now, where.timeZone)} · ${topic.phrase ?? 'не о чем писать'}`,
          to('plan:{sid}:{n}', { sid, n: slotNumber(topic.at) }),
        ),
      ]),
      ...(hasTopics ? [] : [[findPhrases(cid)]]),
      [button('К расписанию', to('sched:{cid}:{nid}:open', { cid, nid }))],
    ],
  };
}

/** One slot: its topic, and what it could be instead. */
export function planSlotScreen(
  where: Where,
  topic: PlanTopic,
  others: readonly { phrase: string; mark: string }[],
  now: number,
  hasNext: boolean,
): Screen {
  const { categoryId: cid, connectionId: nid, scheduleId: sid } = where;
  const n = slotNumber(topic.at);
  return {
    text: paragraphs(
      rich`<b>${momentInWords(topic.at, now, where.timeZone)}</b> · ${where.categoryName} → ${placeInWords(where)}`,
      lines(
        topic.phrase === null ? rich`Писать пока не о чем.` : rich`О чём: «${topic.phrase}».`,
        others.length > 0 && rich`О другом — нажмите на фразу:`,
      ),
    ),
    keyboard: [
      ...others
        .slice(0, MOST_OTHERS)
        .map(({ phrase, mark }, i) => [
          button(phrase, to('plan:{sid}:{n}:take:{i}:{h}', { sid, n, i, h: mark })),
        ]),
      ...(hasNext && topic.phrase !== null
        ? [[button('Перенести на следующий раз', to('plan:{sid}:{n}:later', { sid, n }))]]
        : []),
      ...(topic.phrase === null ? [[findPhrases(cid)]] : []),
      ...(topic.isChosen
        ? [[button('Вернуть автоматический выбор', to('plan:{sid}:{n}:auto', { sid, n }))]]
        : []),
      [button('К плану', to('sched:{cid}:{nid}:plan', { cid, nid }))],
    ],
  };
}

const findPhrases = (cid: number) => button('Подобрать фразы', to('kw:{cid}:gen', { cid }), 'primary');

export const planNotices = {
  taken: (phrase: string): RichText => rich`Теперь публикация о «${phrase}».`,
  later: rich`Фраза перенесена на следующую публикацию.`,
  auto: rich`Фразу снова выберет бот.`,
  changed: 'План изменился, посмотрите ещё раз',
};
