import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileNotFetched, FileTooLarge, WrongFile } from '../../src/clients/telegram-files.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { startBot, type TestBot } from '../support/bot.ts';

const limits = { mostBytes: 2_000, kinds: ['png', 'jpeg'] } as const;
const ANNA = 1001;

describe('a file that a person sends to the composed bot', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot();
  });
  afterAll(() => bot.stop());

  it('reaches a service as its bytes, with the kind that they have', async () => {
    const png = tinyPng(9, 7);
    expect(await bot.app.fetchFile(sent(png), limits)).toEqual({ bytes: png, kind: 'png' });
  });

  it.each([
    ['is too large', FileTooLarge, () => sent(Buffer.alloc(2_001, 65))],
    ['is not what its name says', WrongFile, () => sent(Buffer.from('<?php echo 1;'), 'photo.png')],
    ['has vanished from Telegram', FileNotFetched, () => ({ fileId: 'gone', size: 10 })],
  ])('is refused when it %s', async (_, error, file) => {
    await expect(bot.app.fetchFile(file(), limits)).rejects.toThrow(error);
  });

  function sent(bytes: Buffer, name = 'a.png') {
    bot.telegram.people.document(ANNA, { name, mime: 'image/png', bytes });
    const { file_id, file_size } = bot.telegram.people.messages(ANNA).at(-1)!.document!;
    return { fileId: file_id, size: file_size ?? 0 };
  }
});
