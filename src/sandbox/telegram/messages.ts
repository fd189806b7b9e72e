import type { CallParams } from './call-params.ts';
import { chatToWrite } from './chats.ts';
import { formatText, MAX_CAPTION, MAX_TEXT } from './formatted-text.ts';
import { type Markup, readMarkup } from './reply-markup.ts';
import { badRequest, type Chat, type Message } from './wire.ts';
import { sameMarkup, unixSeconds, type World } from './world.ts';

type Fields = CallParams['fields'];

// Telegram lets a bot edit its own messages for longer. Stricter here on purpose: code that edits must be able to send.
const TOO_OLD_SECONDS = 48 * 3600;
const MAX_TO_DELETE = 100;

export function textOf(fields: Fields): Pick<Message, 'text' | 'entities'> {
  const { text, entities } = formatText(fields.text, fields.parse_mode, fields.entities);
  if (text === '') throw badRequest('message text is empty');
  if (text.length > MAX_TEXT) throw badRequest('message is too long');
  return { text, ...(entities.length > 0 && { entities }) };
}

export function captionOf(fields: Fields): Pick<Message, 'caption' | 'caption_entities'> {
  const { text, entities } = formatText(fields.caption, fields.parse_mode, fields.caption_entities);
  if (text.length > MAX_CAPTION) throw badRequest('message caption is too long');
  return text === '' ? {} : { caption: text, ...(entities.length > 0 && { caption_entities: entities }) };
}

/** Puts the bot's message into the chat. The content comes last: nothing is checked after something was kept. */
export function post(world: World, fields: Fields, content: Partial<Message>): Message {
  const chat = chatToWrite(world, fields.chat_id);
  const markup = readMarkup(fields.reply_markup);
  const reply = repliedTo(world, chat, fields);
  const message = world.atOnce(() => {
    const message_id = world.nextMessageId();
    const author = chat.type === 'channel' ? { sender_chat: chat } : { from: world.bot };
    const posted: Message = {
      message_id,
      ...author,
      chat,
      date: unixSeconds(world.now()),
      ...content,
      ...(reply && { reply_to_message: reply }),
      ...(markup.kind === 'inline' && { reply_markup: markup.inline }),
    };
    world.messages.put(message_id, posted);
    setKeyboard(world, chat.id, markup);
    return posted;
  });
  world.notify({ type: 'message', chat_id: chat.id, message_id: message.message_id, what: 'new' });
  if (markup.kind === 'reply' || markup.kind === 'remove')
    world.notify({ type: 'keyboard', chat_id: chat.id });
  return message;
}

function setKeyboard(world: World, chatId: number, markup: Markup): void {
  if (markup.kind === 'reply') world.keyboards.put(chatId, markup.reply);
  if (markup.kind === 'remove') world.keyboards.remove(chatId);
}

function repliedTo(world: World, chat: Chat, fields: Fields): Message | undefined {
  const parameters = fields.reply_parameters as
    | { message_id?: number; allow_sending_without_reply?: boolean }
    | undefined;
  const id = parameters?.message_id ?? fields.reply_to_message_id;
  if (id === undefined) return undefined;
  const message = world.messages.get(Number(id));
  if (message?.chat.id === chat.id) return { ...message, reply_to_message: undefined };
  if (parameters?.allow_sending_without_reply) return undefined;
  throw badRequest('message to be replied not found');
}

export function editText(world: World, fields: Fields): Message {
  const message = messageToEdit(world, fields);
  const content = textOf(fields);
  if (message.text === undefined) throw badRequest('there is no text in the message to edit');
  return edit(world, message, { ...content, entities: content.entities }, fields);
}

export function editCaption(world: World, fields: Fields): Message {
  const message = messageToEdit(world, fields);
  const { caption, caption_entities } = captionOf(fields);
  if (message.text !== undefined) throw badRequest('there is no caption in the message to edit');
  return edit(world, message, { caption, caption_entities }, fields);
}

export function editMarkup(world: World, fields: Fields): Message {
  return edit(world, messageToEdit(world, fields), {}, fields);
}

/** As in Telegram, an edit without a keyboard takes the keyboard away. */
export function edit(world: World, message: Message, content: Partial<Message>, fields: Fields): Message {
  const markup = readMarkup(fields.reply_markup);
  if (markup.kind === 'reply' || markup.kind === 'remove') throw badRequest('inline keyboard expected');
  const next: Message = {
    ...message,
    ...content,
    reply_markup: markup.kind === 'inline' ? markup.inline : undefined,
  };
  const fieldsShown = ['text', 'entities', 'caption', 'caption_entities', 'photo', 'document'] as const;
  const same = fieldsShown.every((name) => JSON.stringify(next[name]) === JSON.stringify(message[name]));
  if (same && sameMarkup(next.reply_markup, message.reply_markup)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  next.edit_date = unixSeconds(world.now());
  world.messages.put(next.message_id, next);
  world.notify({ type: 'message', chat_id: next.chat.id, message_id: next.message_id, what: 'edited' });
  return next;
}

export function messageToEdit(world: World, fields: Fields): Message {
  const chat = chatToWrite(world, fields.chat_id);
  const id = Number(fields.message_id);
  if (!id) throw badRequest('message identifier is not specified');
  const message = world.messages.get(id);
  if (message?.chat.id !== chat.id) throw badRequest('message to edit not found');
  const own = message.from?.id === world.bot.id || message.sender_chat?.id === chat.id;
  if (!own || isTooOld(world, message)) throw badRequest("message can't be edited");
  return message;
}

export function deleteOne(world: World, fields: Fields): true {
  const chat = chatToWrite(world, fields.chat_id);
  const message = world.messages.get(Number(fields.message_id));
  if (message?.chat.id !== chat.id) throw badRequest('message to delete not found');
  if (isTooOld(world, message)) throw badRequest("message can't be deleted for everyone");
  remove(world, message);
  return true;
}

/** Unlike deleteMessage, it passes over what it does not find. */
export function deleteMany(world: World, fields: Fields): true {
  const chat = chatToWrite(world, fields.chat_id);
  const ids = fields.message_ids;
  if (!Array.isArray(ids) || ids.length === 0) throw badRequest('message identifiers are not specified');
  if (ids.length > MAX_TO_DELETE) throw badRequest('too many message identifiers specified');
  for (const id of ids) {
    const message = world.messages.get(Number(id));
    if (message?.chat.id === chat.id && !isTooOld(world, message)) remove(world, message);
  }
  return true;
}

function remove(world: World, { message_id, chat }: Message): void {
  world.messages.remove(message_id);
  world.notify({ type: 'message', chat_id: chat.id, message_id, what: 'deleted' });
}

const isTooOld = (world: World, { date }: Message) => unixSeconds(world.now()) - date > TOO_OLD_SECONDS;
