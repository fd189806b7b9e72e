import { z } from 'zod';
import { markKinds } from '../screens/kit/marked-text.ts';
import type { RichText } from '../screens/kit/screen.ts';
import { notices } from '../screens/kit/system.ts';
import type { Action } from './incoming.ts';

const fileSchema = z.object({
  fileId: z.string(),
  name: z.string(),
  mimeType: z.string(),
  size: z.number(),
});
const photoSchema = fileSchema.extend({ width: z.number(), height: z.number() });
const itemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('photo'), photo: photoSchema }),
  z.object({ kind: z.literal('file'), file: fileSchema }),
]);

const marksSchema = z
  .array(
    z.object({
      kind: z.enum(markKinds),
      offset: z.number(),
      length: z.number(),
      detail: z.string().optional(),
    }),
  )
  .optional();

/** What a page without a flow can ask for. Stored with the session until the page's handler has taken it. */
export const inputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), marks: marksSchema }),
  z.object({ kind: z.literal('photo'), photo: photoSchema, caption: z.string(), marks: marksSchema }),
  z.object({ kind: z.literal('file'), file: fileSchema, caption: z.string() }),
  z.object({ kind: z.literal('album'), items: z.array(itemSchema), caption: z.string() }),
]);

export type Input = z.infer<typeof inputSchema>;
export type InputKind = Input['kind'];

/** Null for what no page asks for: commands, presses, stickers. */
export function inputIn(action: Action): Input | null {
  switch (action.kind) {
    case 'text':
    case 'album':
      return action;
    case 'photo':
      return {
        kind: 'photo',
        photo: action.photo,
        caption: action.caption,
        ...(action.marks && { marks: action.marks }),
      };
    case 'file':
      return { kind: 'file', file: action.file, caption: action.caption };
    default:
      return null;
  }
}

/** What to say to a person who sent something else than the page asked for. */
export function inputWanted(kinds: readonly InputKind[]): RichText {
  if (kinds.includes('text')) return notices.textWanted;
  return kinds.includes('photo') ? notices.photoWanted : notices.fileWanted;
}
