import type { Json } from './engine/json.ts';
import { number, plural, tokens } from './russian.ts';

/** An error that a person can be told about. `message` is for the log, `userMessage` for the screen. */
export abstract class AppError extends Error {
  abstract readonly code: string;
  abstract readonly userMessage: string;
  readonly retryable: boolean = false;
  override get name() {
    return this.constructor.name;
  }
}

/** A key names one piece of work for ever: a second request under it is a defect of the caller. */
export class OperationKeyReused extends AppError {
  readonly code = 'OPERATION_KEY_REUSED';
  readonly userMessage = 'Произошла ошибка. Попробуйте позже.';
  constructor(key: string) {
    super(`operation "${key}" was asked for again with another request`);
  }
}

/** Another process has taken over, or the database is out of reach: what comes of the work is not ours to say. */
export class OperationLost extends AppError {
  readonly code = 'OPERATION_LOST';
  readonly userMessage = 'Произошла ошибка. Попробуйте позже.';
  override readonly retryable = true;
  constructor(key: string, options?: ErrorOptions) {
    super(`operation "${key}" is out of our hands`, options);
  }
}

/** A service did not come to an end in the time its kind of work may take. */
export class WorkTookTooLong extends AppError {
  readonly code = 'WORK_TOOK_TOO_LONG';
  readonly userMessage = 'Сервис не ответил вовремя. Попробуйте ещё раз через несколько минут.';
  override readonly retryable = true;
  constructor(port: string, mostMs: number) {
    super(`"${port}" took more than ${mostMs} ms`);
  }
}

export class OutOfTokens extends AppError {
  readonly code = 'OUT_OF_TOKENS';
  readonly userMessage: string;
  constructor(needed: number, balance: number) {
    super(`needs ${needed} tokens, has ${balance}`);
    this.userMessage = `Недостаточно токенов. Нужно ${number(needed)}, у вас ${number(balance)}.`;
  }
}

/** A payment was given back after its tokens were spent: until a purchase clears the debt nothing is generated, not for free either. */
export class InDebt extends AppError {
  readonly code = 'OUT_OF_TOKENS';
  readonly userMessage: string;
  constructor(balance: number) {
    super(`owes ${-balance} tokens`);
    this.userMessage = `На балансе долг: ${tokens(-balance)}. Пополните баланс, и я продолжу.`;
  }
}

/** Missing and forbidden look the same to callers, on purpose. */
export class NotFound extends AppError {
  readonly code = 'NOT_FOUND';
  readonly userMessage: string;
  constructor(what: string, userMessage: string) {
    super(`${what} was not found`);
    this.userMessage = userMessage;
  }
}

export class CategoryGone extends NotFound {
  constructor(categoryId: number) {
    super(`category ${categoryId}`, 'Этой категории больше нет.');
  }
}

export class ProjectGone extends NotFound {
  constructor(projectId: number) {
    super(`project ${projectId}`, 'Этого проекта больше нет.');
  }
}

/** The draft's day is over, or somebody ended it: its tokens are back already. */
export class DraftExpired extends AppError {
  readonly code = 'DRAFT_EXPIRED';
  readonly userMessage = 'Предпросмотр устарел. Токены за него уже вернулись.';
  constructor(draft: number | string) {
    super(`draft ${draft} is over`);
  }
}

export type AiFault = 'unavailable' | 'no-credit' | 'filtered' | 'too-long' | 'unusable';

/** No model of the chain gave a usable answer. */
export class AiFailed extends AppError {
  readonly code = 'AI_GENERATION';
  override readonly retryable = true;
  readonly reason: AiFault;
  readonly userMessage: string;
  constructor(reason: AiFault, why: string, cause?: unknown) {
    super(why);
    this.reason = reason;
    this.cause = cause;
    this.userMessage =
      reason === 'filtered'
        ? 'Нейросеть отказалась писать на эту тему. Измените фразу или описание и попробуйте ещё раз.'
        : 'Нейросеть сейчас не отвечает. Попробуйте ещё раз через несколько минут.';
  }
}

export class RateLimited extends AppError {
  readonly code = 'RATE_LIMIT';
  readonly userMessage: string;
  override readonly retryable = true;
  readonly retryAfterSec: number;
  /** `limit` is for the person, as «не больше 10 текстов в час». */
  constructor(action: string, limit: string, retryAfterSec: number) {
    super(`${action}: over the limit, free again in ${retryAfterSec} s`);
    this.retryAfterSec = retryAfterSec;
    this.userMessage = `Слишком часто: ${limit}. Попробуйте снова через ${waitOf(retryAfterSec)}.`;
  }
}

/** Limits of a day end in hours: «через 1440 мин» is a sum that the person would have to work out. */
function waitOf(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes <= 90
    ? plural(minutes, 'минуту', 'минуты', 'минут')
    : plural(Math.ceil(minutes / 60), 'час', 'часа', 'часов');
}

/** The text came, and it must not go out. */
export class ContentRefused extends AppError {
  readonly code = 'CONTENT_VALIDATION';
  readonly userMessage = 'Текст не прошёл проверку качества. Попробуйте ещё раз.';
  override readonly retryable = true;
}

/** The file of the case was removed, or a dialogue was stored by a release that had it. */
export class CaseGone extends AppError {
  readonly code = 'CASE_GONE';
  readonly userMessage = 'Этого случая в тренажёре больше нет. Выберите другой.';
  constructor(caseId: string) {
    super(`case "${caseId}" is not among the files`);
  }
}

/** Finished meanwhile: by another start of the case, by the main menu, or after a day of silence. */
export class DialogueOver extends AppError {
  readonly code = 'DIALOGUE_OVER';
  readonly userMessage = 'Этот разговор уже завершён. Начните его заново или выберите другой случай.';
  constructor(session: string) {
    super(`dialogue "${session}" has no open messages`);
  }
}

/** Neither provider gave an answer that could be shown. */
export class CounterpartSilent extends AppError {
  readonly code = 'COUNTERPART_SILENT';
  override readonly retryable = true;
  readonly userMessage: string;
  constructor(task: 'turn' | 'review', cause: unknown) {
    super(`no provider gave a usable answer to a ${task}`, { cause });
    this.userMessage =
      task === 'turn'
        ? 'Собеседник не смог ответить: нейросеть недоступна или ответила невпопад. Ход не засчитан, отправьте реплику ещё раз.'
        : 'Анализ не получился: нейросеть недоступна или ответила невпопад. Разговор цел, попробуйте ещё раз.';
  }
}

type FailureCategory = 'TRANSIENT' | 'PERMANENT';
type FailureScope = 'delivery' | 'channel' | 'platform';

export type FailureReport = {
  category: FailureCategory;
  /** Whom it concerns: this one text, everything for this channel, or the whole platform. */
  scope: FailureScope;
  /** The platform's own: an HTTP status, or a word of its API. */
  code: string;
  message: string;
  userMessage: string;
  retryAfterMs?: number;
  raw?: Json;
};

/** A platform did not take it, and it is certain that nothing was created there. */
export class DeliveryFailed extends AppError {
  readonly code = 'PUBLISH';
  readonly userMessage: string;
  override readonly retryable: boolean;
  readonly report: FailureReport;
  constructor(report: FailureReport, cause?: unknown) {
    super(`${report.category} ${report.scope} ${report.code}: ${report.message}`);
    this.report = report;
    this.userMessage = report.userMessage;
    this.retryable = report.category === 'TRANSIENT';
    this.cause = cause;
  }
}

/** The bot has no settings for a platform that was connected before: the person cannot change that. */
export class PlatformOff extends AppError {
  readonly code = 'PLATFORM_OFF';
  readonly userMessage: string;
  constructor(title: string) {
    super(`no settings for ${title}`);
    this.userMessage = `${title} в этом боте сейчас выключен. Выберите другую площадку или напишите в поддержку.`;
  }
}
