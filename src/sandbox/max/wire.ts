/** MAX's objects, as far as the stand-in speaks them. Names are the wire's. */

export type User = {
  user_id: number;
  first_name: string;
  name: string;
  username?: string;
  is_bot: boolean;
  last_activity_time: number;
};

export type Bot = User & { is_bot: true; token: string };

export type Chat = {
  chat_id: number;
  type: 'dialog' | 'chat' | 'channel';
  status: 'active' | 'removed' | 'left' | 'closed' | 'suspended';
  title: string | null;
  link: string | null;
  is_public: boolean;
  participants_count: number;
};

export type Membership = { is_owner: boolean; is_admin: boolean; permissions: readonly string[] | null };

export type Attachment = { type: string; payload?: Record<string, unknown> | null };

export type Message = {
  sender: User | null;
  recipient: { chat_id: number; chat_type: Chat['type']; user_id?: number };
  timestamp: number;
  body: { mid: string; seq: number; text: string | null; attachments: Attachment[] };
  url?: string;
};

export type Update = { update_type: string; timestamp: number; [more: string]: unknown };

export type Subscription = {
  url: string;
  time: number;
  update_types: readonly string[] | null;
  secret?: string;
};

/** A refusal in MAX's words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const badPayload = (message: string): ApiError => new ApiError(400, 'proto.payload', message);
