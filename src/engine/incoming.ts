import type { Log } from '../log.ts';
import type { Link } from '../screens/kit/link.ts';
import type { Mark } from '../screens/kit/marked-text.ts';
import type { MessageId } from './message-id.ts';

/** What a person did, whatever the messenger. */
export type Incoming = {
  /** Grows with every update of the person: what comes twice is told by it, and what comes first. */
  updateId: number;
  /** An id of ours; the messenger's own leads to it (`messengers/faces.ts`). */
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
  /** `marks`: how the person formatted it. */
  | { kind: 'text'; text: string; marks?: Mark[] }
  /** `link` is null for data that no screen of ours carries; `messageId` is null for a message out of reach. */
  | { kind: 'press'; link: Link | null; messageId: MessageId | null }
  | { kind: 'file'; file: IncomingFile; caption: string; album: AlbumPart | null }
  | { kind: 'photo'; photo: IncomingPhoto; caption: string; marks?: Mark[]; album: AlbumPart | null }
  /** Files or photos that were sent together, in the order in which they were sent. */
  | { kind: 'album'; items: AlbumItem[]; caption: string }
  | { kind: 'voice'; voice: IncomingFile & { seconds: number } }
  /** The person picked a channel or group with a button of the reply keyboard. */
  | { kind: 'chat'; chat: SharedChat }
  /** A sticker, video, place or contact. */
  | { kind: 'other' };

/** The name and the type are the sender's claims; size 0 means that the messenger did not tell. */
export type IncomingFile = { fileId: string; name: string; mimeType: string; size: number };
export type IncomingPhoto = IncomingFile & { width: number; height: number };
/** `place` orders the parts of one album. */
export type AlbumPart = { id: string; place: number };
export type AlbumItem = { kind: 'photo'; photo: IncomingPhoto } | { kind: 'file'; file: IncomingFile };
/** `requestId` is the number on the button that asked. */
export type SharedChat = { requestId: number; chatId: string; title: string | null; username: string | null };
