import type { ArticlePreview } from '../../../machines/fragments/article-ports.ts';
import { freeRegenerations } from '../../../machines/fragments/article-work.ts';
import type { TelegraphPage } from '../../clients/telegraph.ts';
import type { RunStage } from '../../engine/operations.ts';
import { type Price, total } from '../../prices.ts';
import type { Draft, DraftContent } from '../../store/draft.ts';
import type { EndedDraft } from '../../store/draft-ends.ts';
import { type ArticleNote, notes } from './article-notes.ts';
import type { ArticleDraft } from './write-article.ts';

type Run = { key: string; userId: number; stage: RunStage; signal: AbortSignal };

/** What can be told of a draft once it is kept. */
type KeptDraft = DraftContent & Pick<Draft, 'id' | 'regenerations'>;

type Deps = {
  drafts: {
    fill(key: string, content: DraftContent): Promise<number | null>;
    replace(draftId: number, key: string, content: DraftContent): Promise<{ regenerations: number } | null>;
  };
  /** A page to look at; null when Telegraph is down (E05). */
  makePage(
    page: { title: string; authorName: string; html: string },
    signal: AbortSignal,
  ): Promise<TelegraphPage | null>;
  /** Whether the pictures can be seen on that page. */
  showsPictures?: boolean;
  isSimilarToEarlier(userId: number, contentHash: string): Promise<boolean>;
  /** Files and pages of a superseded version. */
  discard(left: Left): Promise<void>;
};
type Left = Pick<EndedDraft, 'pictures' | 'telegraphPath'>;

type Unkept = Omit<DraftContent, 'telegraph'> & { author: string };
export type KeepDraft = ReturnType<typeof makeKeepDraft>;

/** Puts what was written where the person can look at it. Null when the draft was ended meanwhile. */
export function makeKeepDraft({ drafts, makePage, showsPictures = true, isSimilarToEarlier, discard }: Deps) {
  return { first, another };

  async function first(run: Run, unkept: Unkept): Promise<KeptDraft | null> {
    const content = await prepared(run, unkept);
    const id = await drafts.fill(run.key, content);
    return id === null ? null : { ...content, id, regenerations: 0 };
  }

  async function another(run: Run, unkept: Unkept, draftId: number, old: Left): Promise<KeptDraft | null> {
    const content = await prepared(run, unkept);
    const replaced = await drafts.replace(draftId, run.key, content);
    if (!replaced) return null;
    await discard(old);
    return { ...content, id: draftId, ...replaced };
  }

  async function prepared(
    { userId, stage, signal }: Run,
    { author, ...content }: Unkept,
  ): Promise<DraftContent> {
    const { title, html, details } = content;
    const { contentHash } = details;
    const telegraph = await stage('telegraph', () => makePage({ title, html, authorName: author }, signal));
    const isSimilar = contentHash !== null && (await isSimilarToEarlier(userId, contentHash));
    const own = [
      ...(isSimilar ? [notes.similar.text] : []),
      ...(telegraph && !showsPictures && content.images.length > 0 ? [notes.picturesUnseen.text] : []),
      ...details.notes,
    ];
    return { ...content, telegraph, details: { ...details, notes: own } };
  }
}

export function toContent(
  draft: ArticleDraft & { changes?: string },
  author: string,
  price: Price,
  more: readonly ArticleNote[] = [],
): Unkept {
  const { title, html, words, images, seoTitle, metaDescription } = draft;
  const { contentHash, modelUsed, promptVersion, generationTimeMs } = draft;
  return {
    title,
    html,
    words,
    images: images.map(({ index: _, ...image }) => image),
    author,
    details: {
      seoTitle,
      metaDescription,
      contentHash,
      modelUsed,
      promptVersion,
      generationTimeMs,
      price,
      notes: [...more, ...draft.notes].map(({ text }) => text),
      imagesWanted: draft.imagesWanted,
      ...(draft.ownPhotos > 0 && { ownPhotos: draft.ownPhotos }),
      ...(draft.results && { results: draft.results }),
      sections: draft.sections,
      verdict: draft.verdict,
      ...(draft.answer && { answer: draft.answer }),
      ...(draft.changes && { changes: draft.changes }),
    },
  };
}

const EXCERPT_LENGTH = 500;

export function toPreview(
  { id, title, words, images, html, details, telegraph, regenerations }: KeptDraft,
  { phrase, spent, returned }: { phrase: string; spent: number; returned: number },
): ArticlePreview {
  return {
    draftId: id,
    title,
    words,
    images: images.length,
    imagesWanted: details.imagesWanted,
    sections: details.sections,
    phrase,
    spent,
    returned,
    ...(details.final !== undefined && { final: details.final }),
    telegraphUrl: telegraph?.url ?? null,
    excerpt: excerptOf(html),
    regenerations,
    nextPrice: regenerations < freeRegenerations ? 0 : total(details.price),
    nextTextPrice: regenerations < freeRegenerations ? 0 : details.price.text,
    ...(details.changes && { changes: details.changes }),
    warnings: details.notes,
    ...(details.verdict && { verdict: details.verdict }),
  };
}

/** The beginning of the text as it reads, without its title and contents. */
function excerptOf(html: string): string {
  const text = html
    .replace(/<(h1|nav|script)\b[\s\S]*?<\/\1>/giu, ' ')
    .replace(/<\/(?:p|h\d|li|tr|figcaption)>/giu, '\n')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/gu, (entity) => entities[entity] ?? ' ')
    .replace(/[ \t\u00a0]+/gu, ' ')
    .replace(/\s*\n\s*/gu, '\n')
    .trim();
  if (text.length <= EXCERPT_LENGTH) return text;
  const end = text.lastIndexOf(' ', EXCERPT_LENGTH);
  return `${text.slice(0, end > 0 ? end : EXCERPT_LENGTH).toWellFormed()}…`;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
