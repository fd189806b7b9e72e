import type { PostDraft, SavePostTextInput } from '../../../machines/fragments/post-ports.ts';
import { AppError, DraftExpired } from '../../errors.ts';
import { postRulesOf } from '../../platforms/platforms.ts';
import { number, plural } from '../../russian.ts';
import type { StoredPost } from '../../store/post-drafts.ts';
import { words } from '../quality/russian-text.ts';
import { simhash, toSigned } from '../quality/simhash.ts';
import { toDraft } from './post-draft.ts';
import { type Run, tidy, visibleText, writeHtml } from './styled-text.ts';

class TextDoesNotFit extends AppError {
  readonly code = 'TEXT_DOES_NOT_FIT';
  readonly userMessage: string;
  constructor(length: number, limit: number) {
    super(`a text of ${length} characters for ${limit}`);
    this.userMessage =
      length === 0
        ? 'В сообщении нет текста. Пришлите текст поста целиком.'
        : `Слишком длинно: ${plural(length, 'символ', 'символа', 'символов')}, а помещается ${number(limit)}. Пришлите текст короче.`;
  }
}

/** At the preview of a post «короче» changes it; at that of a cross-post it would become the whole text. */
class LooksLikeWish extends AppError {
  readonly code = 'LOOKS_LIKE_WISH';
  readonly userMessage =
    'Похоже на просьбу, а здесь текст меняется только целиком: пришлите весь пост, хотя бы три слова. Прежний текст на месте.';
}

const FEWEST_WORDS = 3;

type Deps = {
  findDraft(userId: number, draftId: number): Promise<StoredPost | null>;
  reword(
    userId: number,
    draftId: number,
    text: { html: string; words: number; contentHash: string },
  ): Promise<StoredPost | null>;
};

/** The text that a person typed themselves, to the letter: links and tags are theirs to choose. Free. */
export const makeSavePostText =
  ({ findDraft, reword }: Deps) =>
  async ({ userId, draftId, text, mayBeWish = false }: SavePostTextInput): Promise<PostDraft> => {
    const draft = await findDraft(userId, draftId);
    if (!draft) throw new DraftExpired(draftId);
    const { limit, counts, tags } = postRulesOf(draft.details.platform);
    const runs: Run[] = tidy([{ text: text.toWellFormed().normalize('NFC'), marks: [] }]);
    const visible = visibleText(runs);
    const html = tags.length > 0 ? writeHtml(runs) : visible;
    const { length } = counts === 'visible' ? visible : html;
    if (length === 0 || length > limit) throw new TextDoesNotFit(length, limit);
    if (mayBeWish && words(visible).length < FEWEST_WORDS) throw new LooksLikeWish(`"${visible}"`);
    const saved = await reword(userId, draftId, {
      html,
      words: words(visible).length,
      contentHash: String(toSigned(simhash(visible))),
    });
    if (!saved) throw new DraftExpired(draftId);
    return toDraft(saved, { returned: 0 });
  };
