import { GrammyError, HttpError } from 'grammy';
import { AnswerLost } from '../../clients/http/call-once.ts';

/** Every way in which a call to Telegram can fail, in the words the adapter acts on. */
export type ApiFault =
  | { kind: 'wait'; ms: number }
  /** The message already looks like this, or is already gone where it should go. */
  | { kind: 'unchanged' }
  /** The message cannot be edited: deleted, too old, not ours, a picture. */
  | { kind: 'uneditable' }
  /** Blocked, deactivated, never started. */
  | { kind: 'closed' }
  /** Telegram was not reached: the call is safe to repeat. */
  | { kind: 'unreached' }
  /** Telegram may or may not have done it. */
  | { kind: 'unknown' }
  /** Our mistake: repeating it does not help. */
  | { kind: 'refused' };

export function faultOf(error: unknown): ApiFault {
  if (error instanceof GrammyError) return answered(error);
  if (error instanceof HttpError) return { kind: mayHaveArrived(error.error) ? 'unknown' : 'unreached' };
  return { kind: 'refused' };
}

function answered({ error_code, description, parameters }: GrammyError): ApiFault {
  if (error_code === 429) return { kind: 'wait', ms: (parameters.retry_after ?? 1) * 1000 };
  if (error_code === 403 || description.includes('chat not found')) return { kind: 'closed' };
  if (error_code >= 500) return { kind: 'unknown' };
  if (/message is not modified|message to delete not found/u.test(description)) return { kind: 'unchanged' };
  if (
    /message to edit not found|can't be edited|no (?:text|caption|media) in the message|MESSAGE_ID_INVALID/u.test(
      description,
    )
  ) {
    return { kind: 'uneditable' };
  }
  return { kind: 'refused' };
}

function mayHaveArrived(error: unknown): boolean {
  return error instanceof AnswerLost ? error.mayHaveArrived : !neverLeft.has(codeOf(error));
}

/** Of an upload, which grammY brings by itself. */
const neverLeft = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return String(code ?? cause?.code ?? '');
}
