import { AppError } from '../../errors.ts';

/** An address that must not be asked on a stranger's behalf. What it is exactly, only the log tells. */
export class AddressRefused extends AppError {
  readonly code = 'ADDRESS_REFUSED';
  readonly userMessage = 'Этот адрес проверить нельзя. Укажите адрес сайта, доступного в интернете.';
  constructor(hostname: string, why: string) {
    super(`"${hostname}" was refused: ${why}`);
  }
}

type UnreachableReason = 'no-name' | 'no-answer' | 'certificate' | 'timeout' | 'redirects';

export class SiteUnreachable extends AppError {
  readonly code = 'SITE_UNREACHABLE';
  readonly userMessage = 'Сайт недоступен. Проверьте URL';
  override readonly retryable = true;
  readonly reason: UnreachableReason;
  /** The request may have been read, and obeyed, although no whole answer came. */
  readonly mayHaveArrived: boolean;
  constructor(
    hostname: string,
    cause: unknown,
    {
      reason = 'no-answer',
      mayHaveArrived = false,
    }: { reason?: UnreachableReason; mayHaveArrived?: boolean } = {},
  ) {
    super(`"${hostname}" could not be reached: ${reason}`);
    this.cause = cause;
    this.reason = reason;
    this.mayHaveArrived = mayHaveArrived;
  }
}

export class AnswerTooLarge extends AppError {
  readonly code = 'ANSWER_TOO_LARGE';
  readonly userMessage = 'Страница слишком большая, прочитать её не получится.';
  constructor(hostname: string, mostBytes: number) {
    super(`"${hostname}" sent more than ${mostBytes} bytes`);
  }
}
