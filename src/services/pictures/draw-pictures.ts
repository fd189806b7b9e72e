import type { RunStage } from '../../engine/operations.ts';
import type { Log } from '../../log.ts';
import type { AskModel, DrawPicture } from '../ai/ask.ts';
import { type PictureStore, SIGNED_SECONDS } from './picture-store.ts';
import {
  type DirectorPlan,
  directorVariables,
  type PictureSubject,
  type PlannedPicture,
  planPictures,
} from './plan-pictures.ts';
import { processPicture } from './process-picture.ts';

export type StoredPicture = {
  /** From 1, as planned: numbers of pictures that failed are missing. */
  index: number;
  url: string;
  storage_path: string;
  width: number;
  height: number;
};

export type DrawnPictures = { pictures: StoredPicture[]; failed: number };

export type DrawPicturesInput = {
  subject: PictureSubject;
  userId: number;
  projectId: number;
  /** Photos of the category, up to three, whose manner is taken. */
  references?: readonly string[];
  stage: RunStage;
  signal?: AbortSignal;
};

export type DrawPictures = (input: DrawPicturesInput) => Promise<DrawnPictures>;

type Dependencies = {
  draw: DrawPicture;
  store: PictureStore;
  /** Absent: no plan, every picture is drawn from its section. */
  askDirector?: AskModel;
  log: Log;
  clock: () => number;
};

/**
 * Draws all pictures at once, each as a stage of its own: what is stored is neither drawn nor paid for again after a
 * restart. A failure is a stage's result too, so that a resumed run counts, and refunds, the same pictures.
 */
export function makeDrawPictures({ draw, store, askDirector, log, clock }: Dependencies): DrawPictures {
  return async (input) => {
    const { subject, stage } = input;
    if (subject.settings.count === 0) return { pictures: [], failed: 0 };
    const startedAt = await stage('pictures', async () => clock()); // the same paths after a restart
    const plan = planPictures(subject, await direct(input));
    const drawn = await Promise.allSettled(
      plan.map((picture, i) => stage(`picture:${i + 1}`, () => deliver(picture, i + 1, startedAt, input))),
    );
    const results = drawn.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    const pictures = results.filter((result) => result !== null);
    return { pictures, failed: results.length - pictures.length };
  };

  /** A plan is a luxury (E54). */
  function direct({ subject, userId, signal, stage }: DrawPicturesInput): Promise<DirectorPlan | null> {
    const variables = directorVariables(subject);
    if (!askDirector || !variables) return Promise.resolve(null);
    return stage('image_director', async () => {
      try {
        const asking = { variables, userId, ...(signal && { signal }) };
        return (await askDirector('image_director', asking)).content;
      } catch (error) {
        signal?.throwIfAborted();
        log.warn({ err: error, userId }, 'image_director_skipped');
        return null;
      }
    });
  }

  async function deliver(
    { aspectRatio, size, variables }: PlannedPicture,
    index: number,
    startedAt: number,
    { userId, projectId, references, signal }: DrawPicturesInput,
  ): Promise<StoredPicture | null> {
    try {
      const { content } = await draw({
        variables,
        userId,
        aspectRatio,
        size,
        ...(references && { references }),
        ...(signal && { signal }),
      });
      const { bytes, width, height, extension, contentType } = await processPicture(content, log);
      const path = `${userId}/${projectId}/${startedAt}_${index}.${extension}`;
      signal?.throwIfAborted();
      await store.save(path, bytes, contentType);
      const url = await store.signedUrl(path, SIGNED_SECONDS);
      return { index, url, storage_path: path, width, height };
    } catch (error) {
      signal?.throwIfAborted(); // the caller has left: not a failed picture
      log.warn({ err: error, userId, picture: index }, 'a picture failed');
      return null;
    }
  }
}
