import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { slug as toSlug } from '../../services/content/slug.ts';
import { pictureFormat } from '../../services/pictures/picture-format.ts';
import { imageSize } from '../telegram/image-size.ts';
import { refusedFor } from './login.ts';
import type { Call } from './rest.ts';
import { can } from './roles.ts';
import type { Site } from './site.ts';
import { type Media, WpError } from './wire.ts';

type Sent = { name: string; bytes: Buffer };

export async function uploadMedia({ site, user, request, bytes, base }: Call) {
  if (!user || !can(user, 'upload_files'))
    throw refusedFor(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.');
  const sent = await fileOf(request, bytes);
  await sleep(site.settings.uploadMs);
  const format = pictureFormat(sent.bytes);
  const extension = /\.(\w+)$/u.exec(sent.name)?.[1]?.toLowerCase() ?? '';
  if (!format || !['png', 'jpg', 'jpeg', 'webp', 'gif'].includes(extension))
    throw new WpError(
      500,
      'rest_upload_sideload_error',
      'Sorry, you are not allowed to upload this file type.',
    );
  const media = keep(site, user.id, sent, format.contentType);
  const body = shown(media, base);
  return { status: 201, body, headers: { location: `${base}/wp-json/wp/v2/media/${media.id}` } };
}

export function updateMedia({ site, user, json, base, id }: Call & { id: number }) {
  const media = site.media.get(id);
  if (!media) throw new WpError(404, 'rest_post_invalid_id', 'Invalid post ID.');
  if (!user || (media.author !== user.id && !can(user, 'edit_others_posts')))
    throw refusedFor(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  const words = (json ?? {}) as Record<string, unknown>;
  const said = (name: string, before: string) => (typeof words[name] === 'string' ? words[name] : before);
  const changed = {
    ...media,
    alt: said('alt_text', media.alt),
    caption: said('caption', media.caption),
    title: said('title', media.title),
  };
  site.media.put(id, changed);
  return { status: 200, body: shown(changed, base) };
}

export function listMedia({ site, query, base }: Call) {
  const slugs = query.get('slug')?.split(',');
  const found = site.media.values().filter(({ slug }) => !slugs || slugs.includes(slug));
  return { status: 200, body: found.reverse().map((media) => shown(media, base)) };
}

function keep(site: Site, author: number, { name, bytes }: Sent, mime: string): Media {
  const id = site.nextId();
  const madeAt = new Date().toISOString();
  const folder = madeAt.slice(0, 7).replace('-', '/');
  const [, stem = 'file', extension = ''] = /^(.*?)(\.\w+)$/u.exec(name.replace(/[^\w.-]+/gu, '-')) ?? [];
  const free = site.freeSlug(`${folder}/${stem}`, site.media.values().map(fileStem), id);
  const file = `${free}${extension.toLowerCase()}`;
  const { width, height } = imageSize(bytes) ?? { width: 0, height: 0 };
  site.keepFile(file, bytes);
  const slug = site.freeSlug(toSlug(stem), [...site.media.values(), ...site.posts.values()], id);
  const media = { id, author, slug, title: stem, alt: '', caption: '', mime, file, width, height, madeAt };
  site.media.put(id, media);
  return media;
}

const fileStem = ({ id, file }: Media) => ({ id, slug: file.replace(/\.\w+$/u, '') });

const shown = (
  { id, slug, title, alt, caption, mime, file, width, height, author, madeAt }: Media,
  base: string,
) => ({
  id,
  date_gmt: madeAt.slice(0, 19),
  slug,
  status: 'inherit',
  type: 'attachment',
  author,
  title: { raw: title, rendered: title },
  caption: { raw: caption, rendered: caption },
  alt_text: alt,
  media_type: 'image',
  mime_type: mime,
  media_details: { width, height, file, sizes: {} },
  source_url: `${base}/wp-content/uploads/${file}`,
});

async function fileOf(request: IncomingMessage, bytes: Buffer): Promise<Sent> {
  const { headers } = request;
  const type = headers['content-type'];
  if (type?.startsWith('multipart/form-data')) return formFile(type, bytes);
  if (bytes.length === 0) throw new WpError(400, 'rest_upload_no_data', 'No data supplied.');
  if (!type) throw new WpError(400, 'rest_upload_no_content_type', 'No Content-Type supplied.');
  const disposition = headers['content-disposition'];
  if (!disposition)
    throw new WpError(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.');
  const name = /filename="?([^";]+)"?/u.exec(disposition)?.[1];
  if (!name)
    throw new WpError(
      400,
      'rest_upload_invalid_disposition',
      'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
    );
  const digest = headers['content-md5'];
  if (digest && digest !== createHash('md5').update(bytes).digest('hex'))
    throw new WpError(412, 'rest_upload_hash_mismatch', 'Content hash did not match expected.');
  return { name, bytes };
}

async function formFile(type: string, bytes: Buffer): Promise<Sent> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const file = form.get('file');
  if (!(file instanceof File)) throw new WpError(400, 'rest_upload_no_data', 'No data supplied.');
  return { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) };
}
