import type { DoneActorEvent, ErrorActorEvent, EventObject } from 'xstate';
import { type Failure, failedTheSame } from '../failure.ts';
import type { FlowInput, TextReceived } from '../flow-input.ts';
import { port } from '../ports.ts';
import {
  type FileReceived,
  fileMaterial,
  type Material,
  type SentFile,
  textMaterial,
} from '../sent-material.ts';
import { sliceChange } from './change-slice.ts';
import type { KeywordsFound } from './keyword-questions.ts';

export type UploadKeywordsInput = { key: string; userId: number; categoryId: number; material: Material };

/** What was in the list and is already saved. */
export type KeywordsUploaded = KeywordsFound & { encoding: 'utf-8' | 'utf-16' | 'windows-1251' };

export type KeywordUpload = {
  /** Null as long as the host knows no category. */
  category: { categoryId: number; categoryName: string } | null;
  /** What the person sent, while it is worked on. */
  material: Material | null;
  /** Every list that is sent has a key of its own: never set back, not for another category either. */
  attempts: number;
  /** How far the work has come, where one state stands for all of it. */
  stage: string | null;
  uploaded: KeywordsUploaded | null;
};

/** The part of the host's context that an upload needs. */
export type UploadSlice = FlowInput & { upload: KeywordUpload; late: boolean; failure: Failure | null };

export type UploadEvent = TextReceived | FileReceived;

export const newUpload = (category: KeywordUpload['category']): KeywordUpload => ({
  category,
  material: null,
  attempts: 0,
  stage: null,
  uploaded: null,
});

export const uploadActors = {
  uploadKeywords: port<KeywordsUploaded, UploadKeywordsInput>('uploadKeywords'),
};

type Failed = { error: unknown };
type Stage = { stage: string };

export const uploadActions = <Context extends UploadSlice, Event extends EventObject>() => {
  const change = sliceChange<UploadSlice, Context, Event>();
  const take = <Params>(toMaterial: (params: Params) => Material) =>
    change<Params>(({ upload }, params) => ({
      upload: { ...upload, material: toMaterial(params), attempts: upload.attempts + 1, stage: null },
      late: false,
    }));
  return {
    takePhraseText: take<{ text: string }>(textMaterial),
    takePhraseFile: take<{ file: SentFile }>(fileMaterial),
    rememberUploadStage: change<Stage>(({ upload }, { stage }) => ({ upload: { ...upload, stage } })),
    rememberUpload: change<{ uploaded: KeywordsUploaded }>(({ upload }, { uploaded }) => ({
      upload: { ...upload, material: null, uploaded },
      failure: null,
    })),
    rememberUploadFailure: change<Failed>(({ upload, failure }, { error }) => ({
      upload: { ...upload, material: null },
      failure: failedTheSame(failure, error),
    })),
    rememberDelay: change(() => ({ late: true })),
    /** For a host that comes to know the category on its way. */
    offerUpload: change<{ category: NonNullable<KeywordUpload['category']> }>(({ upload }, { category }) => ({
      upload: { ...newUpload(category), attempts: upload.attempts },
      failure: null,
    })),
  };
};

/** What a person may answer with: a file, or the list itself. */
export const uploadAnswers = <const Working extends string>({ working }: { working: Working }) => ({
  'file.received': {
    target: working,
    actions: {
      type: 'takePhraseFile' as const,
      params: ({ event }: { event: FileReceived }) => ({ file: event.file }),
    },
  },
  'text.received': {
    target: working,
    actions: {
      type: 'takePhraseText' as const,
      params: ({ event }: { event: TextReceived }) => ({ text: event.text }),
    },
  },
});

/**
 * One piece of work under one key, whichever of a host's states is stored. A list that cannot be used, or a limit that
 * refuses, leads back to the question; suppliers that fail are no failure of the work (E03b, X17).
 */
export const uploadWork = <const Done extends string, const Refused extends string>({
  done,
  refused,
}: {
  done: Done;
  refused: Refused;
}) => ({
  tags: 'busy' as const,
  invoke: {
    id: 'uploadKeywords' as const,
    src: 'uploadKeywords' as const,
    input: ({ context: { run, userId, upload } }: { context: UploadSlice }) => ({
      key: `${run}:uploadKeywords:${upload.attempts}`,
      userId,
      categoryId: upload.category!.categoryId,
      material: upload.material!,
    }),
    onDone: {
      target: done,
      actions: {
        type: 'rememberUpload' as const,
        params: ({ event }: { event: DoneActorEvent<KeywordsUploaded> }) => ({ uploaded: event.output }),
      },
    },
    onError: {
      target: refused,
      actions: {
        type: 'rememberUploadFailure' as const,
        params: ({ event }: { event: ErrorActorEvent }) => event,
      },
    },
  },
});

/** For a host with one state for all of the work: it tells the stages one after another. */
export const uploadProgress = {
  'progress.made': {
    actions: { type: 'rememberUploadStage', params: ({ event }: { event: Stage }) => event },
  },
  'work.delayed': { actions: 'rememberDelay' },
} as const;
