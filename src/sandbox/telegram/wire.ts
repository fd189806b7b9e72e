/** The Bot API's objects, as far as the stand-in speaks them. Names are the wire's. */

export type User = {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
};

export type Chat = {
  id: number;
  type: 'private' | 'channel';
  first_name?: string;
  last_name?: string;
  username?: string;
  title?: string;
};

export type MessageEntity = {
  type: string;
  offset: number;
  length: number;
  url?: string;
  user?: User;
  language?: string;
  custom_emoji_id?: string;
};

export type InlineButton = {
  text: string;
  callback_data?: string;
  url?: string;
  style?: 'primary' | 'success' | 'danger';
  [other: string]: unknown;
};

export type InlineKeyboard = { inline_keyboard: InlineButton[][] };

export type ReplyKeyboard = {
  keyboard: { text: string; [other: string]: unknown }[][];
  is_persistent?: boolean;
  resize_keyboard?: boolean;
  one_time_keyboard?: boolean;
  input_field_placeholder?: string;
};

export type FileRef = { file_id: string; file_unique_id: string; file_size: number };
export type PhotoSize = FileRef & { width: number; height: number };
export type Document = FileRef & { file_name?: string; mime_type?: string };

export type RichBlock =
  | { type: 'heading'; size: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'photo'; photo: PhotoSize[]; caption?: { text: string } };

export type Message = {
  message_id: number;
  date: number;
  edit_date?: number;
  chat: Chat;
  from?: User;
  sender_chat?: Chat;
  text?: string;
  rich_message?: { blocks: RichBlock[] };
  entities?: MessageEntity[];
  caption?: string;
  caption_entities?: MessageEntity[];
  photo?: PhotoSize[];
  document?: Document;
  sticker?: FileRef & {
    emoji: string;
    type: 'regular';
    width: number;
    height: number;
    is_animated: boolean;
    is_video: boolean;
  };
  voice?: FileRef & { duration: number; mime_type: string };
  video?: FileRef & { width: number; height: number; duration: number; mime_type: string };
  audio?: FileRef & { duration: number; mime_type: string; file_name?: string };
  location?: { latitude: number; longitude: number };
  contact?: { phone_number: string; first_name: string; user_id?: number };
  invoice?: {
    title: string;
    description: string;
    start_parameter: string;
    currency: string;
    total_amount: number;
  };
  successful_payment?: Payment & {
    subscription_expiration_date?: number;
    is_recurring?: boolean;
    is_first_recurring?: boolean;
  };
  refunded_payment?: Payment;
  chat_shared?: { request_id: number; chat_id: number; title?: string; username?: string };
  media_group_id?: string;
  reply_to_message?: Message;
  reply_markup?: InlineKeyboard;
};

export type Payment = {
  currency: string;
  total_amount: number;
  invoice_payload: string;
  telegram_payment_charge_id: string;
  provider_payment_charge_id: string;
};

export type CallbackQuery = {
  id: string;
  from: User;
  message: Message | { chat: Chat; message_id: number; date: 0 };
  chat_instance: string;
  data: string;
};

export type ChatMember = { user: User; status: string; [right: string]: unknown };

export type Update = {
  update_id: number;
  message?: Message;
  channel_post?: Message;
  callback_query?: CallbackQuery;
  my_chat_member?: {
    chat: Chat;
    from: User;
    date: number;
    old_chat_member: ChatMember;
    new_chat_member: ChatMember;
  };
  [other: string]: unknown;
};

export type BotCommand = { command: string; description: string };

/** A refusal in the Bot API's words; the status of the answer is the error code. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly parameters: { retry_after?: number } | undefined;
  constructor(
    code: number,
    description: string,
    parameters?: { retry_after?: number },
    options?: ErrorOptions,
  ) {
    super(description, options);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (what: string, options?: ErrorOptions) =>
  new ApiError(400, `Bad Request: ${what}`, undefined, options);
