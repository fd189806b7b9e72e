import { z } from 'zod';
import {
  type Keyboard,
  NOTHING_SENT,
  type OutgoingPost,
  type Preflight,
  type Rendered,
  type SeriesProgress,
} from '../../platforms/messenger/messenger.ts';
import type { ClaimedDelivery } from '../store/claims.ts';

/**
 * What was laid out when the post came is sent, by every attempt the same. A delivery that was put in the queue by SQL
 * alone has only its text: that is laid out here, which gives the same each time. Throws NotSendable.
 */
export function storedRendering(
  delivery: ClaimedDelivery,
  preflight: (post: OutgoingPost) => Preflight,
): Rendered {
  const { renderedText, renderMeta, payload, platform } = delivery;
  const text = renderedText ?? '';
  const stored = layout.safeParse(renderMeta);
  if (stored.success) return { text, meta: { ...stored.data, platform } };
  const checked = preflight({
    text,
    parseMode: renderMeta.parse_mode ?? 'None',
    disablePreview: renderMeta.disable_preview === true,
    buttons: (renderMeta.buttons ?? []) as Keyboard,
    media: payload.media ?? [],
  });
  if (!checked.ok) throw checked.refusal;
  return checked.rendered;
}

export function storedProgress({ renderMeta }: ClaimedDelivery): SeriesProgress {
  return renderMeta.series_progress ? progress.parse(renderMeta.series_progress) : NOTHING_SENT;
}

const button = z.union([
  z.object({ text: z.string(), url: z.string() }),
  z.object({ text: z.string(), payload: z.string() }),
]);

const item = z.object({
  index: z.number(),
  type: z.enum(['image', 'video', 'audio', 'file']),
  caption: z.string(),
});

const layout = z.object({
  // The database drops nulls.
  format: z
    .enum(['html', 'markdown'])
    .nullish()
    .transform((format) => format ?? null),
  disablePreview: z.boolean(),
  steps: z.array(z.object({ hasText: z.boolean(), items: z.array(item), buttons: z.array(z.array(button)) })),
});

const progress = z.object({
  sent_items: z.array(z.number()),
  provider_message_ids: z.array(z.string()),
});
