import { port } from '../ports.ts';

/** What is about to be written, and for how much: shown before anything is charged. */
export type PostOffer = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  projectName: string;
  connectionId: number;
  platform: string;
  /** The channel, wall, board or chat, by the name its owner knows. */
  place: string;
  /** Where that can be opened; null: nowhere without its readers' rights. */
  placeUrl: string | null;
  phrase: string;
  /** A count: 0 or 1. */
  images: number;
  /** The channel takes none, though its settings want one. */
  isBare?: true;
  /** Prices in tokens, of the text and of the picture. */
  text: number;
  pictures: number;
  /** Tokens. */
  balance: number;
  isAdmin: boolean;
  /** Every phrase was used lately, so this one comes again. */
  reused: boolean;
};

/** A post that waits for a decision. Text and picture live in the database: a session is read with every update. */
export type PostDraft = {
  draftId: number;
  /** A count: 0 or 1. Fewer than wanted when none could be drawn. */
  images: number;
  imagesWanted: number;
  spent: number;
  returned: number;
  regenerations: number;
  /** Prices of another version and of a change by words; 0 while they are free. */
  nextPrice: number;
  nextTextPrice: number;
  /** How often an answer was lost: the next try is another piece of work. */
  lost: number;
  warnings: string[];
};

export type GeneratePostInput = {
  key: string;
  userId: number;
  offer: PostOffer;
  /** It waits a day for its person, who may leave and come back; otherwise it is over when they leave (E27). */
  kept?: true;
};
export type RegeneratePostInput = { key: string; userId: number; draftId: number; wish: string | null };
/** `mayBeWish`: two words more likely ask for a change than make a post. */
export type SavePostTextInput = { userId: number; draftId: number; text: string; mayBeWish?: boolean };
export type PublishPostInput = { key: string; userId: number; draftId: number };
export type PostDraftInput = { userId: number; draftId: number };

export type PublishedPost = {
  /** Null: the project was deleted while the post went out. */
  publicationId: number | null;
  url: string | null;
  /** What the platform did not take, in words for the person. */
  warnings: string[];
};
export type PostOutcome =
  /** `returned`: the tokens of a picture that it went out without. */
  | ({ outcome: 'sent'; returned?: number } & PublishedPost)
  /** It may be there: the person looks, and decides. */
  | { outcome: 'unknown'; lost: number; message: string };

/** What the work on a post asks of the services. */
export const postActors = {
  generatePost: port<PostDraft, GeneratePostInput>('generatePost'),
  regeneratePost: port<PostDraft, RegeneratePostInput>('regeneratePost'),
  savePostText: port<PostDraft, SavePostTextInput>('savePostText'),
  publishPost: port<PostOutcome, PublishPostInput>('publishPost'),
  confirmPost: port<PublishedPost, PostDraftInput>('confirmPost'),
  cancelPost: port<{ returned: number }, PostDraftInput>('cancelPost'),
};
