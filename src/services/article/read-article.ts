import type { Draft } from '../../store/draft.ts';

type Deps = {
  findDraft(userId: number, draftId: number): Promise<Draft | null>;
  readPicture(path: string): Promise<Buffer | null>;
};

/** A draft as its owner reads it in the chat. Null: it was published, cancelled, or its day is over. */
export const makeReadArticle =
  ({ findDraft, readPicture }: Deps) =>
  async (
    userId: number,
    draftId: number,
  ): Promise<{ html: string; pictures: { url: string; bytes: Uint8Array }[] } | null> => {
    const draft = await findDraft(userId, draftId);
    if (!draft) return null;
    const pictures = await Promise.all(
      draft.images.map(async ({ url, storage_path }) => ({ url, bytes: await readPicture(storage_path) })),
    );
    return {
      html: draft.html,
      pictures: pictures.flatMap(({ url, bytes }) => (bytes === null ? [] : [{ url, bytes }])),
    };
  };
