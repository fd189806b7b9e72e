import { AppError } from '../../errors.ts';

type MediaFault =
  | 'not-found'
  | 'refused-address'
  | 'too-large'
  | 'empty'
  | 'wrong-type'
  | 'a-page'
  | 'no-answer';

const messages: Readonly<Record<MediaFault, string>> = {
  'not-found': 'По этому адресу файла нет.',
  'refused-address': 'Этот адрес открыть нельзя. Нужен адрес, доступный в интернете.',
  'too-large': 'Файл слишком большой.',
  empty: 'Файл пуст.',
  'wrong-type': 'Файл не того вида, который указан.',
  'a-page': 'По этому адресу открывается страница, а не файл.',
  'no-answer': 'Файл сейчас не скачивается. Попробуйте позже.',
};

/** A file that a post promised could not be had. `retryable`: another time it may be. */
export class MediaUnavailable extends AppError {
  readonly code = 'MEDIA_UNAVAILABLE';
  readonly fault: MediaFault;
  readonly url: string;
  readonly userMessage: string;
  override readonly retryable: boolean;
  constructor(url: string, fault: MediaFault, cause?: unknown) {
    super(`the file at "${hostOf(url)}" could not be had: ${fault}`);
    this.url = url;
    this.fault = fault;
    this.cause = cause;
    this.userMessage = messages[fault];
    this.retryable = fault === 'no-answer';
  }
}

/** The rest of an address may hold a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : 'no address');
