import type { Journal } from '../journal.ts';

export type VkGroupRow = { id: number; name: string; screenName: string; members: number };
type VkRole = 'admin' | 'editor' | 'moder';
/** What a key can do depends on how it was issued, more than on the rights that were ticked. */
export type VkToken =
  | { token: string; kind: 'community'; groupId: number; rights: readonly string[] }
  | { token: string; kind: 'user'; rights: readonly string[]; roles: Readonly<Record<number, VkRole>> }
  /** Issued by VK ID: almost everything is refused to it. */
  | { token: string; kind: 'vkid' };

type VkPhotoRow = { id: number; ownerId: number; mime: string };
export type VkWallPost = {
  id: number;
  groupId: number;
  message: string;
  photoIds: number[];
  link: string | null;
  guid: string | null;
  at: number;
};

export type VkWorld = ReturnType<typeof openVkWorld>;

const FIRST_PHOTO = 457_239_017;
const HOUR_MS = 3_600_000;

/** Everything VK's server knows: communities, keys, photos, walls. */
export function openVkWorld(journal: Journal, now: () => number) {
  const groups = journal.table<VkGroupRow>('groups');
  const tokens = journal.table<VkToken>('tokens');
  const photos = journal.table<VkPhotoRow>('photos');
  const posts = journal.table<VkWallPost>('posts');
  return {
    addGroup: (group: VkGroupRow) => groups.put(group.id, group),
    group: (id: number) => groups.get(id),
    groups: () => groups.values(),
    addToken: (token: VkToken) => tokens.put(token.token, token),
    revoke: (token: string) => tokens.remove(token),
    token: (token: string) => tokens.get(token),
    photo: (id: number) => photos.get(id),
    addPhoto,
    addPost,
    postBy,
    /** In the order of the wall: the newest first. */
    wall: (groupId: number) =>
      posts
        .values()
        .filter((post) => post.groupId === groupId)
        .reverse(),
    post: (groupId: number, id: number) => posts.get(keyOf(groupId, id)),
    clear: (groupId: number) => {
      for (const post of posts.values()) if (post.groupId === groupId) posts.remove(keyOf(groupId, post.id));
    },
  };

  function addPhoto(photo: Omit<VkPhotoRow, 'id'>): VkPhotoRow {
    const row = { ...photo, id: FIRST_PHOTO + photos.values().length };
    photos.put(row.id, row);
    return row;
  }

  function addPost(post: Omit<VkWallPost, 'id' | 'at'>): VkWallPost {
    const before = posts.values().filter(({ groupId }) => groupId === post.groupId);
    const row = { ...post, id: (before.at(-1)?.id ?? 0) + 1, at: now() };
    posts.put(keyOf(row.groupId, row.id), row);
    return row;
  }

  /** A repeat of the same post: VK remembers a guid for an hour. */
  function postBy(groupId: number, guid: string): VkWallPost | undefined {
    return posts
      .values()
      .find((post) => post.groupId === groupId && post.guid === guid && post.at > now() - HOUR_MS);
  }
}

const keyOf = (groupId: number, id: number): string => `${groupId}_${id}`;
