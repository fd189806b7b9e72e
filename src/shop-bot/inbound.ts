import { z } from 'zod';

/** What a customer did, read from an update of MAX. */
export type Inbound = {
  /** MAX's updates have no id of their own: that of the message, or of the press. */
  messageId: string;
  /** Null: a pressed button came without it. */
  chatId: string | null;
  userId: string;
  customer: string;
  action: CustomerAction;
};

export type CustomerAction =
  | { kind: 'started' }
  | { kind: 'text'; text: string }
  | { kind: 'photo'; url: string; text: string }
  | { kind: 'media' }
  | { kind: 'press'; rule: string };

/** Not for the bot to answer: another kind of update, another bot, a group. */
type Ignored = { ignored: string };

const id = z.union([z.number().int(), z.string()]).transform(String);
const user = z.object({
  user_id: id,
  name: z.string().nullish(),
  first_name: z.string().nullish(),
  is_bot: z.boolean().default(false),
});
const recipient = z.object({ chat_id: id.nullish(), chat_type: z.string().nullish() });
const attachment = z.looseObject({
  type: z.string(),
  payload: z.looseObject({ url: z.string().nullish() }).nullish(),
});
const body = z.object({
  mid: z.string().min(1),
  text: z.string().nullish(),
  attachments: z.array(attachment).nullish(),
});

const shapes = {
  message_created: z.object({ message: z.object({ sender: user.nullish(), recipient, body }) }),
  message_callback: z.object({
    callback: z.object({ callback_id: z.string().min(1), payload: z.string().nullish(), user }),
    message: z.object({ recipient }).nullish(),
  }),
  bot_started: z.object({ chat_id: id, user, timestamp: z.number() }),
};

const kindOf = z.object({ update_type: z.string() });

/** Null: no update at all. */
export function readUpdate(json: unknown): Inbound | Ignored | null {
  const kind = kindOf.safeParse(json);
  if (!kind.success) return null;
  switch (kind.data.update_type) {
    case 'message_created':
      return readMessage(shapes.message_created.safeParse(json));
    case 'message_callback':
      return readPress(shapes.message_callback.safeParse(json));
    case 'bot_started':
      return readStart(shapes.bot_started.safeParse(json));
    default:
      return { ignored: kind.data.update_type };
  }
}

type Read<Shape extends z.ZodType> = ReturnType<Shape['safeParse']>;

function readMessage(read: Read<typeof shapes.message_created>): Inbound | Ignored | null {
  if (!read.success) return null;
  const { sender, recipient: to, body: said } = read.data.message;
  if (!sender || sender.is_bot) return { ignored: 'not from a person' };
  if (to.chat_type !== 'dialog') return { ignored: `in a ${to.chat_type ?? 'chat of no type'}` };
  return { ...whoOf(sender), messageId: said.mid, chatId: knownChat(to.chat_id), action: actionOf(said) };
}

function readPress(read: Read<typeof shapes.message_callback>): Inbound | Ignored | null {
  if (!read.success) return null;
  const { callback, message } = read.data;
  const { chat_id, chat_type = 'dialog' } = message?.recipient ?? {};
  if (chat_type !== 'dialog') return { ignored: `a press in a ${chat_type}` };
  return {
    ...whoOf(callback.user),
    messageId: callback.callback_id,
    chatId: knownChat(chat_id),
    action: { kind: 'press', rule: callback.payload ?? '' },
  };
}

/** Neither a message nor a press: the moment names it, so that a repeat of the update is the same one. */
function readStart(read: Read<typeof shapes.bot_started>): Inbound | null {
  if (!read.success) return null;
  const { chat_id, user: who, timestamp } = read.data;
  return { ...whoOf(who), messageId: `start.${timestamp}`, chatId: chat_id, action: { kind: 'started' } };
}

function actionOf({ text, attachments }: z.infer<typeof body>): CustomerAction {
  const photo = attachments?.find(({ type }) => type === 'image');
  const words = text?.trim() ?? '';
  if (photo) return { kind: 'photo', url: photo.payload?.url ?? '', text: words };
  if (words !== '') return { kind: 'text', text: words };
  return { kind: 'media' };
}

const whoOf = ({ user_id, name, first_name }: z.infer<typeof user>) => ({
  userId: user_id,
  customer: name || first_name || user_id,
});

/** In practice MAX names the chat of a pressed button 0. */
const knownChat = (chatId: string | null | undefined): string | null =>
  chatId === undefined || chatId === null || chatId === '0' ? null : chatId;
