import type { Api } from 'grammy';
import { AppError } from '../errors.ts';
import { type FileKind, fileKind, fileKindNames } from './file-kind.ts';
import { repeat } from './http/repeat.ts';

type FetchedFile = { bytes: Buffer; kind: FileKind };

/** `size` is what the sender's messenger says of it; 0 when it says nothing. */
export type FetchFile = (
  file: { fileId: string; size: number },
  limits: { mostBytes: number; kinds: readonly FileKind[]; signal?: AbortSignal },
) => Promise<FetchedFile>;

/** Telegram hands no larger file to a bot. */
const MOST_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export class FileTooLarge extends AppError {
  readonly code = 'FILE_TOO_LARGE';
  readonly userMessage: string;
  constructor(mostBytes: number) {
    super(`a file of more than ${mostBytes} bytes`);
    this.userMessage = `Файл слишком большой: можно до ${Math.floor(mostBytes / 1024 / 1024)} МБ.`;
  }
}

export class WrongFile extends AppError {
  readonly code = 'WRONG_FILE';
  readonly userMessage: string;
  constructor(kind: FileKind, wanted: readonly FileKind[]) {
    super(`a file of kind ${kind}, expected ${wanted.join(', ')}`);
    this.userMessage = `Этот файл не подходит. Нужен ${fileKindNames(wanted)}.`;
  }
}

export class FileNotFetched extends AppError {
  readonly code = 'FILE_NOT_FETCHED';
  readonly userMessage = 'Не получилось скачать файл из Telegram. Отправьте его ещё раз.';
  override readonly retryable = true;
}

/** May pass: reading a file changes nothing, so it is tried again. */
class TransferBroken extends FileNotFetched {}

/**
 * The one way to files that people send. The address is made of the configured root and the token, never of what somebody typed; the
 * size is checked as the message and as Telegram name it and again while the bytes come, and the kind is told by the
 * bytes alone.
 */
export function createFetchFile(api: Api, { apiRoot, token }: { apiRoot: string; token: string }): FetchFile {
  return async ({ fileId, size }, { mostBytes, kinds, signal }) => {
    const most = Math.min(mostBytes, MOST_BYTES);
    if (size > most) throw new FileTooLarge(most);
    const { file_path, file_size = 0 } = await api.getFile(fileId).catch((error: unknown) => {
      if (String((error as Error).message).includes('file is too big')) throw new FileTooLarge(most);
      throw new FileNotFetched('getFile failed', { cause: error });
    });
    if (file_size > most) throw new FileTooLarge(most);
    if (!file_path) throw new FileNotFetched('Telegram names no path for the file');
    const url = `${apiRoot}/file/bot${token}/${encodeURI(file_path)}`;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const ends = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const bytes = await repeat(() => download(url, most, ends), {
      retries: 2,
      waitMs: () => 500,
      mostWaitMs: 500,
      signal: undefined,
      mayPass: (error) => error instanceof TransferBroken && !ends.aborted && { retryAfterSec: null },
    });
    const kind = fileKind(bytes);
    if (!kinds.includes(kind)) throw new WrongFile(kind, kinds);
    return { bytes, kind };
  };
}

async function download(url: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const answer = await fetch(url, { redirect: 'error', signal });
    if (answer.status >= 500) throw new TransferBroken(`Telegram answered ${answer.status} for a file`);
    if (!answer.ok || !answer.body) throw new FileNotFetched(`Telegram answered ${answer.status} for a file`);
    for await (const chunk of answer.body) {
      size += chunk.length;
      // Leaving the loop cancels the transfer.
      if (size > most) throw new FileTooLarge(most);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Without its address: it carries the bot's token.
    throw new TransferBroken('the transfer of a file broke off', { cause: (error as Error).cause });
  }
  return Buffer.concat(chunks);
}
