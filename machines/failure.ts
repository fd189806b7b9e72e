/** What went wrong, as plain data: it lives in a stored snapshot. */
export type Failure = {
  code: string;
  /** For the person; `null` when the error was not written for one. */
  userMessage: string | null;
  retryable: boolean;
  /** Tokens that came back because of it. */
  refunded: number;
  /** Alternates the wording, so that a repeated failure visibly changes the screen. */
  again?: 'again' | 'once-more';
};

/** Of what may be tried as often as the person likes. */
export const failedAgain = (earlier: Failure | null, error: unknown): Failure => ({
  ...toFailure(error),
  ...(earlier && { again: earlier.again === 'again' ? 'once-more' : 'again' }),
});

/**
 * Marked as repeated only where the reason is the same: another reason changes the screen by itself. The earlier failure
 * has to stay in the context while the work is tried again; what succeeds forgets it.
 */
export const failedTheSame = (earlier: Failure | null, error: unknown): Failure => {
  const { code, userMessage } = toFailure(error);
  const isSame = earlier !== null && earlier.code === code && earlier.userMessage === userMessage;
  return failedAgain(isSame ? earlier : null, error);
};

export function toFailure(error: unknown): Failure {
  const { code, userMessage, retryable, refunded } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Partial<Record<keyof Failure, unknown>>;
  return {
    code: typeof code === 'string' ? code : 'UNEXPECTED',
    userMessage: typeof userMessage === 'string' ? userMessage : null,
    // An unforeseen error may be a passing one: the person is offered another try.
    retryable: typeof retryable === 'boolean' ? retryable : true,
    refunded: typeof refunded === 'number' ? refunded : 0,
  };
}

/** A guard. Nothing was charged and nothing asked for: the question stands. */
export const isRefusal = (_: unknown, { error }: { error: unknown }): boolean =>
  ['OUT_OF_TOKENS', 'RATE_LIMIT'].includes(toFailure(error).code);
