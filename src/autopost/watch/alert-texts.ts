import type { ChannelPlatform } from '../../platforms/platforms.ts';
import { number, plural } from '../../russian.ts';
import type { Condition, ConditionCase } from '../store/conditions.ts';
import { reasonInWords } from './alert-reasons.ts';

export type AlertKind =
  | 'dead'
  | 'expired'
  | 'unknown'
  | 'failing'
  | 'disabled'
  | 'paused'
  | 'cooling'
  | 'outage'
  | 'pull'
  | 'unpostable'
  | 'orphans';

type Text = {
  /** With its number. */
  headline(amount: number): string;
  /** What to do, as the operations of the command. */
  ways(condition: Condition): [what: string, command: string][];
  /** As the subject of «снова в порядке». */
  subject: string;
};

const posts = (amount: number) => plural(amount, 'пост', 'поста', 'постов');
const channels = (amount: number) => plural(amount, 'канал', 'канала', 'каналов');

/** The worst channel, up to the last one that was told: what is lost later is decided when it is told. */
const told = ({ cases: [first], newestAt }: Condition): string =>
  `--channel ${first?.id ?? ''}${newestAt ? ` --until ${newestAt.toISOString()}` : ''}`;

/** In the order in which they want attention. */
const texts: Readonly<Record<AlertKind, Text>> = {
  dead: {
    headline: (amount) => `Не доставлено после всех попыток: ${posts(amount)}.`,
    ways: () => [
      ['Что случилось', 'errors'],
      ['Отправить снова', 'requeue --status dead'],
    ],
    subject: 'новых недоставленных постов нет',
  },
  unknown: {
    headline: (amount) =>
      `Ответ площадки потерян, судьба ${plural(amount, 'поста', 'постов', 'постов')} неизвестна. Посмотрите в канал и решите.`,
    ways: (condition) => [
      ['Все такие', 'unknown'],
      ['Посты вышли', `settle --as sent ${told(condition)}`],
      ['Не вышли, отправить', `settle --as retry ${told(condition)}`],
      ['Не отправлять', `settle --as abandoned ${told(condition)}`],
    ],
    subject: 'судьба всех постов известна',
  },
  expired: {
    headline: (amount) => `Ждали слишком долго и уже не выйдут: ${posts(amount)}.`,
    ways: () => [
      ['Что случилось', 'errors'],
      ['Отправить всё же', 'requeue --status dead'],
    ],
    subject: 'просроченных постов больше нет',
  },
  failing: {
    headline: (amount) => `Отказов за последние 10 минут: ${number(amount)}.`,
    ways: () => [['Что случилось', 'errors']],
    subject: 'отказов больше нет',
  },
  disabled: {
    headline: (amount) => `Отключено после повторных отказов: ${channels(amount)}.`,
    ways: ({ cases: [first] }) => [
      ['Все каналы', 'channels'],
      ['Исправили — включить', `resume --channel ${first?.id ?? ''}`],
    ],
    subject: 'отключённых из-за отказов каналов нет',
  },
  paused: {
    headline: (amount) => `На паузе ${channels(amount)}.`,
    ways: ({ cases: [first] }) => [
      ['Все каналы', 'channels'],
      ['Снять паузу', `resume --channel ${first?.id ?? ''}`],
    ],
    subject: 'каналы сняты с паузы',
  },
  cooling: {
    headline: (amount) =>
      `Площадка надолго остановила отправку: ${plural(amount, 'группа каналов', 'группы каналов', 'групп каналов')}. Посты дождутся и уйдут сами.`,
    ways: ({ cases: [first] }) => [
      ['Все каналы', 'channels'],
      ['Не ждать', `resume-group --group ${first?.id ?? ''}`],
    ],
    subject: 'площадки больше не просят ждать',
  },
  outage: {
    headline: (amount) =>
      `Площадка не отвечает, посты ждут: ${plural(amount, 'группа каналов', 'группы каналов', 'групп каналов')}. Уйдут сами, когда она ответит.`,
    ways: ({ cases: [first] }) => [
      ['Что случилось', 'errors'],
      ['Попробовать сейчас', `resume-group --group ${first?.id ?? ''}`],
    ],
    subject: 'площадки отвечают',
  },
  pull: {
    headline: (amount) =>
      `Раз за разом не отвечает: ${plural(amount, 'источник', 'источника', 'источников')}.`,
    ways: () => [['Что случилось', 'sources']],
    subject: 'источники отвечают',
  },
  unpostable: {
    headline: (amount) =>
      `Источник принёс то, что опубликовать нельзя: ${plural(amount, 'запись', 'записи', 'записей')}.`,
    ways: () => [
      ['Что не так', 'errors --minutes 1440'],
      ['Источники', 'sources'],
    ],
    subject: 'все новые записи источников подходят',
  },
  orphans: {
    headline: (amount) =>
      `В журнале ${plural(amount, 'запись', 'записи', 'записей')} о том, чего нет в базе. Сообщите разработчику.`,
    ways: () => [['Последние ошибки', 'errors']],
    subject: 'журнал сходится с базой',
  },
};

export const alertKinds = Object.keys(texts) as AlertKind[];

const platforms: Readonly<Record<ChannelPlatform, string>> = { telegram: 'Telegram', max: 'MAX' };
const LONGEST_TITLE = 60;

export type News = { kind: AlertKind; condition: Condition } | { kind: AlertKind; condition: null };

/** All the news of one workspace: troubles first, then what is well again. */
export function alertText(workspace: { id: string; name: string }, news: readonly News[]): string {
  const troubles = news.flatMap(({ kind, condition }) => (condition ? [trouble(kind, condition)] : []));
  const ends = news.flatMap(({ kind, condition }) =>
    condition ? [] : [`✅ Снова в порядке: ${texts[kind].subject}.`],
  );
  const title = `${troubles.length > 0 ? '⚠️ ' : ''}Автопостинг «${workspace.name}» (${workspace.id})`;
  return [title, ...troubles, ...ends].join('\n\n');

  function trouble(kind: AlertKind, condition: Condition): string {
    const { headline, ways } = texts[kind];
    const shown = condition.cases.map(caseLine);
    const commands = ways(condition).map(
      ([what, command]) => `${what}:\nnpm run autopost -- ${command} --workspace ${workspace.id}`,
    );
    return [headline(condition.amount), ...shown, ...commands].join('\n');
  }
}

function caseLine({ id, title, platform, amount, waitMs, ...error }: ConditionCase): string {
  const name = title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE).toWellFormed()}…` : title;
  const reason = reasonInWords(error);
  return [
    `• «${name}»`,
    platform ? ` (${platforms[platform]})` : '',
    amount > 1 ? ` ×${number(amount)}` : '',
    reason ? ` — ${reason}` : '',
    waitMs === undefined ? '' : `, ждать ещё ${waitInWords(waitMs)}`,
  ].join('');
}

function waitInWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 120) return plural(minutes, 'минуту', 'минуты', 'минут');
  const hours = Math.round(minutes / 60);
  if (hours < 48) return plural(hours, 'час', 'часа', 'часов');
  return plural(Math.round(hours / 24), 'день', 'дня', 'дней');
}
