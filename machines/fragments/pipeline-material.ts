import type { EventObject } from 'xstate';
import { sliceChange } from './change-slice.ts';
import {
  type DescriptionEvent,
  type DescriptionOffer,
  type DescriptionSlice,
  descriptionActions,
  descriptionActors,
  descriptionGuards,
  descriptionStates,
  newDescription,
  ownDescription,
} from './description-work.ts';
import {
  newUpload,
  type UploadEvent,
  type UploadSlice,
  uploadActions,
  uploadActors,
  uploadAnswers,
  uploadProgress,
  uploadWork,
} from './keyword-upload.ts';
import { looksAgain, toChecklist } from './pipeline-steps.ts';

/**
 * What can be filled in from the checklist of a pipeline beside phrases that are sought: a list of the person's own,
 * and the topic's description, written or typed.
 */
export type MaterialSlice = UploadSlice & DescriptionSlice;

export type MaterialEvent =
  | UploadEvent
  | DescriptionEvent
  | { type: 'phrases.sent' }
  | { type: 'description.wanted' };

export const noMaterialYet = { upload: newUpload(null), description: newDescription(null) } as const;

export const materialActors = { ...uploadActors, ...descriptionActors };

type InSlice = { context: MaterialSlice };

export const materialGuards = {
  ...descriptionGuards,
  isDescriptionWritten: ({ context }: InSlice) => context.description.written !== null,
};

export const materialActions = <Context extends MaterialSlice, Event extends EventObject>() => {
  const change = sliceChange<MaterialSlice, Context, Event>();
  return {
    ...uploadActions<Context, Event>(),
    ...descriptionActions<Context, Event>(),
    openMaterial: change(() => ({ failure: null, misfit: null })),
  };
};

/** What a look around brings for it. */
export type MaterialStock = {
  category: { id: number; name: string } | null;
  /** Null until there is a category. */
  description: DescriptionOffer | null;
};

/** After a look around: of which category, and at which price. The counts stay: every try has a key of its own. */
export const materialTaken = (before: MaterialSlice, { category, description }: MaterialStock) => ({
  description: { ...newDescription(description), attempts: before.description.attempts },
  upload: {
    ...before.upload,
    category: category && { categoryId: category.id, categoryName: category.name },
    uploaded: before.upload.category?.categoryId === category?.id ? before.upload.uploaded : null,
  },
});

/** From the checklist. */
export const materialWays = {
  'phrases.sent': { target: 'readiness_keywords_upload', actions: 'openMaterial' },
  'description.wanted': { target: 'readiness_description', actions: 'openMaterial' },
} as const;

export const materialStates = {
  readiness_keywords_upload: {
    on: { ...uploadAnswers({ working: 'readiness_keywords_reading' }), ...looksAgain, ...toChecklist },
  },
  readiness_keywords_reading: {
    ...uploadWork({ done: 'taking_stock', refused: 'readiness_keywords_upload' }),
    on: uploadProgress,
  },
  ...descriptionStates({
    confirm: 'readiness_description',
    generating: 'readiness_description_generating',
    review: 'readiness_description_review',
    regenerating: 'readiness_description_regenerating',
    saving: 'readiness_description_saving',
    saved: 'taking_stock',
    unsaved: 'first_unsaved',
    atCost: {
      ...ownDescription({ saving: 'readiness_description_saving' }),
      ...looksAgain,
      ...toChecklist,
    },
    // What was written is not kept; it was paid for, and that was said beforehand.
    atReview: toChecklist,
  }),
  /** A text that was paid for is shown again; one that was typed is asked for again. */
  first_unsaved: {
    always: [
      { guard: 'isDescriptionWritten', target: 'readiness_description_review' },
      { target: 'readiness_description' },
    ],
  },
} as const;
