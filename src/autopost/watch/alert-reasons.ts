import { faultInWords } from '../queue/fault-in-words.ts';
import type { ConditionCase } from '../store/conditions.ts';

/** What an error's code means to an operator. Unknown codes keep the platform's own words. */
const words: Readonly<Record<string, string>> = {
  '400': 'площадка не приняла пост',
  '401': 'площадка не принимает токен бота',
  '403': 'бота убрали из канала или лишили права публиковать',
  '404': 'канал или бот не найден',
  '429': 'площадка просит отправлять реже',
  '500': 'площадка не отвечала',
  '502': 'площадка не отвечала',
  '503': 'площадка не отвечала',
  '504': 'площадка не отвечала',
  ADDRESS_REFUSED: 'этот адрес открывать нельзя',
  ANSWER_TOO_LARGE: 'ответ слишком большой',
  answer_lost: 'ответ площадки не дошёл',
  auth_missing: 'нет токена для этого канала',
  bad_markup: 'площадка не прочитала разметку текста',
  chat_gone: 'чат закрыт',
  chat_not_found: 'канал не найден',
  'chat.denied': 'бот не может писать в этот чат',
  'chat.not.found': 'канал не найден',
  expired: 'пост ждал дольше, чем разрешено каналу',
  lease_expired: 'процесс остановился посреди отправки',
  MEDIA_UNAVAILABLE: 'картинка записи не скачивается',
  media_expired: 'площадка больше не хранит файл',
  media_missing_origin: 'файл поста не найден',
  media_unavailable: 'файл поста не удалось получить',
  message_too_long: 'текст длиннее, чем принимает площадка',
  migrated: 'чат переехал, у него новый номер',
  network: 'площадка не отвечала',
  not_admin: 'бот больше не администратор канала',
  not_called: 'не получилось начать отправку',
  own_error: 'внутренняя ошибка посреди отправки',
  SITE_UNREACHABLE: 'сайт не отвечает',
  SOURCE_UNREADABLE: 'сайт ответил не тем, чего от него ждут, или настройки источника неверны',
  suits_no_channel: 'пост не подошёл ни одному каналу',
  stopped: 'отправку прервала остановка бота',
  'too.many.requests': 'площадка просит отправлять реже',
  unpostable: 'в записи нечего публиковать или она не по форме',
  validation_failed: 'пост не прошёл проверку',
  'verify.token': 'площадка не принимает токен бота',
};

/** Their message says more than the code does. */
const explained = new Set(['validation_failed', 'unpostable', '400']);

const MOST_QUOTED = 100;

export function reasonInWords({ code, message }: Pick<ConditionCase, 'code' | 'message'>): string | null {
  const known = code === null ? undefined : words[code];
  const quote = message === null ? null : faultInWords(message).slice(0, MOST_QUOTED).toWellFormed();
  if (known === undefined) return quote ?? code;
  return quote !== null && code !== null && explained.has(code)
    ? `${known} (${quote.replace(/\.$/u, '')})`
    : known;
}
