import type { RichText } from '../screens/kit/screen.ts';
import { notices } from '../screens/kit/system.ts';
import type { FlowEvent } from './flows.ts';
import type { Action, IncomingFile, IncomingPhoto } from './incoming.ts';
import type { LiveFlow } from './live-flow.ts';

/** What a person sent instead of text, as an event for the flow that may have asked for it. */
export function mediaEvent(action: Action): FlowEvent | null {
  switch (action.kind) {
    case 'file':
      return { type: 'file.received', file: action.file, caption: action.caption };
    case 'photo':
      return { type: 'photo.received', photo: action.photo, caption: action.caption };
    case 'album':
      return { type: 'album.received', items: action.items, caption: action.caption };
    case 'voice':
      return { type: 'voice.received', voice: action.voice };
    case 'chat':
      return { type: 'chat.shared', chat: action.chat };
    default:
      return null;
  }
}

const aFile: IncomingFile = { fileId: '', name: '', mimeType: '', size: 0 };
const aPhoto: IncomingPhoto = { ...aFile, width: 0, height: 0 };

/** What to ask for when the flow could do nothing with what came. Guards may refuse a sample; then the next kind is tried. */
export function wantedInstead(flow: Pick<LiveFlow, 'can'>): RichText {
  const takesFile = flow.can({ type: 'file.received', file: aFile, caption: '' });
  if (flow.can({ type: 'text.received', text: '' }))
    return takesFile ? notices.textOrFileWanted : notices.textWanted;
  if (flow.can({ type: 'photo.received', photo: aPhoto, caption: '' })) return notices.photoWanted;
  if (takesFile) return notices.fileWanted;
  return notices.buttonWanted;
}
