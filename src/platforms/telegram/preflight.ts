import { checkPost } from '../check-post.ts';
import {
  type MediaType,
  NotSendable,
  type OutgoingPost,
  type Rendered,
  type Step,
  type StepItem,
  toPreflight,
} from '../messenger/messenger.ts';

/** A post as the requests that will be made for it. Throws NotSendable. */
export function renderForTelegram(post: OutgoingPost): Rendered {
  const checked = checkPost('telegram', post);
  if (checked.items.length > 1) checkAlbum(checked.items, checked.rules.together);
  return {
    text: checked.text.sent,
    meta: {
      platform: 'telegram',
      format: checked.format,
      disablePreview: post.disablePreview ?? false,
      steps: layOut(checked),
    },
  };
}

export const telegramPreflight = toPreflight(renderForTelegram);

function layOut({ text, hasText, items, hasCaptions, buttons, rules }: ReturnType<typeof checkPost>): Step[] {
  const alone: Step = { hasText: true, items: [], buttons };
  if (items.length === 0) return [alone];
  const media: Step = { hasText: false, items, buttons: [] };
  const isAlbum = items.length > 1;
  if (!hasText) {
    if (isAlbum && buttons.length > 0)
      throw new NotSendable('bad_buttons', 'Ошибка в кнопках: под альбомом их не бывает, добавьте текст.');
    return [{ ...media, buttons }];
  }
  const fits = text.visible.length <= rules.caption && !hasCaptions;
  // An album has no room for buttons: they go with the text, and the text goes first.
  if (isAlbum) return fits && buttons.length === 0 ? [{ ...media, hasText: true }] : [alone, media];
  if (fits) return [{ ...media, hasText: true, buttons }];
  return hasCaptions ? [alone, media] : [media, alone];
}

/** Photos and videos mix; documents and audio keep to themselves. */
const family: Readonly<Record<MediaType, string>> = {
  ...{ image: 'visual', video: 'visual', audio: 'audio', file: 'file' },
};

function checkAlbum(items: readonly StepItem[], most: number): void {
  if (items.length > most)
    throw new NotSendable('too_many_media', `В альбоме Telegram не больше ${most} вложений.`);
  if (new Set(items.map(({ type }) => family[type])).size > 1)
    throw new NotSendable(
      'mixed_media',
      'Файлы и аудио нельзя смешать в одном альбоме с другими вложениями.',
    );
}
