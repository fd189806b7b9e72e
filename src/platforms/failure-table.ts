import { AnswerUnreadable, ApiRefused } from '../clients/http/api-refused.ts';
import { AnswerLost } from '../clients/http/call-once.ts';
import { DeliveryFailed, type FailureReport } from '../errors.ts';

/** How a platform's refusal is recognised, and what it means. The first row that fits holds. */
export type FailureRow = Pick<FailureReport, 'category' | 'scope' | 'userMessage'> & {
  status?: number;
  word?: RegExp;
  says?: RegExp;
  /** The platform's own word or status, unless the row has a better one. */
  code?: string;
  retryAfterMs?: number;
};

export const later = 'Попробуйте ещё раз через несколько минут.';
const permanent = { category: 'PERMANENT' } as const;
export const transient = { category: 'TRANSIENT' } as const;
export const ofDelivery = { ...permanent, scope: 'delivery' } as const;
export const ofChannel = { ...permanent, scope: 'channel' } as const;

export const tooOften = {
  ...transient,
  scope: 'platform',
  code: '429', // whatever word a platform has for it: the queue knows it by this one
  userMessage: `Площадка просит подождать: слишком много сообщений подряд. ${later}`,
} as const;

/** Every status from 500 on. */
const busy: FailureRow = {
  ...transient,
  scope: 'platform',
  userMessage: `Площадка сейчас не принимает сообщения. ${later}`,
};

/** 503 says that the request was not taken; any other 5xx leaves open how far it came. */
const NOT_TAKEN = 503;

/** Whether the request may have taken effect without an answer. */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof AnswerLost) return error.mayHaveArrived;
  if (error instanceof AnswerUnreadable) return true;
  return error instanceof ApiRefused && error.status >= 500 && error.status !== NOT_TAKEN;
}

/** Null: not a failure of the platform. The last row of `rows` fits everything. */
export function reportFrom(title: string, rows: readonly FailureRow[], error: unknown): FailureReport | null {
  if (error instanceof ApiRefused) return refusalReport(rows, error);
  if (!(error instanceof AnswerLost || error instanceof AnswerUnreadable)) return null;
  return {
    ...{ ...transient, scope: 'platform', code: 'network', message: error.message },
    userMessage: `${title} сейчас не отвечает. ${later}`,
  };
}

/** What was asked for cannot be done with this channel as it is. */
export const channelRefused = (code: string, userMessage: string): DeliveryFailed =>
  new DeliveryFailed({ ...ofChannel, code, message: userMessage, userMessage });

function refusalReport(rows: readonly FailureRow[], refused: ApiRefused): FailureReport {
  const { status, word, message, body, movedTo } = refused;
  const about = { message, raw: body };
  if (movedTo !== null)
    return {
      ...{ ...ofChannel, ...about, code: 'migrated' },
      userMessage: `Чат переехал, его новый номер: ${movedTo}. Подключите его заново с этим номером.`,
    };
  const row = status >= 500 ? busy : rowFor(rows, refused);
  const retryAfterMs = refused.retryAfterMs ?? row.retryAfterMs;
  return {
    ...about,
    ...{ category: row.category, scope: row.scope, userMessage: row.userMessage },
    code: row.code ?? word ?? String(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

const rowFor = (rows: readonly FailureRow[], { status, word, description }: ApiRefused): FailureRow =>
  rows.find(
    (row) =>
      (row.status === undefined || row.status === status) &&
      (row.word === undefined || row.word.test(word ?? '')) &&
      (row.says === undefined || row.says.test(description)),
  ) as FailureRow;
