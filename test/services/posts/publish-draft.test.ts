import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { storedTokens } from '../../../src/platforms/pinterest/access.ts';
import { postPlatforms } from '../../../src/platforms/platforms.ts';
import { vkFault } from '../../../src/sandbox/vk/start.ts';
import { postDesk } from '../../crash/post-desk.ts';
import { creates } from '../../crash/post-places.ts';
import { LONG_TEXT, type PostWorld, startPostWorld, type WaitingPost } from '../../crash/post-world.ts';
import { balanceOf, unbalanced } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

const signal = new AbortController().signal;

let world: PostWorld;
beforeAll(async () => {
  world = await startPostWorld();
});
afterEach(() => {
  for (const { faults } of [world.telegram, world.max, world.vk, world.pinterest]) faults.clear();
  world.pinterest.world.change({ access: 'standard' });
});
afterAll(() => world.close());

forEachDatabase((sql) => {
  const desk = () => postDesk(sql(), world.addresses);
  const publish = ({ order }: WaitingPost) => desk().publish(order, signal);
  const statusOf = async ({ draftId }: WaitingPost) => {
    const [row] = await sql()<
      [{ status: string }]
    >`select status from article_previews where id = ${draftId}`;
    return row.status;
  };
  const connectionOf = async ({ userId, connectionId }: WaitingPost) =>
    (await desk().connections.find(userId, connectionId))!;

  describe.each(postPlatforms)('a post for %s', (platform) => {
    it('goes out once, also when it is published twice at the same moment (E07)', async () => {
      const post = await world.aPost(sql(), platform);
      const [one, other] = await Promise.all([publish(post), publish(post)]);
      expect(one).toEqual(other);
      expect(one).toMatchObject({ outcome: 'sent', url: expect.stringMatching(/^http/u), warnings: [] });
      expect(post.arrivals()).toBe(1);
      expect(await statusOf(post)).toBe('published');
    });

    it('is waited for when its answer was lost, and counts as published after 72 hours, told', async () => {
      const post = await world.aPost(sql(), platform);
      world[platform].faults.add({ match: creates[platform], times: 2, fault: { kind: 'reset-after' } });
      const outcome = await publish(post);
      expect(outcome).toMatchObject({ outcome: 'unknown', lost: 1 });
      expect(post.arrivals()).toBe(1);
      expect(await statusOf(post)).toBe('unknown');
      expect(await balanceOf(sql(), post.userId), 'the charge stays').toBe(1_460);
      const sweep = desk();
      expect(await sweep.finish(signal), 'not yet').toEqual([]);
      await sql()`update article_previews set expires_at = now() where id = ${post.draftId}`;
      expect(await sweep.finish(signal)).toEqual([{ kind: 'assumed', keyword: 'кухни' }]);
      const logs = await sql()`select status from publication_logs where user_id = ${post.userId}`;
      expect([...logs]).toEqual([{ status: 'success' }]);
    });

    it('X07: is a draft again when the platform is away before it takes anything; cancelled, it is refunded (X08)', async () => {
      const post = await world.aPost(sql(), platform);
      world[platform].faults.add({ match: '.', times: null, fault: { kind: 'status', status: 503 } });
      await expect(publish(post)).rejects.toMatchObject({ code: 'PUBLISH', retryable: true });
      expect(await statusOf(post)).toBe('draft');
      expect(await balanceOf(sql(), post.userId)).toBe(1_460);
      world[platform].faults.clear();
      expect(await desk().drafts.cancel(post.userId, post.draftId)).toMatchObject({ returned: 40 });
      expect(await balanceOf(sql(), post.userId)).toBe(1_500);
      expect(post.arrivals()).toBe(0);
    });
  });

  describe('a post whose answer was lost, and that its owner did not find', () => {
    it('is in doubt once when the second answer is lost as well; seen then, it is one publication', async () => {
      const post = await lostPost({ times: 2 });
      expect(await again(post)).toMatchObject({ outcome: 'unknown', lost: 2 });
      expect(await publicationsOf(post)).toEqual(['failed', 'unknown']);
      await desk().drafts.confirm(post.userId, post.draftId);
      expect(await publicationsOf(post)).toEqual(['failed', 'success']);
    });

    it('is in doubt no more when the channel refuses it the second time, and goes out later', async () => {
      const post = await lostPost({ times: 1 });
      const bot = Number.parseInt(world.telegram.token, 10);
      world.telegram.channels.stand(Number(post.chat), bot, { status: 'left' });
      await expect(again(post)).rejects.toMatchObject({ code: 'PUBLISH_CHANNEL' });
      expect(await publicationsOf(post)).toEqual(['failed']);
      world.telegram.channels.stand(Number(post.chat), bot, { status: 'administrator' });
      expect(await again(post)).toMatchObject({ outcome: 'sent' });
      expect(await publicationsOf(post)).toEqual(['failed', 'success']);
    });

    it('leaves nothing in doubt when it is cancelled after two lost answers', async () => {
      const post = await lostPost({ times: 2 });
      await again(post);
      expect(await desk().drafts.cancel(post.userId, post.draftId)).toMatchObject({ returned: 40 });
      expect(await publicationsOf(post)).not.toContain('unknown');
    });

    async function lostPost({ times }: { times: number }): Promise<WaitingPost> {
      const post = await world.aPost(sql(), 'telegram');
      world.telegram.faults.add({
        match: creates.telegram,
        chat: post.chat,
        times,
        fault: { kind: 'reset-after' },
      });
      expect(await publish(post)).toMatchObject({ outcome: 'unknown', lost: 1 });
      return post;
    }

    const again = ({ order }: WaitingPost) =>
      desk().publish({ ...order, key: `draft:${order.draftId}:publish:1` }, signal);

    async function publicationsOf({ userId }: WaitingPost): Promise<string[]> {
      const rows = await sql()<{ status: string }[]>`
        select status from publication_logs where user_id = ${userId} order by status`;
      return rows.map(({ status }) => status);
    }
  });

  it('E08: a key that VK revoked marks the connection, and a new one publishes the same post', async () => {
    const post = await world.aPost(sql(), 'vk');
    world.vk.faults.add(vkFault('photos.getWallUploadServer', 5));
    await expect(publish(post)).rejects.toMatchObject({
      code: 'PUBLISH_CHANNEL',
      userMessage: expect.stringMatching(/не принимает этот ключ.*Подключите сообщество заново/u),
    });
    expect(await connectionOf(post)).toMatchObject({ status: 'error' });
    expect(await publish(post)).toMatchObject({ outcome: 'sent' });
    expect(await connectionOf(post)).toMatchObject({ status: 'active' });
    expect(post.arrivals()).toBe(1);
  });

  it('with the key of a community goes without its picture, with the link, and says so', async () => {
    const post = await world.aPost(sql(), 'vk');
    world.vk.faults.add(vkFault('photos.getWallUploadServer', 27));
    expect(await publish(post)).toMatchObject({
      warnings: [expect.stringMatching(/не пускает картинки/u), expect.stringMatching(/30 токенов/u)],
    });
    const [arrived] = world.vk.world.wall(Number(post.identifier));
    expect(arrived).toMatchObject({ photoIds: [], link: 'https://kuhni.example/?utm_source=test' });
    expect((await connectionOf(post)).metadata).toMatchObject({ photos: false });
  });

  describe('a picture that was paid for and that VK does not take (E34)', () => {
    const refuses = () => world.vk.faults.add(vkFault('photos.getWallUploadServer', 27));
    const notedOf = async ({ userId }: WaitingPost) => [
      ...(await sql()`
        select status, tokens_spent as tokens, images_count as images from publication_logs
        where user_id = ${userId}`),
    ];

    it('is paid back once, however often the publication is asked for, and told', async () => {
      const post = await world.aPost(sql(), 'vk');
      refuses();
      const [one, other] = await Promise.all([publish(post), publish(post)]);
      expect(one).toEqual(other);
      expect(one).toMatchObject({
        warnings: [expect.anything(), 'Вернулось 30 токенов: пост без картинки.'],
        returned: 30,
      });
      await publish(post);
      expect(await balanceOf(sql(), post.userId)).toBe(1_490);
      expect(await notedOf(post)).toEqual([{ status: 'success', tokens: 10, images: 0 }]);
    });

    it('is paid back when the post was moved to a community whose key takes none', async () => {
      const post = await world.aPost(sql(), 'vk');
      await desk().connections.note(post.connectionId, { metadata: { photos: false } });
      expect(await publish(post)).toMatchObject({ returned: 30 });
      expect(await balanceOf(sql(), post.userId)).toBe(1_490);
    });

    it('is paid back when the project was deleted while the post went out', async () => {
      const post = await world.aPost(sql(), 'vk');
      refuses();
      const deletes = postDesk(sql(), world.addresses, (_, stage) => async (name, work) => {
        if (name === 'bare') await sql()`delete from projects where user_id = ${post.userId}`;
        return stage(name, work);
      });
      expect(await deletes.publish(post.order, signal)).toMatchObject({ publicationId: null, returned: 30 });
      expect(await balanceOf(sql(), post.userId)).toBe(1_490);
    });

    it('is paid back once when the answer to the post is lost; cancelled, the post gives back the rest', async () => {
      const post = await world.aPost(sql(), 'vk');
      refuses();
      world.vk.faults.add({ match: creates.vk, times: 2, fault: { kind: 'reset-after' } });
      expect(await publish(post)).toMatchObject({
        outcome: 'unknown',
        message: expect.stringMatching(/Вернулось 30 токенов/u),
      });
      expect(await balanceOf(sql(), post.userId)).toBe(1_490);
      expect(await desk().drafts.cancel(post.userId, post.draftId)).toMatchObject({ returned: 10 });
      expect(await balanceOf(sql(), post.userId)).toBe(1_500);
    });

    it.each([
      ['an admin, who paid nothing', { tokens: 0, images: 30 }],
      ['a post told anew, whose picture cost nothing', { tokens: 5, images: 0 }],
    ])('gives nothing back for %s, and promises nothing', async (_, { tokens, images }) => {
      const post = await world.aPost(sql(), 'vk');
      await sql()`
        update article_previews set tokens_charged = ${tokens},
          details = jsonb_set(details, '{price,images}', ${String(images)}::text::jsonb) where id = ${post.draftId}`;
      refuses();
      expect(await publish(post)).toMatchObject({
        warnings: [expect.stringMatching(/не пускает картинки/u)],
        returned: 0,
      });
      expect(await balanceOf(sql(), post.userId)).toBe(1_460);
      expect(await notedOf(post)).toEqual([{ status: 'success', tokens, images: 0 }]);
    });
  });

  it('VK: an answer that was lost is asked for again under the same key, and one post comes of it', async () => {
    const post = await world.aPost(sql(), 'vk');
    world.vk.faults.add({ match: creates.vk, fault: { kind: 'reset-after' } });
    expect(await publish(post)).toMatchObject({ outcome: 'sent' });
    expect(post.arrivals()).toBe(1);
  });

  it('waits as a draft where its platform was switched off, and says so', async () => {
    const post = await world.aPost(sql(), 'vk');
    const withoutVk = postDesk(sql(), { ...world.addresses, vk: null });
    await expect(withoutVk.publish(post.order, signal)).rejects.toMatchObject({
      code: 'PLATFORM_OFF',
      userMessage: expect.stringMatching(/^VK в этом боте сейчас выключен\. Выберите другую площадку/u),
    });
    expect(await statusOf(post)).toBe('draft');
    expect(await publish(post)).toMatchObject({ outcome: 'sent' });
    expect(post.arrivals()).toBe(1);
  });

  it('X10: a channel whose admin our bot is no more is said so', async () => {
    const post = await world.aPost(sql(), 'telegram');
    const bot = Number.parseInt(world.telegram.token, 10);
    world.telegram.channels.stand(Number(post.chat), bot, { status: 'left' });
    await expect(publish(post)).rejects.toMatchObject({
      code: 'PUBLISH_CHANNEL',
      userMessage: expect.stringMatching(/администратор/u),
    });
    expect(await connectionOf(post)).toMatchObject({ status: 'error' });
  });

  it('Telegram: a photo whose text was refused is taken back, and nothing stays in the channel', async () => {
    const post = await world.aPost(sql(), 'telegram', { text: LONG_TEXT });
    world.telegram.faults.add({
      ...{ match: 'sendMessage', chat: post.chat },
      fault: {
        kind: 'status',
        status: 400,
        body: { ok: false, error_code: 400, description: 'Bad Request: x' },
      },
    });
    await expect(publish(post)).rejects.toMatchObject({ code: 'PUBLISH' });
    expect(world.telegram.channels.posts(Number(post.chat))).toEqual([]);
    expect(await publish(post)).toMatchObject({ outcome: 'sent' });
    expect(world.telegram.channels.posts(Number(post.chat))).toHaveLength(2);
  });

  it('X11: Pinterest that limits requests is left alone for 15 minutes, and a messenger is waited for once', async () => {
    const post = await world.aPost(sql(), 'pinterest');
    world.pinterest.faults.add({ match: creates.pinterest, fault: { kind: 'status', status: 429 } });
    await expect(publish(post)).rejects.toMatchObject({
      code: 'PUBLISH',
      userMessage: expect.stringMatching(/через 15 минут/u),
    });
    expect(await statusOf(post)).toBe('draft');
    const message = await world.aPost(sql(), 'telegram');
    world.telegram.faults.add({
      ...{ match: 'sendPhoto', chat: message.chat },
      fault: { kind: 'status', status: 429, retryAfter: 3 },
    });
    expect(await publish(message)).toMatchObject({ outcome: 'sent' });
    expect(message.arrivals()).toBe(1);
  });

  it.each(['vk', 'pinterest'] as const)(
    'X11: %s that names a short wait is waited for once',
    async (platform) => {
      const post = await world.aPost(sql(), platform);
      world[platform].faults.add({
        ...{ match: creates[platform], fault: { kind: 'status', status: 429, retryAfter: 1 } },
      });
      expect(await publish(post)).toMatchObject({ outcome: 'sent' });
      expect(post.arrivals()).toBe(1);
    },
  );

  it('X12: MAX that is not done with the picture is asked again, without another upload', async () => {
    const post = await world.aPost(sql(), 'max');
    world.max.uploads.beSlow(2);
    const before = world.max.uploads.count();
    expect(await publish(post)).toMatchObject({ outcome: 'sent' });
    expect(world.max.uploads.count() - before).toBe(1);
    expect(post.arrivals()).toBe(1);
  });

  it('X13: a token that expires within a day is renewed before the pin goes; one that cannot be is E08', async () => {
    const post = await world.aPost(sql(), 'pinterest');
    await tokenLives(post, 3_600_000);
    expect(await publish(post)).toMatchObject({ outcome: 'sent' });
    const other = await world.aPost(sql(), 'pinterest');
    await tokenLives(other, -1_000);
    world.pinterest.world.revoke(other.chat);
    await expect(publish(other)).rejects.toMatchObject({
      code: 'PUBLISH_CHANNEL',
      userMessage: expect.stringMatching(/Подключите доску заново/u),
    });
  });

  it('a trial application and a deleted board get different messages', async () => {
    const post = await world.aPost(sql(), 'pinterest');
    world.pinterest.world.change({ access: 'trial' });
    await expect(publish(post)).rejects.toMatchObject({
      userMessage: expect.stringMatching(/пробном режиме/u),
    });
    world.pinterest.world.change({ access: 'standard' });
    world.pinterest.world.removeBoard(post.identifier);
    await expect(publish(post)).rejects.toMatchObject({
      userMessage: expect.stringMatching(/доски.*больше нет/u),
    });
  });

  it('X10: goes to another place of the same platform without another charge, while it is a draft', async () => {
    const [post, other] = [await world.aPost(sql(), 'vk'), await world.aPost(sql(), 'vk')];
    const { drafts } = desk();
    const place = { id: other.connectionId, identifier: other.identifier };
    expect(await drafts.move(other.userId, post.draftId, place), 'a stranger').toBe(false);
    expect(await drafts.move(post.userId, post.draftId, place)).toBe(true);
    expect(await drafts.find(post.userId, post.draftId)).toMatchObject({
      connectionId: other.connectionId,
      details: { place: other.identifier },
    });
    await publish(other);
    expect(await drafts.move(other.userId, other.draftId, place), 'it is out').toBe(false);
    expect(await balanceOf(sql(), post.userId)).toBe(1_460);
  });

  it('E27: a post left in review is gone without a refund; one that was refused comes back', async () => {
    const left = await world.aPost(sql(), 'telegram');
    const refused = await world.aPost(sql(), 'telegram');
    world.telegram.faults.add({
      match: 'sendPhoto',
      chat: refused.chat,
      fault: { kind: 'status', status: 503 },
    });
    await expect(publish(refused)).rejects.toMatchObject({ code: 'PUBLISH' });
    const { drafts } = desk();
    expect(await drafts.waiting(left.userId, 0, 0)).toBeNull();
    await sql()`update article_previews set expires_at = now() where id in ${sql()([left.draftId, refused.draftId])}`;
    const ended = (await drafts.expire()).drafts;
    expect(ended.map(({ id, returned }) => ({ id, returned }))).toEqual([
      { id: left.draftId, returned: 0 },
      { id: refused.draftId, returned: 40 },
    ]);
    expect(await balanceOf(sql(), left.userId)).toBe(1_460);
    expect(await balanceOf(sql(), refused.userId)).toBe(1_500);
  });

  it('leaves the books in order', async () => {
    expect(await unbalanced(sql())).toEqual([]);
  });

  async function tokenLives({ userId, connectionId, identifier, chat }: WaitingPost, ms: number) {
    const { accessToken, refreshToken } = world.pinterest.world.grant(chat, 'boards:read pins:write');
    const tokens = storedTokens({ accessToken, refreshToken, expiresAt: Date.now() + ms });
    const connection = (await desk().connections.find(userId, connectionId))!;
    await desk().connections.save(userId, {
      ...{ projectId: connection.projectId, platform: 'pinterest', identifier },
      credentials: { ...tokens, board_id: identifier, board_name: 'Кухни' },
    });
  }
});
