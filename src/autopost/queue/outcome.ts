import type { Json } from '../../engine/json.ts';
import type { FailureReport } from '../../errors.ts';
import type { NormalizedError } from '../store/delivery.ts';

/** What came of one attempt, in the words of the queue. */
export type Outcome =
  | { kind: 'sent'; providerMessageId: string; meta: Json }
  /** Certainly not in the channel, or not wholly; another attempt may do. */
  | { kind: 'retry'; error: NormalizedError }
  | { kind: 'permanent'; error: NormalizedError }
  /** It may be there. */
  | { kind: 'unknown'; error: NormalizedError };

export const failed = (report: Omit<FailureReport, 'userMessage'>): Outcome => ({
  kind: report.category === 'TRANSIENT' ? 'retry' : 'permanent',
  error: {
    ...{ category: report.category, scope: report.scope, code: storable(report.code) },
    message: storable(report.message),
    ...(report.retryAfterMs !== undefined && { retry_after_ms: report.retryAfterMs }),
    ...(report.raw !== undefined && { raw: snippet(report.raw) }),
  },
});

/** An error of ours, before the platform was called. */
export const notCalled = (error: unknown, code = 'not_called'): Outcome =>
  failed({ category: 'TRANSIENT', scope: 'delivery', code, message: messageOf(error) });

/** `platform`: it is the platform that did not answer, which concerns all channels of the group. */
export const unknown = (
  code: string,
  message: string,
  scope: 'delivery' | 'platform' = 'delivery',
): Outcome => ({
  kind: 'unknown',
  error: { category: 'TRANSIENT', scope, code, message: storable(message) },
});

export const messageOf = (error: unknown): string =>
  storable(error instanceof Error ? error.message : String(error));

const MOST_SNIPPET = 300;

/** As text: whatever is in it, the database can keep it. */
export const snippet = (raw: Json): string => JSON.stringify(raw).slice(0, MOST_SNIPPET);

/** PostgreSQL keeps neither a zero nor half a character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');
