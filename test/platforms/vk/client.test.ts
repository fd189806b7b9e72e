import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerUnreadable, ApiRefused } from '../../../src/clients/http/api-refused.ts';
import { AnswerLost } from '../../../src/clients/http/call-once.ts';
import { createVk, type Vk } from '../../../src/platforms/vk/client.ts';
import { vkMayBeDone, vkReport } from '../../../src/platforms/vk/failures.ts';
import { startVkStandIn, type VkStandIn, vkFault } from '../../../src/sandbox/vk/start.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { startRecorder } from '../../support/recorder.ts';

const groupId = 7001;
const community = 'vk1.a.community-key-of-no-value';
const person = 'vk1.a.user-token-of-no-value';
const png = tinyPng(8, 8);
const photo = { bytes: png, fileName: 'picture.png', contentType: 'image/png' };
let service: VkStandIn;
let vk: Vk;

beforeEach(async () => {
  service = await startVkStandIn({ limits: null });
  service.world.addGroup({ id: groupId, name: 'Мебель', screenName: 'mebel', members: 120 });
  service.world.addGroup({ id: 7002, name: 'Чужая', screenName: 'other', members: 3 });
  service.world.addToken({ token: community, kind: 'community', groupId, rights: ['wall', 'photos'] });
  service.world.addToken({
    ...{ token: person, kind: 'user', rights: ['wall', 'photos', 'groups', 'offline'] },
    roles: { [groupId]: 'admin', 7002: 'moder' },
  });
  vk = createVk({ baseUrl: service.url, siteUrl: service.url, waitMs: () => 1 });
});
afterEach(() => service.close());

describe('the client of VK', () => {
  it('asks every method as VK takes it, field by field', async () => {
    const recorder = await startRecorder(({ path }) => {
      const method = path.split('/').at(-1) ?? '';
      if (method === 'up') return { server: 11, photo: '[{"photo":"x"}]', hash: 'h4sh' };
      return { response: answers[method as keyof typeof answers] };
    });
    const answers = {
      'groups.getTokenPermissions': { mask: 8192, permissions: [{ name: 'wall', setting: 8192 }] },
      'groups.get': { count: 1, items: [{ id: 5, name: 'Мебель' }] },
      'groups.getById': { groups: [{ id: 5, name: 'Мебель' }], profiles: [] },
      'photos.getWallUploadServer': { upload_url: `${recorder.url}/up`, album_id: -14, user_id: 1 },
      'photos.saveWallPhoto': [{ id: 9, owner_id: -5 }],
      'wall.post': { post_id: 77 },
    };
    const recorded = createVk({ baseUrl: recorder.url, siteUrl: 'https://vk.com' });
    await recorded.permissions('T');
    await recorded.groups('T');
    await recorded.group('T', null);
    await recorded.group('T', 5);
    const attached = await recorded.uploadPhoto('T', 5, photo);
    const made = await recorded.post('T', {
      ...{ groupId: 5, message: 'Привет', guid: 'key-1' },
      attachments: [attached, 'https://site.example/'],
    });
    await recorder.close();
    const form = (path: string, fields: object) => ({
      ...{ method: 'POST', path: `/method/${path}`, query: {} },
      headers: { authorization: undefined, 'content-type': 'application/x-www-form-urlencoded' },
      body: { ...fields, access_token: 'T', v: '5.199' },
    });
    expect(recorder.requests).toEqual([
      form('groups.getTokenPermissions', {}),
      form('groups.get', { extended: '1', filter: 'admin,editor', fields: 'members_count', count: '200' }),
      form('groups.getById', { fields: 'members_count' }),
      form('groups.getById', { fields: 'members_count', group_id: '5' }),
      form('photos.getWallUploadServer', { group_id: '5' }),
      {
        ...{ method: 'POST', path: '/up', query: {} },
        headers: { authorization: undefined, 'content-type': 'multipart/form-data' },
        body: { photo: { name: 'picture.png', type: 'image/png', size: png.length } },
      },
      form('photos.saveWallPhoto', { group_id: '5', server: '11', photo: '[{"photo":"x"}]', hash: 'h4sh' }),
      form('wall.post', {
        ...{ owner_id: '-5', from_group: '1', message: 'Привет' },
        ...{ attachments: 'photo-5_9,https://site.example/', guid: 'key-1' },
      }),
    ]);
    expect(made).toMatchObject({ postId: 77, url: 'https://vk.com/wall-5_77' });
  });

  it('learns from the key itself whether it is a community’s or a person’s', async () => {
    expect(await vk.permissions(community)).toEqual(['wall', 'photos']);
    expect(await vk.group(community, null)).toMatchObject({
      id: groupId,
      name: 'Мебель',
      members_count: 120,
    });
    await expect(vk.permissions(person)).rejects.toBeInstanceOf(ApiRefused);
    expect(await vk.groups(person)).toMatchObject([{ id: groupId }]); // a moderator cannot publish
  });

  it('brings a picture and publishes it, by a person’s token alone', async () => {
    const attached = await vk.uploadPhoto(person, groupId, photo);
    const { postId } = await vk.post(person, {
      ...{ groupId, message: 'С картинкой', attachments: [attached], guid: 'a' },
    });
    expect(service.world.wall(groupId)).toMatchObject([{ id: postId, message: 'С картинкой' }]);
    expect(service.world.wall(groupId)[0]?.photoIds).toHaveLength(1);
    await expect(vk.uploadPhoto(community, groupId, photo)).rejects.toMatchObject({ word: '27' });
    await vk.post(community, { groupId, message: 'Только текст', guid: 'b' });
    expect(service.world.wall(groupId)).toHaveLength(2);
  });

  it('finds the same post under the same guid', async () => {
    const first = await vk.post(community, { groupId, message: 'раз', guid: 'same' });
    expect(await vk.post(community, { groupId, message: 'раз', guid: 'same' })).toEqual(first);
    expect(service.world.wall(groupId)).toHaveLength(1);
  });

  it('waits when VK counts too many calls, a post too, and brings a lost picture again', async () => {
    const slow = createVk({ baseUrl: service.url, siteUrl: service.url, waitMs: () => 1 });
    service.faults.add(vkFault('wall.post', 6));
    await slow.post(community, { groupId, message: 'раз', guid: 'c' });
    service.faults.add(vkFault('saveWallPhoto', 121));
    expect(await slow.uploadPhoto(person, groupId, photo)).toMatch(/^photo-7001_\d+$/u);
  });

  it('asks again where VK failed inside, but never for a post', async () => {
    service.faults.add(vkFault('groups.get', 10));
    expect(await vk.groups(person)).toHaveLength(1);
    service.faults.add(vkFault('wall.post', 10));
    const lost = await vk.post(community, { groupId, message: 'раз', guid: 'd' }).catch((error) => error);
    expect(vkMayBeDone(lost)).toBe(true);
    service.faults.add({ match: 'wall.post', fault: { kind: 'reset-after' } });
    const dropped = await vk.post(community, { groupId, message: 'два', guid: 'e' }).catch((error) => error);
    expect(dropped).toBeInstanceOf(AnswerLost);
    expect(vkMayBeDone(dropped)).toBe(true);
    expect(service.world.wall(groupId)).toHaveLength(1);
  });

  it('keeps what was sent out of the report of a refusal', async () => {
    const refused = await vk
      .post('vk1.a.unknown', { groupId, message: 'x', guid: 'f' })
      .catch((error) => error);
    expect(JSON.stringify([refused.message, refused.body])).not.toContain('vk1.a.unknown');
    expect(vkReport(refused)).toMatchObject({ category: 'PERMANENT', scope: 'channel', code: '5' });
  });

  it('has words for every number that VK refuses with', async () => {
    const meanings = {
      ...{ 1: 'TRANSIENT platform', 5: 'PERMANENT channel', 6: 'TRANSIENT platform', 9: 'TRANSIENT channel' },
      ...{
        14: 'TRANSIENT channel',
        15: 'PERMANENT channel',
        17: 'PERMANENT channel',
        24: 'PERMANENT channel',
      },
      ...{
        27: 'PERMANENT channel',
        28: 'PERMANENT channel',
        29: 'TRANSIENT channel',
        100: 'PERMANENT delivery',
      },
      ...{ 118: 'TRANSIENT delivery', 125: 'PERMANENT channel', 203: 'PERMANENT channel' },
      ...{ 214: 'PERMANENT delivery', 219: 'PERMANENT delivery', 222: 'PERMANENT delivery' },
      ...{ 1051: 'PERMANENT channel', 3300: 'TRANSIENT channel', 3609: 'PERMANENT channel' },
    };
    for (const [code, meaning] of Object.entries(meanings)) {
      service.faults.add(vkFault('groups.getById', Number(code), 3));
      const report = vkReport(await vk.group(community, null).catch((error) => error));
      service.faults.clear();
      expect(`${report?.category} ${report?.scope}`, code).toBe(meaning);
      expect(report?.userMessage, code).toMatch(/^[А-ЯЁV].+\.$/u);
    }
  });

  it('says when a picture was not taken or an answer cannot be read', async () => {
    const webp = { ...photo, bytes: Buffer.from('no picture at all, only words in a file') };
    await expect(vk.uploadPhoto(person, groupId, webp)).rejects.toMatchObject({ word: 'upload.refused' });
    service.faults.add({ match: 'groups.getById', fault: { kind: 'malformed' } });
    await expect(vk.group(community, null)).rejects.toBeInstanceOf(AnswerUnreadable);
  });

  it('meets VK’s count of calls a second', async () => {
    const counted = await startVkStandIn();
    counted.world.addToken({ token: person, kind: 'user', rights: ['groups'], roles: {} });
    const quick = createVk({ baseUrl: counted.url, siteUrl: counted.url, retries: 0 });
    const calls = await Promise.allSettled(Array.from({ length: 5 }, () => quick.groups(person)));
    await counted.close();
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.word] : []));
    expect(refused).toContain('6');
  });
});
