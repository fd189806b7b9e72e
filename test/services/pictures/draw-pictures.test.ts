import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { RunStage } from '../../../src/engine/operations.ts';
import { AiFailed, OperationLost } from '../../../src/errors.ts';
import type { Answer, AskModel, DrawPicture } from '../../../src/services/ai/ask.ts';
import { type DrawPicturesInput, makeDrawPictures } from '../../../src/services/pictures/draw-pictures.ts';
import type { PictureStore } from '../../../src/services/pictures/picture-store.ts';
import { createOperations } from '../../../src/store/operations.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { keptLog } from './kept-log.ts';
import { settingsOf, subjectOf } from './subject.ts';

const png = await sharp({ create: { width: 16, height: 9, channels: 3, background: '#a55' } })
  .png()
  .toBuffer();

const answered = <Content>(content: Content): Answer<Content> => ({
  content,
  modelUsed: 'test/model',
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  generationTimeMs: 0,
  promptVersion: 'image_v1',
  fallbackUsed: false,
});

/** Keeps what was saved, and draws unless told otherwise about a picture. */
function studio(fate: (picture: number) => unknown = () => null) {
  const saved = new Map<string, Uint8Array>();
  const drawn: number[] = [];
  const { log, lines } = keptLog();
  const draw: DrawPicture = async ({ variables, signal }) => {
    const picture = Number(variables.image_number);
    drawn.push(picture);
    const error = await fate(picture);
    signal?.throwIfAborted();
    if (error instanceof Error) throw error;
    return answered(Buffer.isBuffer(error) ? error : png);
  };
  const store: Pick<PictureStore, 'save' | 'signedUrl'> = {
    save: async (path, bytes) => void saved.set(path, bytes),
    signedUrl: async (path, seconds) => `https://pictures.example/${path}?for=${seconds}`,
  };
  return {
    saved,
    drawn,
    lines,
    deps: { draw, store: store as PictureStore, log, clock: () => 1_700_000_000_000 },
  };
}

const eachTime: RunStage = (_, work) => work();
const inputOf = (change: Partial<DrawPicturesInput> = {}): DrawPicturesInput => ({
  subject: subjectOf({ settings: settingsOf({ count: 4 }) }),
  userId: 7,
  projectId: 12,
  stage: eachTime,
  ...change,
});

describe('the pictures of an article', () => {
  it('are drawn, processed and stored, each under a path of its own', async () => {
    const { deps, saved } = studio();
    const { pictures, failed } = await makeDrawPictures(deps)(inputOf());
    expect(failed).toBe(0);
    expect(pictures[1]).toEqual({
      index: 2,
      url: 'https://pictures.example/7/12/1700000000000_2.webp?for=86400',
      storage_path: '7/12/1700000000000_2.webp',
      width: 16,
      height: 9,
    });
    expect([...saved.keys()].sort()).toEqual(pictures.map(({ storage_path }) => storage_path));
  });

  it('are all asked for at once', async () => {
    let asked = 0;
    let release: () => void = () => undefined;
    const allAsked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { deps } = studio(() => {
      asked += 1;
      if (asked === 4) release();
      return allAsked;
    });
    expect((await makeDrawPictures(deps)(inputOf())).pictures).toHaveLength(4);
  });

  it('go on with those that succeeded (X06)', async () => {
    const { deps, lines } = studio((picture) =>
      picture === 2 ? new AiFailed('filtered', 'refused') : picture === 3 ? Buffer.from('no picture') : null,
    );
    const { pictures, failed } = await makeDrawPictures(deps)(inputOf());
    expect(pictures.map(({ index }) => index)).toEqual([1, 4]);
    expect(failed).toBe(2);
    expect(lines.map(({ msg, picture }) => [msg, picture])).toEqual([
      ['a picture failed', 2],
      ['a picture failed', 3],
    ]);
  });

  it('are none when every one failed, and the text lives on (E34)', async () => {
    const { deps } = studio(() => new AiFailed('unavailable', 'down'));
    expect(await makeDrawPictures(deps)(inputOf())).toEqual({ pictures: [], failed: 4 });
  });

  it('fail one by one when they cannot be stored', async () => {
    const { deps } = studio();
    const save: PictureStore['save'] = async (path) => {
      if (path.endsWith('_1.webp')) throw new Error('no space left');
    };
    const drawPictures = makeDrawPictures({ ...deps, store: { ...deps.store, save } });
    expect((await drawPictures(inputOf())).failed).toBe(1);
  });

  it('keep their own format when they cannot become WebP (E33)', async () => {
    const wide = await sharp({ create: { width: 16_400, height: 2, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { deps } = studio(() => wide);
    const { pictures } = await makeDrawPictures(deps)(inputOf());
    expect(pictures[0]!.storage_path).toMatch(/_1\.png$/u);
  });

  it('are not drawn at all when none is wanted', async () => {
    const { deps, drawn } = studio();
    const none = subjectOf({ settings: settingsOf({ count: 0 }) });
    expect(await makeDrawPictures(deps)(inputOf({ subject: none }))).toEqual({ pictures: [], failed: 0 });
    expect(drawn).toEqual([]);
  });

  it('stop when their caller leaves: leaving is no failure', async () => {
    const leave = new AbortController();
    const { deps, lines, saved } = studio((picture) => {
      if (picture === 4) leave.abort(new Error('the text failed'));
    });
    const drawing = makeDrawPictures(deps)(inputOf({ signal: leave.signal }));
    await expect(drawing).rejects.toThrow('the text failed');
    expect([lines, saved.size]).toEqual([[], 0]);
  });
});

describe('the director', () => {
  const plan = {
    images: [
      { section_index: 1, concept: '', prompt: 'a white kitchen', negative_prompt: '', aspect_ratio: '3:2' },
    ],
    visual_narrative: '',
  };

  it('plans what is drawn', async () => {
    const { deps } = studio();
    const prompts: unknown[] = [];
    const draw: DrawPicture = (drawing) => {
      prompts.push([drawing.variables.director_prompt, drawing.aspectRatio]);
      return deps.draw(drawing);
    };
    const askDirector = (async () => answered(plan)) as unknown as AskModel;
    await makeDrawPictures({ ...deps, draw, askDirector })(inputOf());
    expect(prompts[0]).toEqual(['a white kitchen', '3:2']);
    expect(prompts[1]).toEqual(['', '4:3']);
  });

  it('is not missed when it fails (E54)', async () => {
    const { deps, lines } = studio();
    const askDirector: AskModel = () => Promise.reject(new AiFailed('unavailable', 'down'));
    expect((await makeDrawPictures({ ...deps, askDirector })(inputOf())).pictures).toHaveLength(4);
    expect(lines.map(({ msg }) => msg)).toEqual(['image_director_skipped']);
  });

  it('is not asked about a post', async () => {
    const { deps, lines } = studio();
    const askDirector: AskModel = () => Promise.reject(new Error('must not be asked'));
    const post = subjectOf({ contentType: 'social_post', platform: 'vk', sections: [] });
    await makeDrawPictures({ ...deps, askDirector })(inputOf({ subject: post }));
    expect(lines).toEqual([]);
  });
});

forEachDatabase((sql) => {
  describe('after a restart', () => {
    it('neither what is stored nor what failed is drawn and paid for again', async () => {
      const operations = createOperations(sql());
      const call = { key: randomUUID(), userId: 7, request: {} };
      const first = studio((picture) => (picture === 3 ? new AiFailed('filtered', 'refused') : null));
      const interrupted = operations.withStages(call, async (stage) => {
        await makeDrawPictures(first.deps)(inputOf({ stage }));
        throw new Error('the process died while writing the text');
      });
      await expect(interrupted).rejects.toThrow('died');

      const second = studio();
      const later = { ...second.deps, clock: () => 1_800_000_000_000 };
      const resumed = await operations.withStages(call, (stage) =>
        makeDrawPictures(later)(inputOf({ stage })),
      );
      expect(second.drawn).toEqual([]);
      expect(resumed.pictures.map(({ storage_path }) => storage_path)).toEqual(
        [...first.saved.keys()].sort(),
      );
      expect(resumed.failed).toBe(1);
    });

    it('what was not finished is drawn under the same path', async () => {
      const operations = createOperations(sql());
      const call = { key: randomUUID(), userId: 7, request: {} };
      const died = new AbortController();
      const first = studio((picture) => {
        if (picture === 1) died.abort(new OperationLost('the lease'));
      });
      const one = subjectOf({ settings: settingsOf({ count: 1 }) });
      const interrupted = operations.withStages(call, (stage) =>
        makeDrawPictures(first.deps)(inputOf({ stage, subject: one, signal: died.signal })),
      );
      await expect(interrupted).rejects.toThrow(OperationLost);

      const second = studio();
      const later = { ...second.deps, clock: () => 1_800_000_000_000 };
      const resumed = await operations.withStages(call, (stage) =>
        makeDrawPictures(later)(inputOf({ stage, subject: one })),
      );
      expect(second.drawn).toEqual([1]);
      expect(resumed.pictures[0]!.storage_path).toBe('7/12/1700000000000_1.webp');
    });
  });
});
