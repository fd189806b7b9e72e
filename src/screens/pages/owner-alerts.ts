import { number, plural } from '../../russian.ts';

/** Of which the owner is told without asking. */
export type OwnerCondition = 'unknown' | 'lag' | 'silent' | 'queue' | 'texts' | 'pictures' | 'disk';

/** Without the mark in front of their names: these stand inside a sentence. */
const serviceNames: Readonly<Record<string, string>> = {
  database: 'База данных',
  redis: 'Redis',
  openrouter: 'OpenRouter (модели)',
  qstash: 'Планировщик',
};
const nameOf = (service: string): string => serviceNames[service] ?? service;

const meaning: Readonly<Record<string, string>> = {
  database: 'Бот ничего не может сохранить: людям отвечает, что работа продолжится позже.',
  redis: 'Диалоги стоят: людям отвечает, что работа продолжится позже.',
  openrouter: 'Новые тексты и картинки не пишутся, токены за них возвращаются.',
  qstash: 'Публикации по расписанию могут не начаться вовремя.',
};

const minutesOf = (count: number): string => plural(Math.max(1, count), 'минуту', 'минуты', 'минут');

export const outageTexts = {
  away: (service: string, minutes: number): string =>
    [
      `🔴 ${nameOf(service)} не отвечает${minutes >= 1 ? ` уже ${minutesOf(minutes)}` : ''}.`,
      meaning[service],
    ]
      .filter(Boolean)
      .join('\n'),
  back: (service: string, minutes: number): string =>
    `🟢 ${nameOf(service)}: снова отвечает. Перерыв длился ${minutesOf(minutes)}.`,
};

export const repeatedAlert = (text: string): string =>
  `${text}\nПовторяю на всякий случай: бот перезапускался.`;

type Texts = { grave(amount: number, of: string): string; over(of: string): string };

export const ownerAlerts: Readonly<Record<OwnerCondition, Texts>> = {
  unknown: {
    grave: (amount) =>
      `🟠 Ответ площадки потерялся, неизвестен исход ${plural(amount, 'публикации', 'публикаций', 'публикаций')}. Людей бот уже спросил; если публикаций много, посмотрите в [Мониторинг], не сбоит ли площадка.`,
    over: () => '🟢 Публикаций с неизвестным исходом больше нет.',
  },
  lag: {
    grave: (seconds) =>
      `🟠 Расписания опаздывают на ${minutesOf(Math.round(seconds / 60))}. Возможно, не хватает процессов или их очередь забита.`,
    over: () => '🟢 Расписания снова идут вовремя.',
  },
  silent: {
    grave: (amount) =>
      `🟠 Планировщик не вызвал вовремя ${plural(amount, 'расписание', 'расписания', 'расписаний')}: публикации не начались. Если подключён QStash, проверьте в его кабинете лимит сообщений и журнал вызовов и открывается ли адрес бота снаружи.`,
    over: () => '🟢 Невызванных расписаний больше нет.',
  },
  queue: {
    grave: (seconds) =>
      `🟠 Автопостинг: самый старый пост ждёт отправки ${minutesOf(Math.round(seconds / 60))}. Подробности: npm run autopost -- snapshot`,
    over: () => '🟢 Автопостинг: очередь снова движется.',
  },
  texts: {
    grave: (amount) =>
      `🔴 Модели не ответили ${plural(amount, 'раз', 'раза', 'раз')} подряд: тексты не пишутся, токены людям возвращаются. Проверьте баланс и ключ OpenRouter.`,
    over: () => '🟢 Модели снова пишут тексты.',
  },
  pictures: {
    grave: (amount) =>
      `🟠 Модели ${plural(amount, 'раз', 'раза', 'раз')} подряд не нарисовали картинку: статьи выходят без картинок, токены за них возвращаются.`,
    over: () => '🟢 Модели снова рисуют картинки.',
  },
  disk: {
    grave: (amount, of) =>
      `🔴 На диске с данными (${of}) осталось ${number(Math.max(0, Math.round(100 / amount)))} % места. Когда оно кончится, бот не сможет сохранять данные и картинки.`,
    over: (of) => `🟢 На диске с данными (${of}) снова достаточно места.`,
  },
};

/** Told above these. Seconds, rows, failures in a row; a disk counts as one divided by the share that is free. */
export const ownerLimits: Readonly<Record<OwnerCondition, number>> = {
  unknown: 0,
  lag: 5 * 60,
  silent: 0,
  queue: 10 * 60,
  texts: 2,
  pictures: 2,
  disk: 1 / 0.15,
};
