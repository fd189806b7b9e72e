import type { Keyboard, RichText, Screen } from '../screens/kit/screen.ts';
import type { MessageId } from './message-id.ts';

/** The face towards the messenger: shows a screen and tells in which message it stands. */
export type Presenter = {
  show(request: ShowRequest): Promise<{ messageId: MessageId }>;
};

export type ShowRequest = {
  userId: number;
  screen: Screen;
  notice: RichText | null;
  /** The message to edit; `null` sends a new one. */
  replace: MessageId | null;
  /** A message that the new one makes obsolete; removed if that is possible. */
  discard?: MessageId;
  /** The message of the screen before: only these of its buttons stay, because the others no longer do what they say. */
  retire?: { messageId: MessageId; keep: Keyboard };
};

/** The messenger asks to wait, or could not be reached: the screen may be shown later. */
export class ShowLater extends Error {
  override readonly name = 'ShowLater';
  readonly retryAfterMs: number | null;
  /** The answer was lost on the way: the person may have the message. */
  readonly mayHaveArrived: boolean;
  constructor(retryAfterMs: number | null, options: ErrorOptions & { mayHaveArrived?: boolean } = {}) {
    super(retryAfterMs === null ? 'not shown' : `not shown, wait ${retryAfterMs} ms`, options);
    this.retryAfterMs = retryAfterMs;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
  }
}

/** The person blocked the bot or is gone: nothing will ever be shown in this chat. */
export class ChatClosed extends Error {
  override readonly name = 'ChatClosed';
}
