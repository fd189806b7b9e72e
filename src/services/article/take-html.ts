import type { CancelDraftInput, TakenHtml } from '../../../machines/fragments/article-ports.ts';
import { DraftExpired } from '../../errors.ts';
import type { Draft } from '../../store/draft.ts';
import { slug } from '../content/slug.ts';
import { pictureFormat } from '../pictures/picture-format.ts';
import { articlePage } from './article-page.ts';

type ArticleDocument = { name: string; content: string };

type Deps = {
  findDraft(userId: number, draftId: number): Promise<Draft | null>;
  /** From then on the charge is final. Null: the draft was ended before. */
  takeHtml(userId: number, draftId: number): Promise<{ final: number } | null>;
  readPicture(path: string): Promise<Buffer | null>;
  /** Gives the tokens of a draft back whose day is over. */
  expireNow(draftId: number): Promise<void>;
};

/**
 * X09. The document is made before the charge becomes final, so that a picture store that does not answer costs nothing;
 * the screen that brings the file makes it again. Idempotent: taken twice, it is final once.
 */
export function makeTakeHtml({ findDraft, takeHtml, readPicture, expireNow }: Deps) {
  return { take, documentOf };

  async function take({ userId, draftId }: CancelDraftInput): Promise<TakenHtml> {
    const document = await documentOf(userId, draftId);
    const taken = document && (await takeHtml(userId, draftId));
    if (taken) return taken;
    await expireNow(draftId);
    throw new DraftExpired(draftId);
  }

  /** Null: it was published, cancelled, or its day is over. */
  async function documentOf(userId: number, draftId: number): Promise<ArticleDocument | null> {
    const draft = await findDraft(userId, draftId);
    if (!draft) return null;
    const pictures = new Map(
      await Promise.all(
        draft.images.map(
          async ({ url, storage_path }) => [url, asDataUri(await readPicture(storage_path))] as const,
        ),
      ),
    );
    const { title, html, images, details } = draft;
    const { seoTitle, metaDescription } = details;
    return {
      name: `${slug(title) || 'article'}.html`,
      content: articlePage({ html, images, seoTitle, metaDescription }, (url) => pictures.get(url) ?? null),
    };
  }
}

function asDataUri(bytes: Buffer | null): string | null {
  const format = bytes && pictureFormat(bytes);
  return format ? `data:${format.contentType};base64,${bytes.toString('base64')}` : null;
}
