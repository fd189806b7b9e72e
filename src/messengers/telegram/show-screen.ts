import { type Api, InputFile } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { MessageId } from '../../engine/message-id.ts';
import type { Log } from '../../log.ts';
import {
  type Article,
  lines,
  type Picture,
  paragraphs,
  type RichText,
  rich,
  type Screen,
  urlsIn,
} from '../../screens/kit/screen.ts';
import { attachmentRefused } from '../../screens/kit/system.ts';
import type { Face, FaceRequest } from '../faces.ts';
import { faultOf } from './api-fault.ts';
import { makeClearAway } from './erase-message.ts';
import { edited, sent } from './insist.ts';
import { inlineKeyboard, replyMarkup } from './keyboards.ts';
import { createReplies, type Replies } from './replies.ts';
import { toRichMessage } from './rich-message.ts';
import { MOST_CAPTION, toHtml, visibleLength } from './to-html.ts';

/** Telegram takes two to ten pictures as one album. */
const MOST_IN_ALBUM = 10;

const html = { parse_mode: 'HTML' } as const;
const plain = { ...html, link_preview_options: { is_disabled: true } } as const;

/** Shows screens in Telegram: edits or sends, within Telegram's limits, and never sends twice on a guess. */
export function createTelegramFace(api: Api, log: Log, replies: Replies = createReplies()): Face {
  const clearAway = makeClearAway(api, log);
  return { show };

  async function show(request: FaceRequest): Promise<{ messageId: MessageId }> {
    const { screen, replace, discard, retire } = request;
    const chatId = Number(request.chat);
    const messageId = await shownAt(chatId, request);
    await sendAttachments(chatId, screen).catch((error) => instead(chatId, error));
    if (discard !== undefined && discard !== messageId) await removed(chatId, discard);
    // Not waited for: the person's next press must not wait for the tidying up of the last screen.
    if (
      retire &&
      retire.messageId !== messageId &&
      retire.messageId !== replace &&
      retire.messageId !== discard
    )
      retireKeyboard(chatId, Number(retire.messageId), inlineKeyboard(retire.keep));
    return { messageId };
  }

  function retireKeyboard(chat_id: number, message_id: number, reply_markup: InlineKeyboardMarkup): void {
    const alone = () => void clearAway.keyboard(chat_id, message_id, reply_markup);
    const reply = { method: 'editMessageReplyMarkup', chat_id, message_id, reply_markup } as const;
    if (!replies.board(chat_id, { reply, alone })) alone();
  }

  /** Telegram refuses a message as a whole for one address or picture in it. The words must reach the person. */
  async function shownAt(chatId: number, request: Shown): Promise<MessageId> {
    try {
      return await shownAsItIs(chatId, request);
    } catch (error) {
      const screen = faultOf(error).kind === 'refused' ? inWords(request.screen) : null;
      if (!screen) throw error;
      log.error({ err: error }, 'Telegram refuses a screen: shown without its pictures and links');
      return shownAsItIs(chatId, { ...request, screen });
    }
  }

  /** What was sent along with a screen that stands in the chat: shown again, the screen would come twice. */
  async function instead(chatId: number, error: unknown): Promise<void> {
    if (faultOf(error).kind !== 'refused') throw error;
    log.error({ err: error }, 'Telegram refuses what was sent along with a screen');
    await sent(() => api.sendMessage(chatId, toHtml(attachmentRefused), plain));
  }

  async function shownAsItIs(chatId: number, { screen, notice, replace }: Shown): Promise<MessageId> {
    const text = paragraphs(notice, screen.text);
    const isCaption = screen.photo !== undefined && fitsCaption(text);
    // An album, or a message to look at, stands above its screen, so a screen in an old place would not be below it.
    const isEditable =
      replace !== null && !screen.album && !screen.ahead && !screen.article && (isCaption || !screen.photo);
    if (isEditable && (await editedTo(chatId, replace, screen, text))) return replace;
    await sendAhead(chatId, screen, isCaption);
    const message = await sent<{ message_id: number }>(() => sendScreen(chatId, screen, text, isCaption));
    // Text and picture cannot become each other everywhere: the new message takes the place of the old one.
    if (replace !== null) await replaced(chatId, replace);
    return String(message.message_id);
  }

  function editedTo(chatId: number, messageId: MessageId, screen: Screen, text: RichText): Promise<boolean> {
    const markup = { reply_markup: inlineKeyboard(screen.keyboard) };
    const { photo } = screen;
    if (!photo)
      return edited(() =>
        api.editMessageText(chatId, Number(messageId), toHtml(text), { ...plain, ...markup }),
      );
    const media = {
      type: 'photo',
      media: inputOf(photo),
      caption: toHtml(text, MOST_CAPTION),
      ...html,
    } as const;
    return edited(() => api.editMessageMedia(chatId, Number(messageId), media, markup));
  }

  function sendScreen(chatId: number, screen: Screen, text: RichText, isCaption: boolean) {
    const markup = { reply_markup: inlineKeyboard(screen.keyboard) };
    if (!isCaption) return api.sendMessage(chatId, toHtml(text), { ...plain, ...markup });
    const caption = toHtml(text, MOST_CAPTION);
    return api.sendPhoto(chatId, inputOf(screen.photo!), { caption, ...html, ...markup });
  }

  async function sendAhead(
    chatId: number,
    { greeting, ahead, photo, album, article }: Screen,
    isCaption: boolean,
  ): Promise<void> {
    if (ahead) await shownAt(chatId, { screen: { ...ahead, keyboard: [] }, notice: null, replace: null });
    if (greeting) await sendKeys(chatId, greeting);
    if (article) await sendArticle(chatId, article);
    if (photo && !isCaption) await sent(() => api.sendPhoto(chatId, inputOf(photo)));
    for (const group of albumsOf(album ?? [])) {
      const [first, ...more] = group;
      if (first && more.length === 0)
        await sent(() => api.sendPhoto(chatId, inputOf(first), captionOf(first)));
      else await sent(() => api.sendMediaGroup(chatId, group.map(inGroup)));
    }
  }

  /** Telegram refuses what it cannot show; a person who asked for the text must not be left without a word. */
  async function sendArticle(chatId: number, article: Article): Promise<void> {
    const message = toRichMessage(article);
    try {
      if (message) return void (await sent(() => api.sendRichMessage(chatId, message)));
    } catch (error) {
      if (faultOf(error).kind !== 'refused') throw error;
      log.warn({ err: error }, 'Telegram does not take an article as a message');
    }
    await sent(() => api.sendMessage(chatId, toHtml(article.instead), plain));
  }

  async function sendAttachments(chatId: number, { file, invoice, keys }: Screen): Promise<void> {
    if (keys) await sendKeys(chatId, keys);
    if (file) await sent(() => api.sendDocument(chatId, new InputFile(Buffer.from(file.content), file.name)));
    if (!invoice) return;
    const { title, description, payload, stars } = invoice;
    await sent(() =>
      api.sendInvoice(chatId, title, description, payload, 'XTR', [{ label: title, amount: stars }]),
    );
  }

  function sendKeys(chatId: number, { text, replyKeyboard }: NonNullable<Screen['greeting']>) {
    const reply_markup = replyMarkup(replyKeyboard);
    return sent(() => api.sendMessage(chatId, toHtml(text), { ...plain, reply_markup }));
  }

  async function removed(chatId: number, messageId: MessageId): Promise<void> {
    await api
      .deleteMessage(chatId, Number(messageId))
      .catch((error) => log.debug({ err: error }, 'an obsolete message stays'));
  }

  /** Deleted where Telegram lets us; a message too old for that at least loses its buttons. */
  async function replaced(chatId: number, messageId: MessageId): Promise<void> {
    try {
      await api.deleteMessage(chatId, Number(messageId));
    } catch (error) {
      if (faultOf(error).kind !== 'unchanged')
        void clearAway.keyboard(chatId, Number(messageId), inlineKeyboard([]));
    }
  }
}

type Shown = Pick<FaceRequest, 'screen' | 'notice' | 'replace'>;

/** Without pictures, and with addresses as text. Null: there is nothing to be left out. */
function inWords({ text, keyboard, photo, album, ahead }: Screen): Screen | null {
  const links = urlsIn(keyboard).flat();
  if (links.length === 0 && !photo && !album && !ahead) return null;
  return {
    text: paragraphs(text, lines(...links.map((each) => 'url' in each && rich`${each.label}: ${each.url}`))),
    keyboard: keyboard.map((row) => row.filter((each) => 'link' in each)).filter((row) => row.length > 0),
  };
}

const fitsCaption = (text: RichText): boolean => visibleLength(toHtml(text)) <= MOST_CAPTION;

const inputOf = (picture: Picture): string | InputFile =>
  'bytes' in picture
    ? new InputFile(picture.bytes, picture.name)
    : 'url' in picture
      ? picture.url
      : picture.fileId;

const captionOf = ({ caption }: Picture) =>
  caption === undefined ? {} : { caption: toHtml(caption, MOST_CAPTION), ...html };

const inGroup = (picture: Picture) =>
  ({ type: 'photo', media: inputOf(picture), ...captionOf(picture) }) as const;

function albumsOf(pictures: readonly Picture[]): Picture[][] {
  const groups: Picture[][] = [];
  for (let from = 0; from < pictures.length; from += MOST_IN_ALBUM)
    groups.push(pictures.slice(from, from + MOST_IN_ALBUM));
  return groups;
}
