import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { type KeptFiles, readUploadedFile } from '../kept-files.ts';
import { createRates } from '../rates.ts';
import { imageSize } from '../telegram/image-size.ts';
import type { VkGroupRow, VkToken, VkWorld } from './world.ts';

/** A refusal in VK's words; it goes out with HTTP 200. */
class VkError extends Error {
  override readonly name = 'VkError';
  readonly code: number;
  readonly subcode: number | undefined;
  constructor(code: number, message: string, subcode?: number) {
    super(message);
    this.code = code;
    this.subcode = subcode;
  }
}

type VkApiOptions = {
  world: VkWorld;
  files: KeptFiles;
  /** Calls a second; null: as many as one likes. */
  limits: { user: number; community: number } | null;
  now: () => number;
};

type Asked = { token: VkToken; params: URLSearchParams; origin: string };
type UploadSession = { server: number; groupId: number };
type Uploaded = UploadSession & { hash: string; photo: string; name: string; mime: string };

const MAX_BODY = 1024 * 1024;
const OLDEST_VERSION = 5.131;
const MOST_MEDIA = 10;
const MOST_TEXT = 16_384;
const MOST_SIDES = 14_000;
const WALL_ALBUM = -14;
const masks: Readonly<Record<string, number>> = { photos: 4, wall: 8_192, manage: 262_144 };

/** VK's methods, and the host that takes photos. */
export function createVkApi({ world, files, limits, now }: VkApiOptions): HttpHandler {
  const sessions = new Map<string, UploadSession>();
  const uploads = new Map<string, Uploaded>();
  const rates = limits && {
    user: createRates({ perBot: limits.user, perChat: limits.user }, now),
    community: createRates({ perBot: limits.community, perChat: limits.community }, now),
  };
  const methods: Readonly<Record<string, (asked: Asked) => unknown>> = {
    'groups.getTokenPermissions': tokenPermissions,
    'groups.get': ownGroups,
    'groups.getById': groupById,
    'photos.getWallUploadServer': uploadServer,
    'photos.saveWallPhoto': saveWallPhoto,
    'wall.post': wallPost,
  };
  return handle;

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const upload = /^\/upload\/(\w+)$/u.exec(url.pathname)?.[1];
    if (upload && request.method === 'POST') {
      sendJson(response, 200, await receive(upload, request));
      return true;
    }
    const name = /^\/method\/([\w.]+)$/u.exec(url.pathname)?.[1];
    if (!name) return false;
    const body = (await readBody(request, MAX_BODY)).toString();
    const params = new URLSearchParams(body || url.search);
    try {
      sendJson(response, 200, { response: answer(name, params, `http://${request.headers.host}`) });
    } catch (error) {
      if (!(error instanceof VkError)) throw error;
      sendJson(response, 200, { error: errorBody(error, name, params) });
    }
    return true;
  }

  function answer(name: string, params: URLSearchParams, origin: string): unknown {
    const method = methods[name];
    if (!method) throw new VkError(3, 'Unknown method passed');
    if (!(Number(params.get('v')) >= OLDEST_VERSION))
      throw new VkError(8, 'Invalid request: versions below 5.131 are deprecated.');
    const given = params.get('access_token');
    const token = world.token(given ?? '');
    if (!token)
      throw new VkError(
        5,
        `User authorization failed: ${given ? 'invalid access_token (4).' : 'no access_token passed.'}`,
      );
    const rate = rates?.[token.kind === 'community' ? 'community' : 'user'];
    if (rate && rate.take(token.token, token.token) !== null)
      throw new VkError(6, 'Too many requests per second');
    return method({ token, params, origin });
  }

  function tokenPermissions({ token }: Asked) {
    if (token.kind !== 'community')
      throw new VkError(15, 'Access denied: method is available with a community token only');
    const permissions = token.rights.map((name) => ({ name, setting: masks[name] ?? 1 }));
    return { mask: permissions.reduce((sum, { setting }) => sum | setting, 0), permissions };
  }

  function ownGroups({ token, params }: Asked) {
    const { roles } = personal(token, 'groups');
    const wanted = (params.get('filter') ?? 'admin,editor,moder').split(',');
    const items = Object.entries(roles)
      .filter(([, role]) => wanted.includes(role))
      .flatMap(([id]) => world.group(Number(id)) ?? [])
      .slice(0, Number(params.get('count') ?? 1_000));
    return { count: items.length, items: items.map(shown) };
  }

  function groupById({ token, params }: Asked) {
    if (token.kind === 'vkid') throw notForProfile();
    const ids = (params.get('group_ids') ?? params.get('group_id'))?.split(',').map(Number);
    const asked = ids ?? (token.kind === 'community' ? [token.groupId] : []);
    if (asked.length === 0)
      throw new VkError(100, 'One of the parameters specified was missing or invalid: group_id');
    return { groups: asked.map((id) => shown(existing(id))), profiles: [] };
  }

  function uploadServer({ token, params, origin }: Asked) {
    const groupId = photoGroup(token, params);
    const id = randomBytes(12).toString('hex');
    sessions.set(id, { server: 800_000 + sessions.size, groupId });
    return { upload_url: `${origin}/upload/${id}`, album_id: WALL_ALBUM, user_id: 0 };
  }

  /** Photos go to the wall by a person's token alone, whatever rights a community's key has. */
  function photoGroup(token: VkToken, params: URLSearchParams): number {
    if (token.kind === 'community')
      throw new VkError(27, 'Group authorization failed: method is unavailable with group auth.');
    const { roles } = personal(token, 'photos');
    const groupId = Number(params.get('group_id'));
    existing(groupId);
    if (!roles[groupId]) throw new VkError(15, 'Access denied: no rights for this community');
    return groupId;
  }

  async function receive(id: string, request: IncomingMessage): Promise<unknown> {
    const session = sessions.get(id);
    const file = await readUploadedFile(request, 'photo');
    if (!session || !file) return 'Security Breach2';
    const size = imageSize(file.bytes);
    const isTaken = size && size.mime !== 'image/webp' && size.width + size.height <= MOST_SIDES;
    const hash = randomBytes(16).toString('hex');
    if (!isTaken) return { server: session.server, photo: '[]', hash };
    files.put(id, file.bytes);
    const photo = JSON.stringify([{ photo: id, sizes: [] }]);
    uploads.set(hash, { ...session, hash, photo, name: id, mime: size.mime });
    return { server: session.server, photo, hash };
  }

  function saveWallPhoto({ token, params }: Asked) {
    const groupId = photoGroup(token, params);
    const uploaded = uploads.get(params.get('hash') ?? '');
    if (!uploaded || uploaded.groupId !== groupId) throw new VkError(121, 'Invalid hash');
    if (Number(params.get('server')) !== uploaded.server) throw new VkError(118, 'Invalid server');
    if (params.get('photo') !== uploaded.photo) throw new VkError(129, 'Invalid photo');
    uploads.delete(uploaded.hash);
    const { id, ownerId } = world.addPhoto({ ownerId: -groupId, mime: uploaded.mime });
    const bytes = files.get(uploaded.name);
    if (bytes) files.put(`photo-${id}`, bytes);
    return [{ id, owner_id: ownerId, access_key: 'abc', sizes: [] }];
  }

  function wallPost({ token, params }: Asked) {
    const owner = Number(params.get('owner_id'));
    const group = existing(-owner);
    refuseStrangers(token, group, params.get('from_group') === '1');
    const guid = params.get('guid');
    const before = guid ? world.postBy(group.id, guid) : undefined;
    if (before) return { post_id: before.id };
    const message = params.get('message') ?? '';
    const { photoIds, link } = attachmentsOf(params.get('attachments'));
    if (message === '' && photoIds.length === 0 && link === null)
      throw new VkError(100, 'One of the parameters specified was missing or invalid: message');
    if (message.length > MOST_TEXT)
      throw new VkError(100, 'One of the parameters specified was missing or invalid: message is too long');
    return { post_id: world.addPost({ groupId: group.id, message, photoIds, link, guid }).id };
  }

  function refuseStrangers(token: VkToken, group: VkGroupRow, fromGroup: boolean): void {
    if (token.kind === 'vkid') throw notForProfile();
    if (!token.rights.includes('wall')) throw new VkError(15, 'Access denied: no access to wall', 1133);
    const role = token.kind === 'user' ? token.roles[group.id] : null;
    const mayPost =
      token.kind === 'community' ? token.groupId === group.id : role === 'admin' || role === 'editor';
    if (!mayPost || !fromGroup)
      throw new VkError(214, 'Access to adding post denied: you can only add posts as a community');
  }

  function attachmentsOf(given: string | null): { photoIds: number[]; link: string | null } {
    const parts = given ? given.split(',').map((part) => part.trim()) : [];
    const links = parts.filter((part) => /^https?:\/\//u.test(part));
    const photoIds = parts.flatMap((part) => {
      const [, owner, id] = /^photo(-?\d+)_(\d+)$/u.exec(part) ?? [];
      if (id === undefined) return [];
      if (world.photo(Number(id))?.ownerId !== Number(owner)) throw invalidAttachments();
      return [Number(id)];
    });
    const isRead = links.length + photoIds.length === parts.length;
    if (!isRead || links.length > 1 || photoIds.length > MOST_MEDIA) throw invalidAttachments();
    return { photoIds, link: links[0] ?? null };
  }

  /** A person's own token, with that right. */
  function personal(token: VkToken, right: string): Extract<VkToken, { kind: 'user' }> {
    if (token.kind === 'vkid') throw notForProfile();
    if (token.kind === 'community')
      throw new VkError(27, 'Group authorization failed: method is unavailable with group auth.');
    if (!token.rights.includes(right)) throw new VkError(15, `Access denied: no ${right}`, 1133);
    return token;
  }

  function existing(id: number): VkGroupRow {
    const found = world.group(id);
    if (!found) throw new VkError(125, 'Invalid group id');
    return found;
  }
}

const shown = ({ id, name, screenName, members }: VkGroupRow) => ({
  ...{ id, name, screen_name: screenName, is_closed: 0, type: 'page', members_count: members },
});

const notForProfile = () => new VkError(1051, 'This method is not available for this profile type');
const invalidAttachments = () =>
  new VkError(100, 'One of the parameters specified was missing or invalid: attachments');

function errorBody({ code, subcode, message }: VkError, method: string, params: URLSearchParams) {
  const sent = [...params].filter(([key]) => key !== 'access_token');
  return {
    error_code: code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    error_msg: message,
    request_params: [['method', method], ...sent].map(([key, value]) => ({ key, value })),
  };
}
