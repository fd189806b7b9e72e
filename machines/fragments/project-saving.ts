import type { DoneActorEvent, EventObject } from 'xstate';
import { failedAgain } from '../failure.ts';
import { port } from '../ports.ts';
import { sliceChange } from './change-slice.ts';
import { named } from './named.ts';
import { readingKey, type SiteCard, type SiteSlice } from './project-from-site.ts';
import { runKey } from './run-key.ts';
import { failed } from './with-event.ts';

export type SaveProjectInput = {
  key: string;
  userId: number;
  name: string;
  companyName: string;
  specialization: string;
  websiteUrl: string | null;
  /** Of a project whose site was read: what the person kept of the card. */
  site?: { reading: string; city: string | null; phone: string | null; topics: number[] };
};

/** The part of the host's context that the saving needs. All questions are answered when it begins. */
export type ProjectSavingSlice = SiteSlice & { projectId: number | null };

export const projectActors = {
  saveProject: port<{ projectId: number }, SaveProjectInput>('saveProject'),
};

export const projectSavingActions = <Context extends ProjectSavingSlice, Event extends EventObject>() => {
  const change = sliceChange<ProjectSavingSlice, Context, Event>();
  return {
    rememberProject: change<{ projectId: number }>((_, { projectId }) => ({ projectId })),
    rememberSaveFailure: change<{ error: unknown }>(({ failure }, { error }) => ({
      failure: failedAgain(failure, error),
      misfit: null,
    })),
  };
};

const keptOfCard = (context: ProjectSavingSlice, { city, phone, topics }: SiteCard) => ({
  reading: readingKey(context),
  city,
  phone,
  topics: topics.flatMap(({ kept }, i) => (kept ? [i] : [])),
});

/** Makes a project of the answers. */
export const projectSaving = <
  const Saving extends string,
  const SaveFailed extends string,
  const Done extends string,
  const Ways extends object,
>({
  saving,
  saveFailed,
  done,
  ways,
}: {
  saving: Saving;
  saveFailed: SaveFailed;
  done: Done;
  ways: Ways;
}) => ({
  ...named(saving, {
    tags: 'busy',
    invoke: {
      id: 'saveProject',
      src: 'saveProject',
      input: ({ context }: { context: ProjectSavingSlice }) => ({
        key: runKey(context, 'saveProject'),
        userId: context.userId,
        name: context.answers.name!,
        companyName: context.answers.companyName!,
        specialization: context.answers.specialization!,
        websiteUrl: context.answers.websiteUrl,
        ...(context.siteCard && { site: keptOfCard(context, context.siteCard) }),
      }),
      onDone: {
        target: done,
        actions: {
          type: 'rememberProject',
          params: ({ event }: { event: DoneActorEvent<{ projectId: number }> }) => event.output,
        },
      },
      onError: {
        target: saveFailed,
        actions: failed('rememberSaveFailure'),
      },
    },
  }),
  ...named(saveFailed, { on: { retried: saving, ...ways } }),
});
