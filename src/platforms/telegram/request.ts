import type { Keyboard, MediaSource, MediaType, Rendered, Step, StepItem } from '../messenger/messenger.ts';
import { fileNames } from '../messenger/rules.ts';
import type { SendMethod, TelegramRequest, Upload } from './client.ts';

/** One step as Telegram wants it. `sources` are those of the step's media, in their order. */
export function toTelegramRequest(
  chatId: string,
  { text, meta }: Rendered,
  step: Step,
  sources: readonly MediaSource[],
): TelegramRequest {
  const files = new Map<string, Upload>();
  const parse = meta.format === null ? {} : { parse_mode: 'HTML' };
  const common = { chat_id: chatId, ...keyboard(step.buttons) };
  const shared = step.hasText ? text : '';
  const [item, ...others] = step.items;
  if (item === undefined) {
    const preview = meta.disablePreview ? { link_preview_options: { is_disabled: true } } : {};
    return { method: 'sendMessage', fields: { ...common, text, ...parse, ...preview }, files };
  }
  if (others.length === 0) {
    const { method, field } = single[item.type];
    const media = { [field]: taken(item, sources[0], field) };
    return { method, fields: { ...common, ...media, ...captioned(shared || item.caption) }, files };
  }
  const media = step.items.map((one, at) => ({
    type: single[one.type].field,
    media: taken(one, sources[at], `file${at}`),
    ...captioned(one.caption || (at === 0 ? shared : '')),
  }));
  return { method: 'sendMediaGroup', fields: { chat_id: chatId, media }, files };

  function captioned(caption: string) {
    return caption === '' ? {} : { caption, ...parse };
  }

  /** An address or an id goes as it is, bytes as a part of that name. */
  function taken({ type }: StepItem, source: MediaSource | undefined, part: string): string | undefined {
    if (source === undefined) throw new TypeError(`Expected a source for each of ${sources.length} media`);
    if ('url' in source) return source.url;
    if ('reference' in source) return source.reference;
    const { bytes, fileName = fileNames[type], contentType = 'application/octet-stream' } = source;
    files.set(part, { bytes, fileName, contentType });
    return others.length === 0 ? undefined : `attach://${part}`;
  }
}

const single: Readonly<Record<MediaType, { method: SendMethod; field: string }>> = {
  image: { method: 'sendPhoto', field: 'photo' },
  video: { method: 'sendVideo', field: 'video' },
  audio: { method: 'sendAudio', field: 'audio' },
  file: { method: 'sendDocument', field: 'document' },
};

function keyboard(rows: Keyboard) {
  if (rows.length === 0) return {};
  const inline_keyboard = rows.map((row) =>
    row.map((button) => ('url' in button ? button : { text: button.text, callback_data: button.payload })),
  );
  return { reply_markup: { inline_keyboard } };
}
