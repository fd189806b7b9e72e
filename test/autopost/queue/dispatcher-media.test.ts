import { describe, expect, it } from 'vitest';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { databaseKinds, freshDatabase, opening } from '../../support/stores.ts';
import { aPostOffice, type PostOffice, until } from './a-post-office.ts';

describe.each(databaseKinds)('the files of a post on %s', (kind) => {
  const database = opening(() => freshDatabase(kind));

  it('are brought to Telegram once, however many channels want them at the same time', async () => {
    const office = await aPostOffice(database());
    const chats: number[] = [];
    for (let i = 0; i < 6; i++) chats.push(await office.telegramChannel(`t${i}`));
    await office.post('Новая витрина', { media: [await office.shelve('shop.png', tinyPng(8, 8))] });
    await office.startDispatcher();
    expect(await office.settled()).toEqual({ sent: 6 });
    expect(uploadsTo(office)).toBe(1);
    const files = chats.map((chat) => office.telegram.channels.posts(chat)[0]?.photo?.at(-1)?.file_id);
    expect(new Set(files).size).toBe(1);
  });

  it('are brought anew when Telegram does not know them any more', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    const media = [await office.shelve('shop.png', tinyPng(8, 8))];
    await office.stores.media.saveBlob(office.id, 'shop.png', 'telegram', {
      fileId: 'an-old-file-id',
      references: { bot: 'an-old-file-id' },
    });
    await office.post('Новая витрина', { media });
    await office.startDispatcher();
    expect(await office.settled()).toEqual({ sent: 1 });
    expect(office.telegram.channels.posts(chat)).toHaveLength(1);
    const actions = await office.actions();
    expect(actions.filter((action) => action === 'send_attempt')).toHaveLength(1);
  });

  it('are a failure of this post alone when they are gone', async () => {
    const office = await aPostOffice(database());
    const chat = await office.telegramChannel('t1');
    const media = [await office.shelve('shop.png', tinyPng(8, 8))];
    await office.post('Новая витрина', { media });
    await office.files.remove([`autopost/${office.id}/shop.png`]);
    await office.post('Без картинки');
    await office.startDispatcher();
    expect(await office.settled()).toEqual({ failed_permanent: 1, sent: 1 });
    const [error] = await office.stores.monitor.errors(office.id);
    expect(error?.error).toMatchObject({ code: 'media_missing_origin', scope: 'delivery' });
    expect(office.textsIn(chat)).toEqual(['Без картинки']);
  });

  it('go on in MAX where a series broke off: what was acknowledged is not sent again', async () => {
    const office = await aPostOffice(database());
    const chat = await office.maxChat('m1', 902);
    // Each audio file is a message of its own there.
    const media = [];
    for (const name of ['one.mp3', 'two.mp3', 'three.mp3'])
      media.push({ ...(await office.shelve(name, tinyPng(4, 4))), type: 'audio' });
    // The first message arrives, the second is refused once.
    office.max.faults.add({ match: 'POST /messages', fault: { kind: 'slow', ms: 0 } });
    office.max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status: 503 } });
    await office.post('', { media });
    await office.startDispatcher();
    await until(async () => (await office.statuses()).retry === 1);
    await office.sql`update deliveries set next_retry_at = now() where workspace_id = ${office.id}`;
    expect(await office.settled()).toEqual({ sent: 1 });
    expect(office.max.world.messages(chat)).toHaveLength(3);
    const [row] = await office.sql<{ progress: { sent_items: number[] }; attempt: number }[]>`
      select render_meta -> 'series_progress' as progress, attempt from deliveries where workspace_id = ${office.id}`;
    expect(row).toMatchObject({ progress: { sent_items: [0, 1, 2] }, attempt: 2 });
  });
});

/** Requests that brought a file along, and not its id. */
function uploadsTo({ telegram }: PostOffice): number {
  return telegram.calls().filter(({ files }) => files.length > 0).length;
}
