import { number, plural } from '../russian.ts';
import { canBeSeen } from './can-be-seen.ts';
import { type ReadText, readText } from './messenger/markup.ts';
import {
  type Button,
  type Keyboard,
  type MediaType,
  NotSendable,
  type OutgoingMedia,
  type OutgoingPost,
  type ParseMode,
  type RenderMeta,
  type StepItem,
} from './messenger/messenger.ts';
import { messengerRules, type PlatformRules } from './messenger/rules.ts';
import type { ChannelPlatform } from './platforms.ts';

type CheckedPost = {
  text: ReadText;
  hasText: boolean;
  format: RenderMeta['format'];
  items: readonly StepItem[];
  hasCaptions: boolean;
  buttons: Keyboard;
  rules: PlatformRules;
};

/** What can be said of a post without knowing in how many messages it will go. Throws NotSendable. */
export function checkPost(platform: ChannelPlatform, post: OutgoingPost): CheckedPost {
  const rules = messengerRules[platform];
  const text = readText(post.text, post.parseMode, rules.markup);
  const items = (post.media ?? []).map((media, index) => checkMedia(media, index, post, rules));
  checkLength(text, rules.text, rules, 'text_too_long');
  if (text.visible === '' && items.length === 0)
    throw new NotSendable('empty', 'В сообщении нет ни текста, ни вложений.');
  return {
    text,
    hasText: text.visible !== '',
    format: formatOf(post.parseMode, rules),
    items,
    hasCaptions: items.some(({ caption }) => caption !== ''),
    buttons: checkButtons(post.buttons ?? [], rules.buttons),
    rules,
  };
}

function formatOf(parseMode: ParseMode, { markup }: PlatformRules): RenderMeta['format'] {
  if (parseMode === 'None') return null;
  return parseMode === 'Markdown' && markup.readsMarkdown ? 'markdown' : 'html';
}

const types: readonly string[] = ['image', 'video', 'audio', 'file'] satisfies MediaType[];

function checkMedia(media: OutgoingMedia, index: number, post: OutgoingPost, rules: PlatformRules): StepItem {
  if (!types.includes(media.type))
    throw new NotSendable('unknown_media_type', `Вложение неизвестного вида: «${media.type}».`);
  const type = media.type as MediaType;
  checkSize(type, media.sizeBytes ?? 0, rules);
  const caption = readText(media.caption ?? '', post.parseMode, rules.markup);
  checkLength(caption, rules.caption, rules, 'caption_too_long');
  return { index, type, caption: caption.sent };
}

/** Asked again when the bytes are there: a source may not have known their number. */
export function checkSize(type: MediaType, size: number, { bytes }: PlatformRules): void {
  if (size <= bytes[type]) return;
  const most = Math.floor(bytes[type] / 1024 / 1024);
  throw new NotSendable('media_too_large', `Вложение слишком большое: можно до ${most} МБ.`);
}

function checkLength(
  { visible, sent }: ReadText,
  most: number,
  { counts }: PlatformRules,
  problem: 'text_too_long' | 'caption_too_long',
): void {
  const length = (counts === 'visible' ? visible : sent).length;
  if (length <= most) return;
  const what = problem === 'text_too_long' ? 'Текст слишком длинный' : 'Подпись слишком длинная';
  const signs = plural(length, 'символ', 'символа', 'символов');
  throw new NotSendable(problem, `${what}: ${signs}, можно до ${number(most)}.`);
}

function checkButtons(keyboard: Keyboard, rules: PlatformRules['buttons']): Keyboard {
  const rows = keyboard.filter((row) => row.length > 0);
  if (rows.flat().length > rules.all || rows.length > rules.rows) throw badButtons('кнопок слишком много');
  for (const row of rows) {
    const most = row.some((button) => 'url' in button) ? rules.inRowOfLinks : rules.inRow;
    if (row.length > most) throw badButtons(`в одном ряду больше ${most} кнопок`);
    for (const button of row) checkButton(button, rules);
  }
  return rows;
}

function checkButton(button: Button, rules: PlatformRules['buttons']): void {
  const { text } = button;
  if (!canBeSeen(text) || text.length > rules.text) throw badButtons(`надпись «${text}» не подходит`);
  if ('url' in button) {
    const isWeb = URL.canParse(button.url) && /^https?:$/u.test(new URL(button.url).protocol);
    if (!isWeb || button.url.length > rules.url) throw badButtons(`ссылка «${button.url}» не подходит`);
  } else {
    const size = Buffer.byteLength(button.payload);
    if (size < 1 || size > rules.payload) throw badButtons(`данные кнопки «${text}» не подходят`);
  }
}

const badButtons = (why: string): NotSendable => new NotSendable('bad_buttons', `Ошибка в кнопках: ${why}.`);
