import type {
  ChatAdministratorRights,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  KeyboardButton,
  ReplyKeyboardMarkup,
} from 'grammy/types';
import type { Button, ChatWanted, Keyboard, ReplyKey } from '../../screens/kit/screen.ts';
import { encodeLink } from './callback-data.ts';

const MOST_LABEL = 60;

export function inlineKeyboard(keyboard: Keyboard): InlineKeyboardMarkup {
  return { inline_keyboard: keyboard.map((row) => row.map(inlineButton)) };
}

function inlineButton(button: Button): InlineKeyboardButton {
  const look = { text: shortened(button.label), ...(button.style && { style: button.style }) };
  return 'url' in button ? { ...look, url: button.url } : { ...look, callback_data: encodeLink(button.link) };
}

function shortened(label: string): string {
  if (label.length <= MOST_LABEL) return label;
  const characters = [...label];
  return characters.length <= MOST_LABEL ? label : `${characters.slice(0, MOST_LABEL - 1).join('')}…`;
}

export function replyMarkup(rows: readonly (readonly ReplyKey[])[]): ReplyKeyboardMarkup {
  return { keyboard: rows.map((row) => row.map(replyKey)), is_persistent: true, resize_keyboard: true };
}

function replyKey(key: ReplyKey): KeyboardButton {
  return typeof key === 'string' ? { text: key } : { text: key.label, request_chat: requestChat(key.wants) };
}

/** Telegram asks for all rights of an administrator by name; those that are not named are required fields too. */
const noRights = {
  is_anonymous: false,
  can_manage_chat: true,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
};
// Rights that Telegram adds later are not asked for: it takes their absence for "not required".
const posting = { ...noRights, can_post_messages: true, can_edit_messages: true } as ChatAdministratorRights;

/** The person must be able to make the bot an administrator, so they need the rights that it gets. */
function requestChat({ requestId, kind }: ChatWanted) {
  return {
    request_id: requestId,
    chat_is_channel: kind === 'channel',
    user_administrator_rights: { ...posting, can_promote_members: true },
    bot_administrator_rights: posting,
    request_title: true,
    request_username: true,
  };
}
