import type { Json } from '../../engine/json.ts';
import { DeliveryFailed, type FailureReport } from '../../errors.ts';

type Words = Pick<FailureReport, 'category' | 'scope' | 'userMessage'>;

const checkAddress = 'Проверьте, открывается ли сайт в браузере, и попробуйте ещё раз.';
const askHost = 'Спросите об этом поддержку хостинга или того, кто ведёт сайт.';

/** What can be wrong with somebody's site, with the likely cause and the way out. */
const faults = {
  'address-refused': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage: 'Этот адрес проверить нельзя. Укажите адрес сайта, доступного в интернете.',
  },
  unreachable: {
    category: 'TRANSIENT',
    scope: 'channel',
    userMessage: `Сайт не отвечает: возможно, он выключен или в адресе опечатка. ${checkAddress}`,
  },
  timeout: {
    category: 'TRANSIENT',
    scope: 'channel',
    userMessage: 'Сайт отвечает слишком медленно. Попробуйте ещё раз через несколько минут.',
  },
  certificate: {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'Сертификат HTTPS на сайте недействителен: самоподписанный, просроченный или выдан другому адресу. ' +
      'Установите действующий (хостинги выдают его бесплатно) и попробуйте ещё раз.',
  },
  moved: {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage: 'Сайт переехал на другой адрес. Переподключите его с новым адресом.',
  },
  'not-wordpress': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'На этом адресе не нашлось WordPress. Проверьте адрес: если блог живёт в отдельной папке ' +
      'или на поддомене, укажите именно его.',
  },
  'rest-off': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'REST API на сайте выключен или закрыт, скорее всего плагином безопасности. ' +
      'Разрешите доступ к /wp-json/ в настройках плагина и попробуйте ещё раз.',
  },
  html: {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'Вместо ответа REST API сайт прислал обычную страницу: запрос перехватила защита сайта, ' +
      'хостинга или заглушка. Разрешите доступ к /wp-json/ и попробуйте ещё раз.',
  },
  'wrong-password': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'Сайт не принял логин или пароль приложения. Нужен именно пароль приложения, а не пароль от входа: ' +
      'создайте новый в профиле WordPress, в разделе «Пароли приложений».',
  },
  'passwords-off': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'На сайте выключены пароли приложений: так делают плагины безопасности. ' +
      'Включите их для вашего пользователя и попробуйте ещё раз.',
  },
  'not-logged-in': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'Сайт не узнал пользователя. Проверьте логин и пароль приложения (не пароль от входа). Если они верны, ' +
      `хостинг, скорее всего, вырезает заголовок Authorization. ${askHost}`,
  },
  'may-not-publish': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'У этого пользователя WordPress нет права публиковать записи. ' +
      'Дайте ему роль «Автор» или выше, или подключите другого пользователя.',
  },
  'may-not-upload': {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage:
      'У этого пользователя WordPress нет права загружать файлы. ' +
      'Дайте ему роль «Автор» или выше, или подключите другого пользователя.',
  },
  forbidden: {
    category: 'PERMANENT',
    scope: 'channel',
    userMessage: `Сайт запретил это действие вашему пользователю WordPress. ${askHost}`,
  },
  'too-large': {
    category: 'PERMANENT',
    scope: 'delivery',
    userMessage: `Файл больше, чем принимает сайт. Увеличьте предел загрузки на хостинге. ${askHost}`,
  },
  'media-refused': {
    category: 'PERMANENT',
    scope: 'delivery',
    userMessage: 'Сайт не принял файл такого типа. Обычно помогает обновление WordPress.',
  },
  'meta-refused': {
    category: 'PERMANENT',
    scope: 'delivery',
    userMessage: 'Сайт не принял SEO-поля статьи.',
  },
  refused: {
    category: 'PERMANENT',
    scope: 'delivery',
    userMessage: 'Сайт не принял запрос. Проверьте подключение и попробуйте ещё раз.',
  },
  busy: {
    category: 'TRANSIENT',
    scope: 'channel',
    userMessage: 'Сайт просит подождать: слишком много запросов. Попробуйте ещё раз через несколько минут.',
  },
  broken: {
    category: 'TRANSIENT',
    scope: 'channel',
    userMessage: `На сайте произошла внутренняя ошибка. Попробуйте ещё раз; если повторится, ${lower(askHost)}`,
  },
  unreadable: {
    category: 'TRANSIENT',
    scope: 'channel',
    userMessage: 'Ответ сайта не удалось прочитать. Попробуйте ещё раз через несколько минут.',
  },
} as const satisfies Record<string, Words>;

export type WordPressFault = keyof typeof faults;

type WordPressRefusal = {
  status?: number;
  /** WordPress's own word, such as `rest_cannot_create`. */
  code?: string;
  message?: string;
  data?: unknown;
  retryAfterSec?: number | null;
  /** What was asked for may have been done all the same. */
  mayHaveArrived?: boolean;
  cause?: unknown;
};

export class WordPressFailed extends DeliveryFailed {
  readonly fault: WordPressFault;
  readonly status: number | null;
  readonly refusal: string | null;
  readonly data: unknown;
  readonly mayHaveArrived: boolean;
  constructor(fault: WordPressFault, what: string, refusal: WordPressRefusal = {}) {
    super(reportOf(fault, what, refusal), refusal.cause);
    this.fault = fault;
    this.status = refusal.status ?? null;
    this.refusal = refusal.code ?? null;
    this.data = refusal.data;
    this.mayHaveArrived = refusal.mayHaveArrived ?? false;
  }
}

function reportOf(fault: WordPressFault, what: string, refusal: WordPressRefusal): FailureReport {
  const { status, code, message, retryAfterSec } = refusal;
  const raw: Json = { fault, status: status ?? null, code: code ?? null, message: message ?? null };
  return {
    ...faults[fault],
    code: code ?? (status === undefined ? fault : String(status)),
    message: [what, status, message].filter(Boolean).join(': '),
    ...(typeof retryAfterSec === 'number' && { retryAfterMs: retryAfterSec * 1_000 }),
    raw,
  };
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
