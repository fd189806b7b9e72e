import sharp from 'sharp';
import type { TestBot } from './bot.ts';

/** Photos in a category's gallery, as if they had been sent, each with what their owner wrote under it. */
export async function addPhotos(
  { app }: TestBot,
  { id, categoryId }: { id: number; categoryId: number },
  captions: readonly string[],
): Promise<void> {
  const photos = await Promise.all(
    captions.map(async (caption, i) => {
      const path = `media/${id}/${categoryId}/${i}.jpg`;
      const background = { r: 40 * i, g: 120, b: 90 };
      const bytes = await sharp({ create: { width: 80, height: 60, channels: 3, background } })
        .jpeg()
        .toBuffer();
      await app.pictures!.save(path, bytes, 'image/jpeg');
      const file = { file_id: `f${i}`, type: 'photo', file_size: bytes.length, uploaded_at: '' };
      return { ...file, path, width: 80, height: 60, caption };
    }),
  );
  await app.sql`
    update categories set media = ${JSON.stringify(photos)}::text::jsonb where id = ${categoryId}`;
}
