import type { MessageEntity } from 'grammy/types';
import type { Mark, MarkKind } from '../../screens/kit/marked-text.ts';

/** What Telegram finds in a text by itself (addresses, names, hashtags) is no mark: it finds it again wherever the text goes. */
const kinds: Readonly<Partial<Record<MessageEntity['type'], MarkKind>>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  spoiler: 'spoiler',
  code: 'code',
  pre: 'pre',
  text_link: 'link',
  blockquote: 'quote',
  expandable_blockquote: 'folded-quote',
  custom_emoji: 'emoji',
};

export function marksOf(entities: readonly MessageEntity[] = []): { marks?: Mark[] } {
  const marks = entities.flatMap((entity): Mark[] => {
    const kind = kinds[entity.type];
    const { offset, length } = entity;
    if (!kind) return [];
    if (entity.type === 'text_link') return [{ kind, offset, length, detail: entity.url }];
    if (entity.type === 'pre' && entity.language)
      return [{ kind: 'pre-code', offset, length, detail: entity.language }];
    if (entity.type === 'custom_emoji') return [{ kind, offset, length, detail: entity.custom_emoji_id }];
    return [{ kind, offset, length }];
  });
  return marks.length > 0 ? { marks } : {};
}
