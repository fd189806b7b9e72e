import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileKind } from '../../src/clients/file-kind.ts';
import { openTelegramApi } from '../../src/clients/telegram-api.ts';
import {
  createFetchFile,
  FileNotFetched,
  FileTooLarge,
  WrongFile,
} from '../../src/clients/telegram-files.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const ANNA = 1001;
let telegram: TelegramStandIn;
beforeAll(async () => {
  telegram = await startTelegramStandIn({ token });
});
afterAll(() => telegram.close());

const fetchFile = (fileId: string, limits = {}, size = 0) =>
  createFetchFile(openTelegramApi(token, { apiRoot: telegram.url, timeoutSeconds: 5 }), {
    apiRoot: telegram.url,
    token,
  })({ fileId, size }, { mostBytes: 1_000, kinds: ['png', 'text'], ...limits });

/** What a person sent as a document, whatever it is. */
function sent(bytes: Buffer, name = 'a.png'): string {
  telegram.people.document(ANNA, { name, mime: 'image/png', bytes });
  return telegram.people.messages(ANNA).at(-1)!.document!.file_id;
}

describe('a file that a person sent', () => {
  it('is fetched as it was sent', async () => {
    const png = tinyPng(9, 7);
    expect(await fetchFile(sent(png))).toEqual({ bytes: png, kind: 'png' });
  });

  it('is what its bytes say, not what its name says', async () => {
    const asText = fetchFile(sent(Buffer.from('<?php echo 1;'), 'photo.png'), { kinds: ['png'] });
    await expect(asText).rejects.toThrow(WrongFile);
    await expect(asText).rejects.toMatchObject({ userMessage: 'Этот файл не подходит. Нужен PNG.' });
  });

  it('that its message calls too large is not even asked for', async () => {
    const calls = telegram.calls().length;
    await expect(fetchFile(sent(Buffer.alloc(1_001, 65)), {}, 1_001)).rejects.toThrow(FileTooLarge);
    expect(telegram.calls()).toHaveLength(calls);
  });

  it('that is too large by its own account is not fetched', async () => {
    const calls = telegram.calls().length;
    await expect(fetchFile(sent(Buffer.alloc(1_001, 65)))).rejects.toThrow(FileTooLarge);
    expect(
      telegram
        .calls()
        .slice(calls)
        .map(({ method }) => method),
    ).toEqual(['getFile']);
  });

  it('that grows on the way is broken off', async () => {
    const id = sent(Buffer.alloc(5_000, 65), 'a.txt');
    const body = {
      ok: true,
      result: { file_id: id, file_unique_id: 'U', file_size: 10, file_path: pathOf(id) },
    };
    telegram.faults.add({ match: 'getFile', times: 1, fault: { kind: 'status', status: 200, body } });
    await expect(fetchFile(id)).rejects.toThrow(FileTooLarge);
  });

  it('that Telegram no longer has is to be sent again', async () => {
    await expect(fetchFile('gone')).rejects.toThrow(FileNotFetched);
  });

  it('is fetched after all when its transfer broke off once', async () => {
    const id = sent(Buffer.from('text'), 'a.txt');
    telegram.faults.add({ match: '/file/', times: 1, fault: { kind: 'reset' } });
    expect((await fetchFile(id)).bytes.toString()).toBe('text');
  });

  it('whose transfer fails does not tell the token to the log', async () => {
    const id = sent(Buffer.from('text'), 'a.txt');
    telegram.faults.add({ match: '/file/', times: 3, fault: { kind: 'reset' } });
    const error = await fetchFile(id).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(FileNotFetched);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(token);
  });
});

it.each([
  ['jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['webp', Buffer.from('RIFF0000WEBPVP8 ')],
  ['gif', Buffer.from('GIF89a')],
  ['pdf', Buffer.from('%PDF-1.7')],
  ['zip', Buffer.from('PK\x03\x04abc')],
  ['ogg', Buffer.from('OggS\0')],
  ['text', Buffer.from('фраза;100\r\n')],
  ['text', Buffer.from([0xf4, 0xf0, 0xe0, 0xe7, 0xe0])],
  ['other', Buffer.from([1, 2, 3])],
  ['other', Buffer.alloc(0)],
])('bytes tell that a file is %s', (kind, bytes) => {
  expect(fileKind(bytes)).toBe(kind);
});

function pathOf(fileId: string): string {
  return `documents/file_${telegram.file(fileId) ? lastIndex() : 0}.txt`;
}

/** The stand-in numbers its files in the order in which they came. */
function lastIndex(): number {
  return telegram.people.messages(ANNA).filter(({ document }) => document).length - 1;
}
