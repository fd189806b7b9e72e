import type { EventObject } from 'xstate';
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
import { type ListInput, listWork, type SentList, taken, takesFile, takesText } from './sent-list.ts';

export type UploadKeywordsInput = ListInput;

/** What was in the list and is already saved. */
export type KeywordsUploaded = KeywordsFound & { encoding: 'utf-8' | 'utf-16' | 'windows-1251' };

export type KeywordUpload = SentList<{ categoryId: number; categoryName: string }> & {
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
      upload: { ...taken(upload, toMaterial(params)), stage: null },
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
  ...takesFile(working, 'takePhraseFile'),
  ...takesText(working, 'takePhraseText'),
});

/** A limit that refuses leads back as well; suppliers that fail are no failure of the work (E03b, X17). */
export const uploadWork = listWork({
  src: 'uploadKeywords',
  listOf: ({ upload }: UploadSlice) => upload,
  remember: 'rememberUpload',
  remembered: (uploaded: KeywordsUploaded) => ({ uploaded }),
  refuse: 'rememberUploadFailure',
});

/** For a host with one state for all of the work: it tells the stages one after another. */
export const uploadProgress = {
  'progress.made': {
    actions: { type: 'rememberUploadStage', params: ({ event }: { event: Stage }) => event },
  },
  'work.delayed': { actions: 'rememberDelay' },
} as const;
