import { FormData } from 'undici';
import { z } from 'zod';
import { parseJson, readAs } from '../../clients/http/api-answer.ts';
import { AnswerUnreadable, ApiRefused, mayPass, refusedWithoutForm } from '../../clients/http/api-refused.ts';
import { callOnce, type OnceCall } from '../../clients/http/call-once.ts';
import { doubling, MOST_WAIT_MS, repeat } from '../../clients/http/repeat.ts';
import type { Json } from '../../engine/json.ts';

type VkOptions = {
  /** Without a slash at the end; methods are under `/method/`. */
  baseUrl: string;
  /** Where people read the posts. */
  siteUrl: string;
  timeoutMs?: number;
  uploadTimeoutMs?: number;
  /** Of a read, beyond the first try. */
  retries?: number;
  waitMs?: (repeat: number) => number;
};

type VkPhoto = { bytes: Uint8Array; fileName: string; contentType: string };
export type VkGroup = z.infer<typeof group>;

export type VkPost = {
  /** Positive, as VK counts communities. */
  groupId: number;
  message: string;
  /** `photo-1_2` or an address. */
  attachments?: readonly string[];
  /** VK answers a repeat under the same one within an hour with the post it made. */
  guid: string;
};

export type Vk = ReturnType<typeof createVk>;

const VERSION = '5.199';
/** More communities than a person can look through in a chat. */
const MOST_GROUPS = 200;
/** No right to it, or not with a key of this kind. */
const NOT_FOR_THIS_KEY = ['7', '15', '27', '28', '1051'];
const TOO_OFTEN = '6';
const TOO_OFTEN_WAIT_MS = 1_000;
const INTERNAL = ['1', '10'];
/** The file went astray between its upload and its saving. */
const UPLOAD_LOST = ['118', '121', '129'];

/**
 * VK's API. By hand, not by vk-io: that one repeats calls by itself, and a post must tell whether its request has
 * left. Every refusal comes with HTTP 200; its number is the `word` of ApiRefused.
 */
export function createVk({
  baseUrl,
  siteUrl,
  timeoutMs = 15_000,
  uploadTimeoutMs = 30_000,
  retries = 2,
  waitMs = doubling,
}: VkOptions) {
  return {
    /** Answered to the key of a community alone. */
    permissions: async (token: string, signal?: AbortSignal) =>
      (await read(token, 'groups.getTokenPermissions', {}, permissions, signal)).permissions.map(
        ({ name }) => name,
      ),
    /** Communities in which the owner of the token may publish. */
    groups: async (token: string, signal?: AbortSignal): Promise<VkGroup[]> => {
      const asked = {
        extended: '1',
        filter: 'admin,editor',
        fields: 'members_count',
        count: `${MOST_GROUPS}`,
      };
      return (await read(token, 'groups.get', asked, groups, signal)).items;
    },
    /** Without an id: the community that the key belongs to. */
    group: async (token: string, groupId: number | null, signal?: AbortSignal): Promise<VkGroup | null> => {
      const asked = { fields: 'members_count', ...(groupId !== null && { group_id: String(groupId) }) };
      return (await read(token, 'groups.getById', asked, groupsById, signal)).groups[0] ?? null;
    },
    mayUpload,
    uploadPhoto,
    post,
    groupUrl: (groupId: number): string => `${siteUrl}/club${groupId}`,
  };

  /** Whether this key brings pictures to the wall: VK tells it only by refusing. */
  async function mayUpload(token: string, groupId: number, signal?: AbortSignal): Promise<boolean> {
    try {
      await read(token, 'photos.getWallUploadServer', { group_id: String(groupId) }, uploadServer, signal);
      return true;
    } catch (error) {
      if (isWord(error, NOT_FOR_THIS_KEY)) return false;
      throw error;
    }
  }

  /** Brings a picture for the wall and returns what to attach. Nothing of it is seen on the wall before the post. */
  async function uploadPhoto(
    token: string,
    groupId: number,
    photo: VkPhoto,
    signal?: AbortSignal,
  ): Promise<string> {
    const bring = async (): Promise<string> => {
      const asked = { group_id: String(groupId) };
      const { upload_url } = await read(token, 'photos.getWallUploadServer', asked, uploadServer, signal);
      const { server, photo: taken, hash } = await upload(upload_url, photo, signal);
      const saved = await patiently(
        () =>
          call(
            token,
            'photos.saveWallPhoto',
            { ...asked, server: String(server), photo: taken, hash },
            signal,
          ),
        signal,
      );
      const [first] = readAs('VK photos.saveWallPhoto', saved, savedPhotos);
      if (!first) throw new AnswerUnreadable('VK photos.saveWallPhoto', JSON.stringify(saved));
      return `photo${first.owner_id}_${first.id}`;
    };
    return repeat(bring, {
      ...{ retries: 1, waitMs: () => 0, mostWaitMs: 0, signal },
      mayPass: (error) => isWord(error, UPLOAD_LOST) && { retryAfterSec: 0 },
    });
  }

  async function upload(url: string, photo: VkPhoto, signal?: AbortSignal) {
    const what = 'VK upload of a photo';
    const form = new FormData();
    form.set('photo', new Blob([new Uint8Array(photo.bytes)], { type: photo.contentType }), photo.fileName);
    const answer = await callOnce(what, url, {
      method: 'POST',
      body: form,
      timeoutMs: uploadTimeoutMs,
      signal,
    });
    const body = parseJson(answer.text);
    if (answer.status !== 200) throw refusedWithoutForm(what, answer, body);
    const taken = uploaded.safeParse(body);
    // «[]» is how that host says no; a word such as «Security Breach2» too.
    if (!taken.success || taken.data.photo === '[]')
      throw new ApiRefused(what, {
        status: 200,
        word: 'upload.refused', // ours: that host has no numbers
        description: answer.text.slice(0, 200),
        body,
      });
    return taken.data;
  }

  /** Made once: only a call that VK says it has not begun is repeated. */
  async function post(
    token: string,
    { groupId, message, attachments = [], guid }: VkPost,
    signal?: AbortSignal,
  ): Promise<{ postId: number; url: string; raw: Json }> {
    const asked = {
      owner_id: `-${groupId}`,
      from_group: '1',
      message,
      ...(attachments.length > 0 && { attachments: attachments.join(',') }),
      guid,
    };
    const raw = await patiently(() => call(token, 'wall.post', asked, signal), signal);
    const { post_id: postId } = readAs('VK wall.post', raw, created);
    return { postId, url: `${siteUrl}/wall-${groupId}_${postId}`, raw };
  }

  function read<Result>(
    token: string,
    method: string,
    params: Record<string, string>,
    shape: z.ZodType<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const attempt = async () => readAs(`VK ${method}`, await call(token, method, params, signal), shape);
    return repeat(attempt, {
      ...{ retries, waitMs, mostWaitMs: MOST_WAIT_MS, signal },
      mayPass: readMayPass,
    });
  }

  /** Too many calls in a second: VK has done nothing, so that even a create may be asked again. */
  function patiently<Result>(attempt: () => Promise<Result>, signal: AbortSignal | undefined) {
    return repeat(attempt, {
      ...{ retries, waitMs, mostWaitMs: MOST_WAIT_MS, signal },
      mayPass: (error) => isWord(error, [TOO_OFTEN]) && { retryAfterSec: waited(error) },
    });
  }

  async function call(
    token: string,
    method: string,
    params: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<Json> {
    const what = `VK ${method}`;
    const request: OnceCall = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...params, access_token: token, v: VERSION }).toString(),
      timeoutMs,
      signal,
    };
    const answer = await callOnce(what, `${baseUrl}/method/${method}`, request);
    const body = parseJson(answer.text);
    const said = envelope.safeParse(body);
    if (!said.success) {
      if (answer.status >= 200 && answer.status < 300) throw new AnswerUnreadable(what, answer.text);
      throw refusedWithoutForm(what, answer, body);
    }
    if ('response' in said.data) return said.data.response as Json;
    throw refused(what, said.data.error);
  }
}

/** The request's own parameters are left out: they repeat what was sent. */
function refused(
  what: string,
  { error_code, error_subcode, error_msg }: z.infer<typeof refusal>,
): ApiRefused {
  const word = String(error_code);
  return new ApiRefused(what, {
    status: 200,
    word,
    description: error_msg,
    retryAfterMs: word === TOO_OFTEN ? TOO_OFTEN_WAIT_MS : null,
    body: { error_code, error_msg, ...(error_subcode !== undefined && { error_subcode }) },
  });
}

function readMayPass(error: unknown): false | { retryAfterSec: number | null } {
  if (isWord(error, [TOO_OFTEN, ...INTERNAL])) return { retryAfterSec: waited(error) };
  return mayPass(error);
}

const isWord = (error: unknown, words: readonly string[]): boolean =>
  error instanceof ApiRefused && words.includes(error.word ?? '');

const waited = (error: unknown): number | null =>
  error instanceof ApiRefused && error.retryAfterMs !== null ? error.retryAfterMs / 1_000 : null;

const refusal = z.object({
  error_code: z.number(),
  error_subcode: z.number().optional(),
  error_msg: z.string().default(''),
});
const envelope = z.union([z.object({ error: refusal }), z.object({ response: z.unknown() })]);

const permissions = z.object({ permissions: z.array(z.object({ name: z.string() })) });
const group = z.object({
  id: z.number(),
  name: z.string(),
  screen_name: z.string().optional(),
  members_count: z.number().optional(),
});
const groups = z.object({ items: z.array(group) });
const groupsById = z.object({ groups: z.array(group) });
const uploadServer = z.object({ upload_url: z.string() });
const uploaded = z.object({ server: z.number(), photo: z.string(), hash: z.string() });
const savedPhotos = z.array(z.object({ id: z.number(), owner_id: z.number() }));
const created = z.object({ post_id: z.number() });
