import { escaped } from '../wordpress/theme.ts';
import type { VkGroupRow, VkWallPost, VkWorld } from './world.ts';

/** What a reader of VK sees at `/club1` and `/wall-1_2`; null where there is no such page. */
export function vkPage(world: VkWorld, path: string): string | null {
  const [, club, owner, postId] = /^\/(?:club(\d+)|wall-(\d+)(?:_(\d+))?)$/u.exec(path) ?? [];
  const group = world.group(Number(club ?? owner));
  if (!group) return null;
  const posts = postId
    ? [world.post(group.id, Number(postId))].filter((post) => post !== undefined)
    : world.wall(group.id);
  if (postId && posts.length === 0) return null;
  return page(group, posts);
}

const page = (group: VkGroupRow, posts: readonly VkWallPost[]): string => `<!doctype html>
<html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(group.name)}</title>
<style>
body { margin: 0; background: #edeef0; font: 15px/1.5 -apple-system, "Segoe UI", sans-serif; color: #000; }
header { background: #fff; border-bottom: 1px solid #dce1e6; padding: 14px 20px; font-weight: 600; }
main { max-width: 34rem; margin: 16px auto; padding: 0 12px; }
article { background: #fff; border-radius: 12px; box-shadow: 0 0 0 1px #dce1e6; padding: 16px; margin-bottom: 16px; }
article b { color: #2a5885; } time { display: block; color: #818c99; font-size: 13px; }
p { white-space: pre-wrap; overflow-wrap: anywhere; } img { width: 100%; border-radius: 8px; }
</style>
<header>${escaped(group.name)}</header>
<main>${posts.map((post) => article(group, post)).join('') || '<p>На стене пока нет записей.</p>'}</main></html>`;

const article = (group: VkGroupRow, { message, photoIds, link, at }: VkWallPost): string =>
  `<article><b>${escaped(group.name)}</b><time>${new Date(at).toLocaleString('ru-RU')}</time>
<p>${escaped(message)}</p>${photoIds.map((id) => `<img src="/photo/${id}" alt="">`).join('')}${
    link ? `<p><a href="${escaped(link)}">${escaped(link)}</a></p>` : ''
  }</article>`;
