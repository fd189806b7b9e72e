import { DeliveryFailed } from '../../errors.ts';
import type { MediaSource } from '../../platforms/messenger/messenger.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { MediaItem } from '../store/delivery.ts';
import type { Media, MediaBlob } from '../store/media.ts';
import type { MediaShelf } from './media-shelf.ts';

type Deps = {
  media: Pick<Media, 'findBlob' | 'saveBlob' | 'forgetBlob' | 'findOrigin'>;
  shelf: Pick<MediaShelf, 'read'>;
};

export type DeliveryMedia = ReturnType<ReturnType<typeof makeDeliveryMedia>>;

/** How long a platform keeps what was brought; null: for ever. MAX does not say, so a retry's time is trusted. */
const LIFE_MS: Readonly<Record<ChannelPlatform, number | null>> = { telegram: null, max: 30 * 60_000 };
/** Under which name a post brings what its platform has already. */
const referenceField = { telegram: 'file_id', max: 'attachment_token' } as const satisfies Record<
  ChannelPlatform,
  keyof MediaItem
>;

/**
 * The files of a delivery as its platform can take them: by the reference it keeps them under, else from the shelf. A
 * file that is being uploaded is waited for, so that forty channels at once do not bring it forty times.
 */
export function makeDeliveryMedia({ media, shelf }: Deps) {
  const brought = new Map<string, Promise<void>>();

  return function mediaOf({ workspaceId, platform, authRef, payload }: ClaimedDelivery) {
    const bringing = new Map<string, () => void>();
    const givenAsReference = new Set<string>();
    return { source, keep, forget, done };

    /** Throws DeliveryFailed: nothing was sent. */
    async function source(index: number): Promise<MediaSource> {
      const item = payload.media?.[index];
      if (!item) throw missingOrigin(`the post has no media ${index}`);
      const own = item[referenceField[platform]];
      if (own !== undefined) return { reference: own };
      if (item.blob_ref !== undefined) return blob(item.blob_ref);
      if (item.url !== undefined) return { url: item.url };
      throw missingOrigin(`media ${index} has no source`);
    }

    async function blob(blobRef: string): Promise<MediaSource> {
      try {
        return (await known(blobRef)) ?? (await fromShelf(blobRef));
      } catch (error) {
        throw error instanceof DeliveryFailed ? error : unavailable(error);
      }
    }

    async function known(blobRef: string): Promise<MediaSource | null> {
      for (;;) {
        const kept = await media.findBlob(workspaceId, blobRef, platform);
        const reference = kept && referenceIn(kept, authRef);
        if (reference) {
          givenAsReference.add(blobRef);
          return { reference };
        }
        if (kept?.url) return { url: kept.url };
        const somebody = brought.get(keyOf(blobRef));
        // A delivery that uploads waits for no other: two albums of the same files would deadlock.
        if (!somebody || bringing.size > 0) return null;
        await somebody;
      }
    }

    async function fromShelf(blobRef: string): Promise<MediaSource> {
      if (!brought.has(keyOf(blobRef))) {
        brought.set(keyOf(blobRef), new Promise((resolve) => bringing.set(blobRef, resolve)));
      }
      const origin = await media.findOrigin(workspaceId, blobRef);
      const file = origin && (await shelf.read(origin.originUrl));
      if (!file) throw missingOrigin(`${blobRef} is not on the shelf any more`);
      return file;
    }

    /** The platform keeps it under this reference now. */
    async function keep(index: number, reference: string): Promise<void> {
      const blobRef = refOf(payload.media?.[index]);
      if (blobRef === null) return;
      const lifeMs = LIFE_MS[platform];
      const fileId = lifeMs === null ? reference : null;
      await media.saveBlob(workspaceId, blobRef, platform, {
        fileId,
        references: { [authRef]: reference },
        lifeMs,
      });
      release(blobRef);
    }

    /** The platform has forgotten its own references to these files. False: none was given. Throws DeliveryFailed. */
    async function forget(): Promise<boolean> {
      const refs = [...givenAsReference];
      givenAsReference.clear();
      try {
        for (const blobRef of refs) await media.forgetBlob(workspaceId, blobRef, platform);
      } catch (error) {
        throw unavailable(error);
      }
      return refs.length > 0;
    }

    /** Releases the deliveries that wait for a file of this one. */
    function done(): void {
      for (const blobRef of [...bringing.keys()]) release(blobRef);
    }

    function release(blobRef: string): void {
      const resolve = bringing.get(blobRef);
      if (!resolve) return;
      bringing.delete(blobRef);
      brought.delete(keyOf(blobRef));
      resolve();
    }

    function keyOf(blobRef: string): string {
      return JSON.stringify([workspaceId, platform, authRef, blobRef]);
    }
  };
}

/** A file that the post names by the platform's own reference is not ours to keep. */
const refOf = (item: MediaItem | undefined): string | null => item?.blob_ref ?? null;

/** A row that an operator wrote names no credential: it holds for all. */
const referenceIn = ({ references, fileId }: MediaBlob, authRef: string): string | null =>
  references[authRef] ?? (Object.keys(references).length === 0 ? fileId : null);

const missingOrigin = (message: string): DeliveryFailed =>
  new DeliveryFailed({
    ...{ category: 'PERMANENT', scope: 'delivery', code: 'media_missing_origin', message },
    userMessage: 'Файл этой публикации больше не хранится. Отправьте её заново.',
  });

const unavailable = (cause: unknown): DeliveryFailed =>
  new DeliveryFailed(
    {
      ...{ category: 'TRANSIENT', scope: 'delivery', code: 'media_unavailable' },
      message: 'a file could not be read from where it is kept',
      userMessage: 'Не получилось прочитать вложение. Попробуем ещё раз позже.',
    },
    cause,
  );
