import { takesArticles } from '../../platforms/platforms.ts';
import { ofTokens, plural, tokens, tokensCharged, tokensReturned } from '../../russian.ts';
import { momentInWords } from '../kit/calendar.ts';
import { to } from '../kit/link.ts';
import {
  type Button,
  button,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { type PlannedPlace, placeInWords } from './schedules.ts';

/** Reports of scheduled runs. */

type NewsPlace = Pick<
  PlannedPlace,
  'categoryId' | 'categoryName' | 'connectionId' | 'platform' | 'place' | 'timeZone'
>;

export type RunNews =
  | {
      kind: 'published' | 'waiting' | 'unknown';
      title: string;
      phrase: string;
      spent: number;
      /** Null: not known, or not there yet. */
      url: string | null;
      left: number | null;
      draftId: number | null;
      /** Where its owner can look whether it is there. */
      placeUrl: string | null;
      images: number;
      imagesWanted: number;
      /** What the platform did not take. */
      warnings?: readonly string[];
      reused: boolean;
      few: boolean;
    }
  | {
      kind: 'skipped';
      reason: 'no_keywords' | 'no_available_keyword' | 'connection_inactive';
      /** E55: it has switched the schedule off. */
      isStopped: boolean;
    }
  | { kind: 'no-tokens'; needed: number; balance: number }
  | { kind: 'missed'; at: number; now: number }
  | {
      kind: 'failed';
      reason: 'content_validation_failed' | 'generation_failed' | 'ai_service_unavailable' | 'publish_failed';
      phrase: string;
      why: string;
      refunded: number;
      isStopped: boolean;
      isAgainInAnHour: boolean;
    };

/** `isRepeat`: the person may have it already, from before a crash. */
export function runNewsScreen(where: NewsPlace, news: RunNews, { isRepeat = false } = {}): Screen {
  const screen = newsScreen(where, news);
  return isRepeat
    ? {
        ...screen,
        text: paragraphs(screen.text, rich`<i>Повторяю на всякий случай: бот перезапускался.</i>`),
      }
    : screen;
}

function newsScreen(where: NewsPlace, news: RunNews): Screen {
  const { categoryId: cid, connectionId: nid } = where;
  const place = `${where.categoryName} → ${placeInWords(where)}`;
  const toSchedule = button('К расписанию', to('sched:{cid}:{nid}:open', { cid, nid }));
  const toCategory = button('К категории', to('category:{cid}:card', { cid }));
  const findPhrases = button('Подобрать фразы', to('kw:{cid}:gen', { cid }), 'primary');
  const draft = draftLinks(where, 'draftId' in news ? (news.draftId ?? 0) : 0);
  switch (news.kind) {
    case 'published':
      return {
        text: paragraphs(
          rich`<b>Опубликовано по расписанию</b> · ${place}`,
          lines(rich`«${news.title}»`, news.url !== null && rich`${news.url}`),
          lines(
            rich`${tokensCharged(news.spent)}.`,
            news.left !== null && rich`На балансе: ${tokens(news.left)}.`,
          ),
          ...notes(news),
        ),
        keyboard: rows(
          news.url !== null && urlButton('Открыть', news.url),
          (news.reused || news.few) && button('Подобрать фразы', to('kw:{cid}:gen', { cid })),
          toCategory,
        ),
      };
    case 'waiting':
      return {
        text: paragraphs(
          rich`<b>Черновик готов</b> · ${place}`,
          rich`«${news.title}»`,
          rich`По расписанию он выходит через час, но только после вашего «Опубликовать». Без него черновик подождёт сутки, потом на баланс вернётся ${tokens(news.spent)}.`,
          ...notes(news),
        ),
        keyboard: rows(
          button('Посмотреть и опубликовать', draft.open, 'primary'),
          button('Пропустить', draft.refund),
          toSchedule,
        ),
      };
    case 'unknown':
      return {
        text: paragraphs(
          rich`<b>Ответ потерялся: ${draft.words.mayBeOut}</b> · ${place}`,
          rich`«${news.title}». ${draft.words.look}`,
        ),
        keyboard: rows(
          news.placeUrl !== null && urlButton(draft.words.openPlace, news.placeUrl),
          button(draft.words.isThere, draft.arrived, 'success'),
          button(draft.words.again, draft.again),
          button(draft.words.refund, draft.refund),
          toSchedule,
        ),
      };
    case 'no-tokens':
      return {
        text: paragraphs(
          rich`<b>Расписание на паузе</b> · ${place}`,
          rich`Не хватило токенов: нужно до ${ofTokens(news.needed)}, на балансе ${tokens(news.balance)}. Пополните баланс и включите расписание снова.`,
        ),
        keyboard: rows(button('Пополнить', to('nav:tariffs'), 'primary'), toSchedule),
      };
    case 'missed':
      return {
        text: paragraphs(
          rich`<b>Публикация пропущена</b> · ${place}`,
          rich`Бот был недоступен, когда подошло время (${momentInWords(news.at, news.now, where.timeZone)}). Следующая выйдет по расписанию.`,
        ),
        keyboard: rows(
          button('Опубликовать сейчас', to('category:{cid}:conn:{nid}:publish', { cid, nid })),
          toSchedule,
        ),
      };
    case 'skipped':
      return {
        text: news.isStopped
          ? paragraphs(rich`<b>Расписание остановлено</b> · ${place}`, stoppedText)
          : paragraphs(rich`<b>Публикация пропущена</b> · ${place}`, skipText[news.reason]),
        keyboard:
          news.reason === 'connection_inactive'
            ? rows(button('Проверить', to('conn:{nid}:check', { nid }), 'primary'), toSchedule)
            : rows(findPhrases, toSchedule),
      };
    case 'failed':
      return failedScreen(place, where, news, toSchedule, toCategory);
  }
}

/** Articles and posts wait on pages of their own, and have words of their own. */
function draftLinks({ platform }: NewsPlace, n: number) {
  if (takesArticles(platform))
    return {
      open: to('draft:{n}:open', { n }),
      refund: to('draft:{n}:cancel', { n }),
      arrived: to('draft:{n}:arrived', { n }),
      again: to('draft:{n}:open', { n }),
      words: {
        mayBeOut: 'статья могла выйти',
        look: 'Посмотрите, там ли она, и скажите. Если не скажете ничего, через 72 часа будем считать её опубликованной.',
        openPlace: 'Открыть сайт',
        isThere: 'Она там',
        again: 'Её нет — отправить ещё раз',
        refund: 'Её нет — вернуть токены',
      },
    };
  return {
    open: to('post:{n}:open', { n }),
    refund: to('post:{n}:refund', { n }),
    arrived: to('post:{n}:arrived', { n }),
    again: to('post:{n}:again', { n }),
    words: {
      mayBeOut: 'пост мог выйти',
      look: 'Посмотрите, там ли он, и скажите. Если не скажете ничего, через 72 часа будем считать его опубликованным.',
      openPlace: 'Открыть канал',
      isThere: 'Он там',
      again: 'Его нет — отправить ещё раз',
      refund: 'Его нет — вернуть токены',
    },
  };
}

const skipText = {
  no_keywords: rich`В категории нет ключевых фраз, писать не о чем. Расписание осталось включённым.`,
  no_available_keyword: rich`Фраз, подходящих для статьи, в категории нет: нужны информационные. Расписание осталось включённым.`,
  connection_inactive: rich`Подключение не работает. Проверьте его: пока оно не заработает, публикации пропускаются. Токены не списаны.`,
};

const stoppedText = rich`Подключение не работает уже третью публикацию подряд. Проверьте его и включите расписание снова. Токены не списаны.`;

function failedScreen(
  place: string,
  { categoryId: cid, connectionId: nid }: NewsPlace,
  news: Extract<RunNews, { kind: 'failed' }>,
  toSchedule: Button,
  toCategory: Button,
): Screen {
  const returned = news.refunded > 0 ? rich`${tokensReturned(news.refunded)}.` : rich`Токены не списаны.`;
  const check = button('Проверить', to('conn:{nid}:check', { nid }), 'primary');
  if (news.isAgainInAnHour)
    return {
      text: paragraphs(
        rich`<b>Публикация отложена на час</b> · ${place}`,
        lines(rich`Нейросеть сейчас не отвечает, попробуем ещё раз через час.`, returned),
      ),
      keyboard: rows(toSchedule),
    };
  if (news.reason === 'publish_failed')
    return {
      text: paragraphs(
        rich`<b>${news.isStopped ? 'Расписание остановлено' : 'Не опубликовано'}</b> · ${place}`,
        lines(rich`«${news.phrase}». ${news.why}`, returned),
        news.isStopped && rich`Это третья неудача подряд. Проверьте подключение и включите расписание снова.`,
      ),
      keyboard: rows(check, toSchedule),
    };
  return {
    text: paragraphs(
      rich`<b>Не опубликовано</b> · ${place}`,
      lines(
        news.reason === 'content_validation_failed'
          ? rich`«${news.phrase}»: текст не прошёл проверку качества.`
          : rich`«${news.phrase}». ${news.why}`,
        returned,
      ),
    ),
    keyboard: rows(
      button('Опубликовать вручную', to('category:{cid}:conn:{nid}:publish', { cid, nid })),
      toCategory,
    ),
  };
}

function notes(news: Extract<RunNews, { kind: 'published' | 'waiting' | 'unknown' }>): RichText[] {
  const missing = news.imagesWanted - news.images;
  return [
    ...(missing > 0
      ? [
          rich`Не получилось нарисовать ${plural(missing, 'картинку', 'картинки', 'картинок')} из ${news.imagesWanted}: токены за них вернулись.`,
        ]
      : []),
    ...(news.warnings ?? []).map((warning) => rich`${warning}`),
    ...(news.reused
      ? [rich`Фраза «${news.phrase}» использована повторно: новых не осталось. Подберите ещё фразы.`]
      : news.few
        ? [rich`Фраз осталось мало: подберите ещё, чтобы тексты не повторялись.`]
        : []),
  ];
}

const rows = (...buttons: (Button | false)[]): Button[][] => [
  ...buttons.filter((each) => each !== false).map((each) => [each]),
  [menuButton],
];
