import type { Log } from '../log.ts';
import type { Link } from '../screens/kit/link.ts';

/** What a person did, whatever the messenger. */
export type Incoming = {
  updateId: number;
  userId: number;
  person: { username: string | null; firstName: string | null; lastName: string | null };
  action: Action;
  /** Says of every line to which update and person it belongs. */
  log: Log;
  /**
   * Ends the spinner on a pressed button, with a short text if there is one. Called before slow work. False when
   * the text was not given: no button was pressed, or the spinner had to be ended before.
   */
  acknowledge(toast?: string): boolean;
  /** Removes the person's own message from the chat, as far as the messenger lets us. */
  erase(): void;
};

export type Action =
  | { kind: 'command'; name: string; payload: string }
  | { kind: 'text'; text: string }
  /** `link` is null for data that no screen of ours carries; `messageId` is null for a message out of reach. */
  | { kind: 'press'; link: Link | null; messageId: number | null }
  | { kind: 'file'; file: IncomingFile }
  /** A photo, sticker, voice, video, place or contact. */
  | { kind: 'other' };

export type IncomingFile = { fileId: string; name: string; mimeType: string; size: number };
