/** A file as the messenger names it; the name and the type are the sender's claims. */
export type SentFile = { fileId: string; name: string; mimeType: string; size: number };
export type FileReceived = { type: 'file.received'; file: SentFile };

/** A list that a person sent, in either of the ways in which lists are sent. */
export type Material = { kind: 'text'; text: string } | { kind: 'file'; file: SentFile };

export const textMaterial = ({ text }: { text: string }): Material => ({ kind: 'text', text });

/** Only what is needed to fetch it: the event carries more. */
export const fileMaterial = ({ file: { fileId, name, mimeType, size } }: { file: SentFile }): Material => ({
  kind: 'file',
  file: { fileId, name, mimeType, size },
});
